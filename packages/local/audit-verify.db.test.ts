import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chainAll } from "@svc/core/audit/proof/chain";
import * as Checkpoint from "@svc/core/audit/proof/checkpoint";
import * as Clock from "@svc/core/base/clock";
import * as Config from "@svc/core/platform/config/config";
import { owner } from "@svc/core/testing/people";
import { sample } from "@svc/core/testing/sample";
import { request } from "@svc/functions/testing/request";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

type Line = Record<string, unknown>;
type Result = { code: number; stdout: string; stderr: string };

const program = fileURLToPath(new URL("audit-verify.ts", import.meta.url));
let directory: string;
let lines: Line[];
let kept: Checkpoint.View;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "svc-audit-"));
  const { token } = await owner("Ada", "ENTERPRISE");
  for (const name of ["Loom", "Engine", "secret token of the Wi-Fi"])
    await request("POST /api/v1/projects", { token, body: { name } });
  Clock.advance(3600);
  await chainAll(Config.auditKeys());
  kept = (await request("GET /api/v1/audit-logs/checkpoint", { token })).body;
  let text = "";
  for (let query: Record<string, string> | undefined = { format: "ndjson" }; query; ) {
    const { body, headers } = await request("GET /api/v1/audit-logs", { token, query });
    text += body;
    const next = /<([^>]+)>/.exec(headers.link ?? "")?.[1];
    query = next ? Object.fromEntries(new URL(next, "http://x").searchParams) : undefined;
  }
  lines = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
});
afterAll(async () => {
  Clock.reset();
  await rm(directory, { recursive: true });
});

/** Runs `npm run audit:verify` with a file of this content. */
async function verify(name: string, content: readonly Line[] | string, ...args: string[]): Promise<Result> {
  const file = join(directory, `${name}.ndjson`);
  const text = typeof content === "string" ? content : textOf(content);
  await writeFile(file, text);
  return run(file, ...args);
}

function run(...args: string[]): Promise<Result> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], { env: {} }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

const textOf = (content: readonly Line[]) => content.map((line) => `${JSON.stringify(line)}\n`).join("");
const idOf = (at: number) => lines[at]?.id as string;
const proofOf = (line: Line | undefined) => line?.proof as { sequence: number };
const withProof = (line: Line | undefined, change: object): Line => ({
  ...line,
  proof: { ...proofOf(line), ...change },
});

describe("npm run audit:verify", () => {
  it("succeeds for an untouched export, with a trusted key and a kept checkpoint", async () => {
    expect(lines).toHaveLength(6);
    const checkpoint = join(directory, "checkpoint.json");
    await writeFile(checkpoint, JSON.stringify(kept));
    const trusted = ["--key", `${kept.keyId}=${kept.publicKey}`, "--checkpoint", checkpoint];
    const [plain, complete] = await Promise.all([
      verify("plain", lines),
      verify("complete", lines, ...trusted),
    ]);
    expect([complete.code, complete.stderr]).toEqual([0, ""]);
    expect(complete.stdout).toContain("Entries: 4 proven");
    expect(complete.stdout).toContain("The log verifies.");
    expect(complete.stdout).not.toContain("proves no origin");
    expect([plain.code, plain.stderr]).toEqual([0, ""]);
    expect(plain.stdout).toContain("proves no origin");
  });

  it("fails and names the place after any kind of tampering", async () => {
    const [first, second, third, ...rest] = lines as [Line, Line, Line];
    const inserted = { ...first, id: `${idOf(0)}x` };
    const otherKey = Checkpoint.publicKeyOfSecret({ id: "test", secret: Buffer.alloc(32, 1) });
    const end = lines.at(-1)?.end as { checkpoint: Checkpoint.View };
    const tampered: Record<string, [content: Line[] | string, message: string, ...args: string[]]> = {
      changed: [
        [first, { ...second, action: "project.deleted" }, third, ...rest],
        `entry_changed: line 2 (${idOf(1)}), entry 3 of the chain`,
      ],
      deleted: [[first, third, ...rest], "entry_missing: entry 3 of the chain"],
      inserted: [[withProof(inserted, { sequence: 9 }), ...lines], "entry_inserted: line 1"],
      repeated: [[inserted, ...lines], `entry_inserted: line 2 (${idOf(0)}) repeats entry 4`],
      reordered: [[first, third, second, ...rest], `entry_moved: line 3 (${idOf(1)})`],
      exchanged: [
        [withProof(first, { sequence: 3 }), withProof(second, { sequence: 4 }), third, ...rest],
        `entry_changed: line 1 (${idOf(0)}), entry 3 of the chain`,
      ],
      "signed with another key": [lines, "checkpoint_signature: checkpoint of", "--key", `test=${otherKey}`],
      "signed with an unknown key": [lines, "has the unknown key test", "--key", `other=${otherKey}`],
      "cut between lines": [
        lines.slice(0, -1),
        "file_truncated: the end of the export is missing after line 5",
      ],
      "cut within a line": [textOf(lines).slice(0, -20), "file_truncated: line 6 is not a line of an export"],
      "continued after its end": [[...lines, first], "file_truncated: line 7 follows the end"],
      "with an older checkpoint": [
        [...lines.slice(0, -1), { end: { ...end, checkpoint: { ...kept, sequence: 3 } } }],
        "entry 3, is not of the last link, 4",
      ],
    };
    const cases = sample(Object.entries(tampered), 6);
    const results = await Promise.all(
      cases.map(async ([name, [content, message, ...args]]) => {
        const { code, stdout, stderr } = await verify(name, content, ...args);
        return [name, code, stderr.includes(message) ? message : stderr, stdout.includes("does not verify")];
      }),
    );
    expect(results).toEqual(cases.map(([name, [, message]]) => [name, 1, message, true]));
  });

  it("fails with the usage for a malformed argument, and for a file that does not exist", async () => {
    const results = await Promise.all([run("a", "--key", "x"), run(join(directory, "none"))]);
    expect(results.map(({ code }) => code)).toEqual([1, 1]);
    expect(results[0]?.stderr).toContain("Usage: npm run audit:verify");
    expect(results[1]?.stderr).toContain("ENOENT");
  });
});
