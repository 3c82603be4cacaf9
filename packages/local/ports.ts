import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Fault } from "@svc/core/base/fault";
import type { Listener } from "./site.ts";

/**
 * Ports that browsers and `fetch` refuse, because programs of other protocols listen there ("bad port" in
 * https://fetch.spec.whatwg.org/#port-blocking).
 */
export const blockedPorts: readonly number[] = [
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
];

/** Idle time after which a connection is closed. Longer than the timeout of any function. */
const idleMs = 60_000;

/**
 * Listens on a port of 127.0.0.1; 0 chooses a free one. Throws `conflict` `port_unusable`, which names the variable that sets
 * the port, if the port is in use or blocked by browsers.
 */
export async function listen(
  { name, port }: { name: "PORT" | "SVC_TOOLS_PORT"; port: number },
  listener: Listener,
): Promise<Server> {
  const unusable = (why: string, cause?: unknown) =>
    new Fault("conflict", "port_unusable", `Port ${port} ${why}. Set ${name} to another port.`, { cause });
  if (blockedPorts.includes(port)) throw unusable("is blocked by browsers");
  const server = createServer(listener);
  server.on("checkContinue", listener);
  server.setTimeout(idleMs);
  server.listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw unusable(code === "EADDRINUSE" ? "is already in use" : `cannot be used (${code})`, cause);
  }
  return server;
}

/** Returns the URL of a listening server. */
export function urlOf(server: Server): string {
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}
