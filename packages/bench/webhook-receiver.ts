import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A process that takes every request at once and says where it listens; it ends with the one that forked it. */
const server = createServer((request, response) => {
  request.resume().on("end", () => response.writeHead(204).end());
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.on("disconnect", () => process.exit());
