import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { PGlite } from "@electric-sql/pglite";

/** A running server. */
export type Wire = { url: string; close(): Promise<void> };

/**
 * Serves an embedded PostgreSQL on a port of 127.0.0.1, so that a bundle can connect to it like to any PostgreSQL. All
 * connections share one session, so use one connection at a time.
 */
export async function openWire(): Promise<Wire> {
  const engine = await PGlite.create();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    answer(socket, engine).finally(() => socket.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await engine.close();
    },
  };
}

async function answer(socket: Socket, engine: PGlite): Promise<void> {
  let pending = Buffer.alloc(0);
  // The first message has no type byte (PostgreSQL documentation, section 55.2).
  let typeBytes = 0;
  for await (const chunk of socket) {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= typeBytes + 4) {
      const length = typeBytes + pending.readUInt32BE(typeBytes);
      if (pending.length < length) break;
      socket.write(await engine.execProtocolRaw(new Uint8Array(pending.subarray(0, length))));
      pending = pending.subarray(length);
      typeBytes = 1;
    }
  }
}
