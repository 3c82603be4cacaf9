import * as Checkpoint from "@svc/core/audit/proof/checkpoint";
import { verifyExport } from "@svc/core/audit/proof/verify-export";
import * as Clock from "@svc/core/base/clock";
import { newId } from "@svc/core/base/id";
import * as Config from "@svc/core/platform/config/config";
import { db } from "@svc/core/platform/db/engine";
import { chainUntil } from "@svc/core/testing/audit-log";
import { type Home, owner, type Person } from "@svc/core/testing/people";
import { afterEach, describe, expect, it } from "vitest";
import { request } from "../../testing/request.ts";

afterEach(() => Clock.reset());

/** Creates a workspace whose log has six entries. */
async function workspaceWithEntries(): Promise<Person & Home> {
  const ada = await owner("Ada", "ENTERPRISE");
  for (const name of ["Łódź", "Loom", "password of the Wi-Fi", "Engine", "=1+1"])
    await request("POST /api/v1/projects", { token: ada.token, body: { name }, ip: "192.0.2.7" });
  return ada;
}

async function chained(): Promise<void> {
  Clock.advance(3600);
  await chainUntil();
}

/** Loads all parts of an export, and returns its lines. */
async function exported(token: string, query: Record<string, string> = {}): Promise<string[]> {
  let text = "";
  for (let next: Record<string, string> | undefined = { format: "ndjson", ...query }; next; ) {
    const { status, body, headers } = await request("GET /api/v1/audit-logs", { token, query: next });
    expect(status).toBe(200);
    text += body;
    const target = /<([^>]+)>/.exec(headers.link ?? "")?.[1];
    next = target ? Object.fromEntries(new URL(target, "http://x").searchParams) : undefined;
  }
  return text.trimEnd().split("\n");
}

async function verified(lines: readonly string[], trusted: Partial<Parameters<typeof verifyExport>[1]> = {}) {
  const each = (async function* () {
    yield* lines;
  })();
  return verifyExport(each, { publicKeys: new Map(), checkpoints: [], ...trusted });
}

const checkpointOf = (token: string) => request("GET /api/v1/audit-logs/checkpoint", { token });

describe("GET /api/v1/audit-logs/checkpoint", () => {
  it("returns 409 checkpoint_pending before the first entry is chained, and then the signed end", async () => {
    const ada = await workspaceWithEntries();
    const pending = await checkpointOf(ada.token);
    expect([pending.status, pending.body.code]).toEqual([409, "checkpoint_pending"]);
    await chained();
    const { status, body } = await checkpointOf(ada.token);
    expect([status, body.sequence, body.keyId]).toEqual([200, 6, "test"]);
    const [key] = Config.auditKeys();
    expect(Checkpoint.isSignedBy(key ? Checkpoint.publicKeyOfSecret(key) : "", body)).toBe(true);
    expect(Checkpoint.isSignedBy(body.publicKey, { ...body, sequence: 5 })).toBe(false);
  });
});

describe("an NDJSON export of the audit log", () => {
  it("verifies, with new entries, and with a trusted key and a checkpoint that was kept", async () => {
    const ada = await workspaceWithEntries();
    await chained();
    const kept = (await checkpointOf(ada.token)).body;
    Clock.advance(60);
    await request("POST /api/v1/projects", { token: ada.token, body: { name: "Late" } });
    const lines = await exported(ada.token);
    expect(await verified(lines)).toMatchObject({ proven: 6, unproven: 1, erased: 0, problems: [] });
    const publicKeys = new Map([[kept.keyId, kept.publicKey]]);
    expect((await verified(lines, { publicKeys, checkpoints: [kept] })).problems).toEqual([]);
    const otherKey = Checkpoint.publicKeyOfSecret({ id: "test", secret: Buffer.alloc(32, 1) });
    expect((await verified(lines, { publicKeys: new Map([["test", otherKey]]) })).problems).toHaveLength(1);
    const [key] = Config.auditKeys() as [Config.AuditKey];
    const forged = Checkpoint.signed(
      key,
      { workspaceId: ada.workspaceId, sequence: 5, hash: kept.hash },
      null,
      Clock.now(),
    );
    expect((await verified(lines, { checkpoints: [forged] })).problems).toHaveLength(1);
  });

  it("does not verify after any change of the file", async () => {
    const ada = await workspaceWithEntries();
    await chained();
    const lines = await exported(ada.token);
    const [first = "", second = ""] = lines;
    const changed = (change: (entry: Record<string, unknown>) => object) => [
      JSON.stringify(change(JSON.parse(first))),
      ...lines.slice(1),
    ];
    const sequenceOf = (line: string) => JSON.parse(line).proof.sequence;
    const withSequence = (line: string, sequence: number) => {
      const entry = JSON.parse(line);
      return JSON.stringify({ ...entry, proof: { ...entry.proof, sequence } });
    };
    const without = (name: string) => (entry: Record<string, unknown>) => {
      const proof = entry.proof as { salts: Record<string, string> };
      const { [name]: _, ...salts } = proof.salts;
      return {
        ...entry,
        ip: "192.0.2.9",
        target: { ...(entry.target as object), name: "x" },
        proof: { ...proof, salts },
      };
    };
    const files = {
      "a deleted entry": lines.slice(1),
      "a changed action": changed((entry) => ({ ...entry, action: "project.deleted" })),
      "a changed time": changed((entry) => ({ ...entry, at: "2026-01-01T00:00:00.000Z" })),
      "a changed IP address": changed((entry) => ({ ...entry, ip: "192.0.2.8" })),
      "a changed value": changed((entry) => ({ ...entry, changes: { before: {}, after: { name: "x" } } })),
      "a changed field": changed((entry) => ({ ...entry, fields: ["x"] })),
      "a changed IP address without its salt": changed(without("origin")),
      "a changed name without its salt": changed(without("name")),
      "an entry that claims to be new": changed((entry) => ({ ...entry, proof: undefined })),
      "a repeated entry": [first, ...lines],
      "an inserted entry": [withSequence(first, 99), ...lines],
      "two entries that changed places": [
        withSequence(first, sequenceOf(second)),
        withSequence(second, sequenceOf(first)),
        ...lines.slice(2),
      ],
      "a chain without its first link": lines.map((line) => {
        const { links } = JSON.parse(line);
        return links ? JSON.stringify({ links: { ...links, links: links.links.slice(1) } }) : line;
      }),
      "another chain, with a checkpoint from before its first link": lines.map((line) => {
        const { proof, links, end, ...entry } = JSON.parse(line);
        if (links) return JSON.stringify({ links: { ...links, first: 101, previous: "x" } });
        if (end) return JSON.stringify({ end: { ...end, since: "2020-01-01T00:00:00.000Z" } });
        return JSON.stringify({ ...entry, proof: { ...proof, sequence: proof.sequence + 100 } });
      }),
      "entries in another order": [second, first, ...lines.slice(2)],
      "no end": lines.slice(0, -1),
      "another checkpoint": lines.map((line) => line.replace(/"sequence":6,"hash"/, '"sequence":5,"hash"')),
    };
    const unnoticed = [];
    for (const [name, file] of Object.entries(files))
      if ((await verified(file)).problems.length === 0) unnoticed.push(name);
    expect(unnoticed).toEqual([]);
    expect((await verified(lines)).problems).toEqual([]);
  });

  it("verifies for some days, and says that a filtered one cannot", async () => {
    const ada = await workspaceWithEntries();
    await chained();
    const at = new Date(Clock.now().getTime() + 2 * 86_400_000);
    await db()
      .insertInto("events")
      .values({
        id: newId("evt", at),
        workspace_id: ada.workspaceId,
        action: "team.updated",
        at,
        actor_type: "job",
        actor_id: "test",
        target_type: "team",
        target_id: "team_x",
        target_name: "x",
        request_id: "r",
        outcome: "success",
        changes: "{}",
      })
      .execute();
    Clock.advance(3 * 86_400);
    await chained();
    const from = at.toISOString().slice(0, 10);
    expect(await verified(await exported(ada.token, { from }))).toMatchObject({ proven: 1, problems: [] });
    const to = new Date(at.getTime() - 86_400_000).toISOString().slice(0, 10);
    expect(await verified(await exported(ada.token, { to }))).toMatchObject({
      proven: 6,
      withoutEntry: 1,
      problems: [],
    });
    const filtered = await verified(await exported(ada.token, { action: "team." }));
    expect(filtered.problems).toEqual([expect.stringContaining("filtered")]);
    expect(filtered.end?.checkpoint).toMatchObject({ sequence: 7 });
  });
});

describe("a CSV export of the audit log", () => {
  it("ends with the checkpoint", async () => {
    const ada = await workspaceWithEntries();
    await chained();
    const { body } = await request("GET /api/v1/audit-logs", { token: ada.token, query: { format: "csv" } });
    const last = body.trimEnd().split("\r\n").at(-1);
    expect(last).toMatch(/audit_log\.checkpoint,.*,6$/);
    expect(last).toContain((await checkpointOf(ada.token)).body.signature);
  });
});
