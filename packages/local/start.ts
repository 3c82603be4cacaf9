/** `npm start`. Nothing of ours is imported before the version of Node is known to be the one it was written for. */
import { setFlagsFromString } from "node:v8";

const [major] = process.versions.node.split(".");
if (major !== "24") {
  console.error(`svc needs Node 24 and this is ${process.version}. Start it with \`npm start\`.`);
  process.exit(1);
}

// The optimising compiler would hold 500 MB while it works on the embedded database, and takes no more than a third off
// its longest queries (measured: 920 MiB at the peak of a start and eight uploads with it, 430 without).
setFlagsFromString("--no-wasm-tier-up");
setFlagsFromString("--no-wasm-dynamic-tiering");

const { Fault } = await import("@svc/core/base/fault");
const { startLocal } = await import("./server.ts");
const { client } = await import("./client.ts");

const { PORT = "4000", SVC_DATA = ".local", SVC_SEED = "demo", SVC_DEV } = process.env;

try {
  const options = { port: port(PORT), data: SVC_DATA, seed: seed(SVC_SEED) };
  const starting = startLocal({ ...options, site: await client(SVC_DEV === "1") });
  closeOnSignal(starting);
  console.log(`ready ${(await starting).url}`);
} catch (error) {
  console.error(error instanceof Fault ? error.message : error);
  process.exit(1);
}

function port(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 65_535)
    throw new Fault("invalid", "configuration", "Configuration: PORT must be a number from 0 to 65535.");
  return value;
}

function seed(text: string): "demo" | "none" {
  if (text !== "demo" && text !== "none")
    throw new Fault("invalid", "configuration", "Configuration: SVC_SEED must be demo or none.");
  return text;
}

/** The first signal closes in order, also when it comes while the server still starts; a second one ends at once. */
function closeOnSignal(starting: ReturnType<typeof startLocal>): void {
  let closing = false;
  const stop = async () => {
    if (closing) process.exit(1);
    closing = true;
    const server = await starting;
    await server.close();
    process.exit(0);
  };
  process.on("SIGINT", () => void stop());
  process.on("SIGTERM", () => void stop());
}
