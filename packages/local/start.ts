/** Entry point of `npm start`. Checks the version of Node before it imports any other module. */
import { setFlagsFromString } from "node:v8";
import type { LocalServer } from "./server.ts";

const [major] = process.versions.node.split(".");
if (major !== "24") {
  console.error(`svc requires Node 24, but this is ${process.version}. Start it with \`npm start\`.`);
  process.exit(1);
}

// Disables the optimising WebAssembly compiler. It needs 500 MB for the embedded database and makes its longest queries at most
// a third faster. Measured peak of a start and eight uploads: 920 MiB with it, 430 MiB without.
setFlagsFromString("--no-wasm-tier-up");
setFlagsFromString("--no-wasm-dynamic-tiering");

const { Fault } = await import("@svc/core/base/fault");
const { startLocal } = await import("./server.ts");
const { client } = await import("./client.ts");

const given = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value));
const { PORT = "4000", SVC_TOOLS_PORT, SVC_DATA = ".local", SVC_SEED = "demo", SVC_DEV } = given;

try {
  const port = parsePort("PORT", PORT);
  const toolsPort = parsePort("SVC_TOOLS_PORT", SVC_TOOLS_PORT ?? String(port === 0 ? 0 : port + 1));
  const options = { port, toolsPort, data: SVC_DATA, seed: seed(SVC_SEED) };
  const server = await startLocal({ ...options, site: await client(SVC_DEV === "1") });
  closeOnSignal(server);
  if (server.notice) console.log(server.notice);
  console.log(`tools ${server.toolsUrl}`);
  console.log(`ready ${server.url}`);
} catch (error) {
  console.error(error instanceof Fault ? error.message : error);
  process.exit(1);
}

function parsePort(name: string, text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 65_535)
    throw new Fault("invalid", "configuration", `Configuration: ${name} must be a number from 0 to 65535.`);
  return value;
}

function seed(text: string): "demo" | "none" {
  if (text !== "demo" && text !== "none")
    throw new Fault("invalid", "configuration", "Configuration: SVC_SEED must be demo or none.");
  return text;
}

/**
 * Closes the server on the first signal and exits at once on the second. A signal before that ends the process at once, which is
 * its default action: everything that a start writes can be interrupted.
 */
function closeOnSignal(server: LocalServer): void {
  let closing = false;
  const stop = async () => {
    if (closing) process.exit(1);
    closing = true;
    await server.close();
    process.exit(0);
  };
  process.on("SIGINT", () => void stop());
  process.on("SIGTERM", () => void stop());
}
