import * as AuditLog from "@svc/core/audit/audit-log";
import { connect, db } from "@svc/core/platform/db/engine";
import { beforeStatements, testPool } from "@svc/core/testing/database";
import { unlimited } from "@svc/core/testing/dsql";
import { owner } from "@svc/core/testing/people";
import { long } from "@svc/core/testing/sample";
import type { Membership } from "@svc/core/workspace/authorization";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const rows = long ? 100_000 : 8000;

/** Entries that a rare value matches. */
const matches = 20;
const limit = 50;

/** Rows that a page may read. Among few rows, PostgreSQL prefers to sort a page's month over reading it in order. */
const mostRead = long ? 3 * limit : rows / 10;

const day = 86_400_000;
const start = Date.parse("2026-01-01T00:00:00Z");
const instant = (days: number) => new Date(start + days * day).toISOString();
const ofDay = (at: number) =>
  Math.min(limit, Math.ceil(((at + 1) * rows) / 365) - Math.ceil((at * rows) / 365));

let membership: Membership;

/**
 * Fills the log of a workspace, and that of another one with equal values. One entry in a thousand has the rare values that the
 * filters select.
 */
beforeAll(async () => {
  const ada = await owner("Ada", "ENTERPRISE");
  membership = { workspaceId: ada.workspaceId, timezone: "UTC" } as Membership;
  const other = await owner("Eve", "ENTERPRISE");
  const step = (365 * day) / rows;
  const rare = (yes: string, no: string) =>
    sql`CASE WHEN n % ${sql.lit(rows / matches)} = 0 THEN ${yes} ELSE ${no} END`;
  await unlimited(async () => {
    for (const workspaceId of [ada.workspaceId, other.workspaceId])
      await sql`
        INSERT INTO events (id, workspace_id, action, at, actor_type, actor_id, target_type, target_id, target_name, ip,
          request_id, outcome, changes)
        SELECT 'evt_' || lpad(to_hex(at_ms), 12, '0') || lpad(to_hex(n), 20, '0') || ${workspaceId === ada.workspaceId ? "a" : "b"},
          ${workspaceId}, ${rare("webhook.created", "time_entry.created")}, to_timestamp(at_ms / 1000.0), 'user',
          ${rare("usr_rare", ada.id)}, 'project', ${rare("prj_rare", "prj_frequent")}, 'Loom', '192.0.2.1', 'r',
          ${rare("failure", "success")}, '{}'
        FROM (SELECT n, (${sql.lit(start)} + n * ${sql.lit(step)}::bigint) AS at_ms FROM generate_series(1, ${sql.lit(rows)}) n) AS numbered
      `.execute(db());
    await sql`ANALYZE events`.execute(db());
  });
}, 60_000);
afterAll(async () => {
  connect(testPool());
  await unlimited(() => db().deleteFrom("events").execute());
});

type Node = {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  Plans?: Node[];
};

/** Lists a page, and returns the plan of the statement that read it. */
async function planOf(query: AuditLog.Query): Promise<{ found: number; nodes: Node[] }> {
  let statement = { text: "", parameters: [] as readonly unknown[] };
  beforeStatements((text, parameters) => {
    statement = { text, parameters };
  });
  const { data } = await AuditLog.list(membership, { ...query, limit });
  connect(testPool());
  const explain = `EXPLAIN (ANALYZE, FORMAT JSON) ${statement.text}`;
  const compiled = { ...sql``.compile(db()), sql: explain, parameters: statement.parameters };
  const {
    rows: [row],
  } = await unlimited(() => db().executeQuery<{ "QUERY PLAN": { Plan: Node }[] }>(compiled));
  const [plan] = row?.["QUERY PLAN"] ?? [];
  if (!plan) throw new Error("no plan");
  return { found: data.length, nodes: [...nodesOf(plan.Plan)] };
}

function* nodesOf(node: Node): Generator<Node> {
  yield node;
  for (const inner of node.Plans ?? []) yield* nodesOf(inner);
}

describe("the filters of the audit log", () => {
  it.each<[name: string, query: AuditLog.Query, expected: number, index: string | undefined]>([
    ["none", {}, limit, "events_workspace"],
    ["category", { category: "webhook" }, matches, "events_action"],
    ["action", { action: "webhook.created" }, matches, "events_action"],
    ["beginning of an action", { action: "webhook." }, matches, "events_action"],
    ["actor", { actor: "usr_rare" }, matches, "events_actor"],
    ["target", { target: "prj_rare" }, matches, "events_target"],
    ["outcome", { outcome: "failure" }, matches, "events_failures"],
    ["days", { from: "2026-06-01", to: "2026-06-30" }, limit, undefined],
    ["instants", { from: instant(100), to: instant(101) }, ofDay(100), undefined],
    ["cursor", { cursor: AuditLog.cursorOf({ id: "evt_019d" }) }, limit, "events_workspace"],
    ["IP address that most entries have", { ip: "192.0.2.1" }, limit, "events_workspace"],
    [
      "all filters",
      {
        category: "webhook",
        action: "webhook.",
        actor: "usr_rare",
        target: "prj_rare",
        outcome: "failure",
        from: "2026-01-01",
        ip: "192.0.2.1",
      },
      matches,
      undefined,
    ],
  ])("read few rows by an index: %s", async (_name, query, expected, index) => {
    const { found, nodes } = await planOf(query);
    const scans = nodes.filter(
      (node) => node["Relation Name"] === "events" || node["Index Name"]?.startsWith("events"),
    );
    expect(found).toBe(expected);
    expect(scans.map((node) => node["Node Type"])).not.toContain("Seq Scan");
    const used = scans.flatMap((node) => node["Index Name"] ?? []);
    expect(used).toEqual([index ?? expect.stringMatching(/^events_/)]);
    for (const node of nodes) {
      const removed = (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0);
      expect((node["Actual Rows"] + removed) * node["Actual Loops"]).toBeLessThanOrEqual(mostRead);
    }
  });
});
