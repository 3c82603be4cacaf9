import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A process that responds to every request at once. Reports its port to the parent process and exits with it. */
const server = createServer((request, response) => {
  request.resume().on("end", () => response.writeHead(204).end());
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.on("disconnect", () => process.exit());
