import { once } from "node:events";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, createServer } from "node:net";
import type { TlsOptions } from "node:tls";
import { certificate } from "@svc/core/testing/certificate";

/** First byte of a TLS connection: a handshake record (RFC 8446, section 5.1). */
const handshake = 0x16;

/**
 * Starts a server on a free port that serves HTTPS and, on the same port, plain HTTP. `cert` is its self-signed certificate for
 * localhost. By default it redirects plain HTTP to HTTPS, as the deployed router does.
 */
export async function openRouter(
  handle: RequestListener,
  {
    plain = (request, response) =>
      void response.writeHead(301, { location: `https://${request.headers.host}${request.url}` }).end(),
    tls = {},
  }: { plain?: RequestListener; tls?: TlsOptions } = {},
) {
  const identity = certificate("localhost");
  const [secure, insecure] = [createHttpsServer({ ...identity, ...tls }, handle), createHttpServer(plain)];
  const server = createServer((socket) => {
    socket.once("data", (start) => {
      socket.pause();
      socket.unshift(start);
      (start[0] === handshake ? secure : insecure).emit("connection", socket);
      process.nextTick(() => socket.resume());
    });
    socket.on("error", () => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `https://localhost:${port}`, cert: identity.cert, close: () => server.close() };
}
