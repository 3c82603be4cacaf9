import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import * as Checkpoint from "@svc/core/audit/proof/checkpoint";
import { verifyExport } from "@svc/core/audit/proof/verify-export";

/**
 * Checks an export of an audit log without a server: `npm run audit:verify -- FILE`. FILE is an NDJSON export. `--key ID=KEY`
 * trusts only these public keys, `--checkpoint FILE` also compares the log with a checkpoint that was kept. Both may be
 * repeated. Exits with 1 if the log does not verify.
 */
const usage = "Usage: npm run audit:verify -- FILE [--key ID=PUBLIC_KEY …] [--checkpoint CHECKPOINT.json …]";

try {
  const { values, positionals } = parseArgs({
    options: { key: { type: "string", multiple: true }, checkpoint: { type: "string", multiple: true } },
    allowPositionals: true,
  });
  const [file, ...rest] = positionals;
  if (file === undefined || rest.length > 0) throw new Error(usage);
  const publicKeys = new Map((values.key ?? []).map(parseKey));
  const checkpoints = await Promise.all((values.checkpoint ?? []).map(readCheckpoint));
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
  const { end, problems, ...counts } = await verifyExport(lines, { publicKeys, checkpoints });
  console.log(
    `Entries: ${counts.proven} proven, of which ${counts.erased} have erased values and ${counts.masked} have masked values, which are not proven. ` +
      `${counts.unproven} are too new for the chain. ${counts.withoutEntry} entries of the chain are not in the file: deleted by retention, or outside of its time.`,
  );
  if (end) console.log(`Time of the file: ${end.since ?? "the beginning"} to ${end.before ?? "the export"}.`);
  if (end?.checkpoint)
    console.log(
      `Checkpoint: entry ${end.checkpoint.sequence} at ${end.checkpoint.at}, key ${end.checkpoint.keyId}=${end.checkpoint.publicKey}.`,
    );
  if (publicKeys.size === 0)
    console.log(
      "No --key was given, so the signature is checked with the key in the file, which proves no origin.",
    );
  for (const problem of problems.slice(0, 50)) console.error(problem);
  console.log(
    problems.length === 0 ? "The log verifies." : `The log does not verify: ${problems.length} problems.`,
  );
  process.exitCode = problems.length === 0 ? 0 : 1;
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

function parseKey(text: string): [string, string] {
  const [, id, key] = /^([\w-]{1,32})=([\w-]{43})$/.exec(text) ?? [];
  if (id === undefined || key === undefined) throw new Error(`${text} is not ID=PUBLIC_KEY.\n${usage}`);
  return [id, key];
}

async function readCheckpoint(file: string): Promise<Checkpoint.View> {
  return Checkpoint.View.parse(JSON.parse(await readFile(file, "utf8")));
}
