import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chainAll } from "@svc/core/audit/proof/chain";
import * as Checkpoint from "@svc/core/audit/proof/checkpoint";
import { verifyExport } from "@svc/core/audit/proof/verify-export";
import { purge } from "@svc/core/audit/purge";
import * as Clock from "@svc/core/base/clock";
import { newId } from "@svc/core/base/id";
import { newSalts } from "@svc/core/event/salts";
import * as Config from "@svc/core/platform/config/config";
import { db } from "@svc/core/platform/db/engine";
import { chainUntil } from "@svc/core/testing/audit-log";
import { unlimited } from "@svc/core/testing/dsql";
import { colleague, owner, reauthenticated } from "@svc/core/testing/people";
import { long, sample } from "@svc/core/testing/sample";
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
  lines = await exported(token);
});
afterAll(async () => {
  Clock.reset();
  await rm(directory, { recursive: true });
});

/** Exports the audit log, and returns the lines of the file. */
async function exported(token: string): Promise<Line[]> {
  let text = "";
  for (let query: Record<string, string> | undefined = { format: "ndjson" }; query; ) {
    const { body, headers } = await request("GET /api/v1/audit-logs", { token, query });
    text += body;
    const next = /<([^>]+)>/.exec(headers.link ?? "")?.[1];
    query = next ? Object.fromEntries(new URL(next, "http://x").searchParams) : undefined;
  }
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

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

describe("npm run audit:verify with a long log", () => {
  const rows = long ? 10_000 : 100;
  const days = 500;

  /** Inserts events of these users in turn, evenly spread over the last 500 days. */
  async function insertEvents(workspaceId: string, users: readonly string[]): Promise<void> {
    const events = Array.from({ length: rows }, (_, n) => {
      const at = new Date(Clock.now().getTime() - (days - (days * n) / rows) * 86_400_000);
      return {
        id: newId("evt", at),
        workspace_id: workspaceId,
        action: "project.updated",
        at,
        actor_type: "user",
        actor_id: users[n % users.length] ?? "",
        target_type: "project",
        target_id: newId("prj"),
        target_name: `Project ${n}`,
        ip: "192.0.2.1",
        user_agent: "test",
        request_id: `req_${n}`,
        outcome: "success",
        changes: JSON.stringify({ name: { before: "Loom", after: `Łódź ${n}` } }),
        ...newSalts(),
      };
    });
    await unlimited(async () => {
      for (let at = 0; at < rows; at += 2000)
        await db()
          .insertInto("events")
          .values(events.slice(at, at + 2000))
          .execute();
    });
  }

  /** The ways to tamper with the entry of a line. Each gets the lines and the place of one, and returns the lines of a file. */
  const changes: Record<string, (entry: Line) => Line> = {
    action: () => ({ action: "project.deleted" }),
    "name of the target": ({ target }) => ({ target: { ...(target as object), name: "Other" } }),
    "IP address": () => ({ ip: "192.0.2.99" }),
    actor: ({ actor }) => ({ actor: { ...(actor as object), id: "usr_x" } }),
    value: () => ({ changes: { before: { name: "Loom" }, after: { name: "Other" } } }),
    time: ({ at }) => ({ at: new Date(Date.parse(at as string) + 1).toISOString() }),
  };
  const tampering: Record<string, (lines: readonly Line[], at: number) => Line[]> = {
    ...Object.fromEntries(
      Object.entries(changes).map(([name, change]) => [
        `change the ${name}`,
        (lines: readonly Line[], at: number) =>
          lines.with(at, { ...lines[at], ...change(lines[at] as Line) }),
      ]),
    ),
    delete: (lines, at) => lines.toSpliced(at, 1),
    "insert without a proof": (lines, at) =>
      lines.toSpliced(at + 1, 0, { ...olderThan(lines[at]), proof: undefined }),
    "insert with the proof of another": (lines, at) => lines.toSpliced(at + 1, 0, olderThan(lines[at])),
    "reorder lines": (lines, at) => exchanged(lines, at, (one) => one),
    "reorder entries": (lines, at) =>
      exchanged(lines, at, (one, other) => ({ ...one, id: other.id, at: other.at, proof: other.proof })),
  };

  /** Returns a copy of an entry, a millisecond older. */
  function olderThan(line: Line | undefined): Line {
    const at = new Date(Date.parse(line?.at as string) - 1);
    return { ...line, id: newId("evt", at), at: at.toISOString() };
  }

  /** Puts an entry and the one next to it at each other's place. `as` returns the first one in place of the second one. */
  function exchanged(lines: readonly Line[], at: number, as: (one: Line, other: Line) => Line): Line[] {
    const next = lines[at + 1]?.id === undefined ? at - 1 : at + 1;
    const [one, other] = [lines[at], lines[next]] as [Line, Line];
    return lines.with(at, as(other, one)).with(next, as(one, other));
  }

  async function problemsOf(lines: readonly Line[]): Promise<number> {
    const texts = (async function* () {
      for (const line of lines) yield JSON.stringify(line);
    })();
    return (await verifyExport(texts, { publicKeys: new Map(), checkpoints: [] })).problems.length;
  }

  it(`verifies ${rows} entries, also after an erasure and after the retention, and finds any tampering with one of them`, async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    const bob = await colleague(ada, "manager");
    await insertEvents(ada.workspaceId, [ada.id, bob.id]);
    Clock.advance(2 * 3600);
    await chainUntil();
    const files: Record<string, { lines: Line[]; counts: string }> = {};
    const store = async (name: string) => {
      const lines = await exported(ada.token);
      const { code, stdout, stderr } = await verify(name, lines);
      expect([code, stderr]).toEqual([0, ""]);
      files[name] = { lines, counts: stdout };
    };
    await store("untouched");
    expect((await request("DELETE /user", { token: (await reauthenticated(bob)).token })).status).toBe(204);
    await store("erased");
    process.env.AUDIT_RETENTION_DAYS = "400";
    const purged = await purge();
    delete process.env.AUDIT_RETENTION_DAYS;
    // The next checkpoint has the time of the retention.
    Clock.advance(2 * 3600);
    await chainUntil();
    await store("shortened");
    const erased = (name: string) => Number(/which (\d+) have erased/.exec(files[name]?.counts ?? "")?.[1]);
    expect([erased("untouched"), erased("erased") >= rows / 2]).toEqual([0, true]);
    expect(erased("shortened")).toBeLessThan(erased("erased"));
    expect(purged).toBeGreaterThan(rows / 6);
    expect(files.shortened?.counts).toContain(` ${purged} entries of the chain are not in the file`);

    const unnoticed: string[] = [];
    for (const [name, { lines }] of Object.entries(files)) {
      const last = lines.findLastIndex(({ id }) => id !== undefined);
      const first = lines.findIndex(({ proof }) => proof !== undefined);
      for (const at of [first, Math.floor((first + last) / 2), last])
        for (const [kind, tamper] of Object.entries(tampering))
          if ((await problemsOf(tamper(lines, at))) === 0)
            unnoticed.push(`${name}: ${kind} at line ${at + 1}`);
    }
    expect(unnoticed).toEqual([]);
  }, 600_000);
});
