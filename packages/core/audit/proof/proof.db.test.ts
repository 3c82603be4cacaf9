import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as Clock from "../../base/clock.ts";
import { newId } from "../../base/id.ts";
import { startOfMinute } from "../../event/columns.ts";
import { newSalts } from "../../event/salts.ts";
import * as Config from "../../platform/config/config.ts";
import { db } from "../../platform/db/engine.ts";
import * as JobCursor from "../../platform/db/job-cursor.ts";
import type { Events } from "../../platform/db/schema.ts";
import { log } from "../../platform/log/log.ts";
import { unlimited } from "../../testing/dsql.ts";
import { long } from "../../testing/sample.ts";
import { purge } from "../purge.ts";
import { batchRows, chainAll } from "./chain.ts";
import { checkAll } from "./check.ts";
import * as Checkpoint from "./checkpoint.ts";

const day = 86_400_000;
const keys = Config.auditKeys();

const rows = long ? 10_000 : 60;

let workspaceId: string;
beforeEach(async () => {
  workspaceId = newId("wsp");
  for (const table of ["events", "audit_links", "audit_checkpoints", "job_cursors"] as const)
    await unlimited(() => db().deleteFrom(table).execute());
});
afterEach(() => {
  Clock.reset();
  vi.restoreAllMocks();
});

/**
 * Inserts events, one second apart, of which the last one happened at `end`. Every event at a multiple of `counted` has an id of
 * the beginning of its minute, as if it counted failures. Returns their ids.
 */
async function insertEvents(
  count: number,
  end = new Date(Clock.now().getTime() - day),
  counted = Number.POSITIVE_INFINITY,
): Promise<string[]> {
  const events = Array.from({ length: count }, (_, n) => {
    const event = eventAt(new Date(end.getTime() - (count - n) * 1000), n);
    return n % counted === counted - 1 ? { ...event, id: newId("evt", startOfMinute(event.at)) } : event;
  });
  await unlimited(async () => {
    for (let at = 0; at < count; at += 2000)
      await db()
        .insertInto("events")
        .values(events.slice(at, at + 2000))
        .execute();
  });
  return events.map(({ id }) => id);
}

function eventAt(at: Date, n = 0) {
  return {
    id: newId("evt", at),
    workspace_id: workspaceId,
    action: "project.updated",
    at,
    actor_type: "user",
    actor_id: "usr_a",
    target_type: "project",
    target_id: `prj_${n}`,
    target_name: `Project ${n}`,
    ip: "192.0.2.1",
    user_agent: "test",
    request_id: `req_${n}`,
    outcome: "success",
    changes: JSON.stringify({ name: { before: "Loom", after: `Łódź ${n}` } }),
    data: n % 10 === 0 ? JSON.stringify({ amount: 1.5e-7, list: [n, null] }) : null,
    ...newSalts(),
  };
}

const problems = async () => (await checkAll(keys, { workspaceId })).problems;

/** Runs SQL statements that Aurora DSQL need not accept. */
const run = (...statements: string[]) =>
  unlimited(async () => {
    for (const statement of statements) await sql.raw(statement).execute(db());
  });

/** Returns the rows of a table that meet the condition, as a JSON text. */
async function saved(table: "events" | "audit_links", condition: string): Promise<string> {
  const rows = sql<{ rows: string }>`
    SELECT coalesce(jsonb_agg(saved), '[]')::text AS rows FROM ${sql.table(table)} AS saved WHERE ${sql.raw(condition)}`;
  return (await unlimited(() => rows.execute(db()))).rows[0]?.rows ?? "[]";
}

/** Returns the problems that the check finds after these statements, which change only rows with these ids. Undoes them. */
async function problemsAfter(ids: readonly string[], statements: readonly string[]): Promise<number> {
  const list = ids.map((id) => `'${id}'`).join(", ");
  const rows = {
    events: [`id IN (${list})`, await saved("events", `id IN (${list})`)],
    audit_links: [`event_id IN (${list})`, await saved("audit_links", `event_id IN (${list})`)],
  } as const;
  await run(...statements);
  const found = await problems();
  for (const [table, [condition, before]] of Object.entries(rows))
    await unlimited(async () => {
      await sql.raw(`DELETE FROM ${table} WHERE ${condition}`).execute(db());
      await sql`INSERT INTO ${sql.table(table)}
        SELECT * FROM jsonb_populate_recordset(NULL::${sql.table(table)}, ${before}::jsonb)`.execute(db());
    });
  return found;
}

describe("the chain of an audit log", () => {
  const values = {
    id: (id: string) => `left('${id}', -1) || 'x'`,
    action: () => "'project.deleted'",
    at: () => "at + interval '1 second'",
    actor_type: () => "'job'",
    actor_id: () => "'usr_b'",
    token_id: () => "'pat_x'",
    target_type: () => "'team'",
    target_id: () => "'prj_x'",
    target_name: () => "'Engine'",
    ip: () => "'192.0.2.2'",
    country: () => "'CH'",
    city: () => "'Bern'",
    user_agent: () => "''",
    request_id: () => "'req_x'",
    outcome: () => "'failure'",
    occurrences: () => "3",
    changes: () => `jsonb_set(changes, '{name,before}', '"x"')`,
    data: () => `'{"amount":2}'`,
    workspace_id: () => "'wsp_other'",
  } satisfies Partial<Record<keyof Events, (id: string) => string>>;

  it(`notices tampering with any one of ${rows} entries`, async () => {
    const ids = await insertEvents(rows);
    expect(await chainAll(keys)).toEqual({ entries: rows, workspaces: 1, failed: 0, finished: true });
    expect(await problems()).toBe(0);
    const of = (id: string) => `WHERE id = '${id}'`;
    const unnoticed: string[] = [];
    const expectNoticed = async (name: string, among: string[], ...statements: string[]) => {
      if ((await problemsAfter(among, statements)) === 0) unnoticed.push(name);
    };

    const [first, middle, next, last] = [0, rows / 2, rows / 2 + 1, rows - 1].map((n) => ids[n]) as [
      string,
      string,
      string,
      string,
    ];
    for (const id of [first, middle, last]) {
      await expectNoticed("delete", [id], `DELETE FROM events ${of(id)}`);
      await expectNoticed(
        "delete with link",
        [id],
        `DELETE FROM events ${of(id)}`,
        `DELETE FROM audit_links WHERE event_id = '${id}'`,
      );
      await expectNoticed("change", [id], `UPDATE events SET outcome = 'failure' ${of(id)}`);
    }
    for (const [column, value] of Object.entries(values))
      await expectNoticed(
        column,
        [middle, `${middle.slice(0, -1)}x`],
        `UPDATE events SET ${column} = ${value(middle)} ${of(middle)}`,
      );
    await expectNoticed(
      "erase the values of a living person",
      [middle],
      `UPDATE events SET ip = '', user_agent = '', origin_salt = NULL ${of(middle)}`,
    );

    const forged = `${middle.slice(0, -2)}zz`;
    const copy = (table: string, values: Record<string, string>) =>
      `INSERT INTO ${table} SELECT (jsonb_populate_record(original, '${JSON.stringify(values)}'::jsonb)).* FROM ${table} AS original`;
    const insert = `${copy("events", { id: forged })} ${of(middle)}`;
    const link = (sequence: number) =>
      `${copy("audit_links", { event_id: forged, sequence: String(sequence) })} WHERE event_id = '${middle}'`;
    await expectNoticed("insert", [forged], insert);
    await expectNoticed("insert with a link at the end", [forged], insert, link(rows + 1));
    await expectNoticed("insert with a link before the first", [forged], insert, link(0));

    const swap = (table: string, key: string, column: string) =>
      `UPDATE ${table} SET ${column} = other.${column} FROM ${table} AS other
       WHERE ${table}.${key} IN ('${middle}', '${next}') AND other.${key} IN ('${middle}', '${next}') AND ${table}.${key} <> other.${key}`;
    for (const column of ["at", "target_id", "changes"])
      await expectNoticed(`reorder ${column}`, [middle, next], swap("events", "id", column));
    await expectNoticed(
      "reorder links",
      [middle, next],
      `UPDATE audit_links SET sequence = sequence + 1000000 WHERE event_id = '${middle}'`,
      `UPDATE audit_links SET sequence = sequence - 1 WHERE event_id = '${next}'`,
      `UPDATE audit_links SET sequence = sequence - 999999 WHERE event_id = '${middle}'`,
    );
    await expectNoticed(
      "reorder the events of links",
      [middle, next, "moving"],
      `UPDATE audit_links SET event_id = 'moving' WHERE event_id = '${middle}'`,
      `UPDATE audit_links SET event_id = '${middle}' WHERE event_id = '${next}'`,
      `UPDATE audit_links SET event_id = '${next}' WHERE event_id = 'moving'`,
    );

    expect(unnoticed).toEqual([]);
    expect(await problems()).toBe(0);
  }, 300_000);

  it("notices an entry that was inserted with an earlier time and then chained", async () => {
    await insertEvents(3);
    await chainAll(keys);
    await db()
      .insertInto("events")
      .values(eventAt(new Date(Clock.now().getTime() - 2 * day)))
      .execute();
    expect((await chainAll(keys)).entries).toBe(0);
    // The check finds an entry that the job no longer looks for, and leaves it to the next run.
    expect(await problems()).toBe(1);
    expect((await chainAll(keys)).entries).toBe(1);
    expect(await problems()).toBe(1);
  });

  it("chains an entry that was committed late, and leaves those that may still change", async () => {
    const now = Clock.now();
    const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
    await db()
      .insertInto("events")
      .values([eventAt(ago(20)), eventAt(ago(11)), eventAt(ago(9))])
      .execute();
    expect((await chainAll(keys)).entries).toBe(2);
    await db()
      .insertInto("events")
      .values(eventAt(ago(15)))
      .execute();
    expect((await chainAll(keys)).entries).toBe(1);
    expect(await problems()).toBe(0);
    Clock.advance(120);
    expect((await chainAll(keys)).entries).toBe(1);
    const links = await db()
      .selectFrom("audit_links")
      .select(["sequence", "at"])
      .orderBy("sequence")
      .execute();
    expect(links.map(({ at }) => at)).toEqual([ago(20), ago(11), ago(15), ago(9)]);
  });

  it("orders the entries of one minute by their time, so that none counts as forged after two hours without the job", async () => {
    const minute = startOfMinute(new Date(Clock.now().getTime() - 2 * 3_600_000));
    const second = (n: number) => new Date(minute.getTime() + n * 1000);
    // The event that counts the failures of a minute has an id of its beginning.
    const { id } = eventAt(minute);
    await db()
      .insertInto("events")
      .values([{ ...eventAt(second(50)), id }, eventAt(second(10)), eventAt(second(59))])
      .execute();
    expect((await chainAll(keys)).entries).toBe(3);
    expect(await problems()).toBe(0);
  });

  it("chains more entries than one transaction takes, and continues after a run without time", async () => {
    await insertEvents(batchRows + 20);
    let looks = 0;
    expect(await chainAll(keys, () => ++looks <= 2)).toMatchObject({ entries: batchRows, finished: false });
    expect((await Checkpoint.latest(db(), workspaceId))?.sequence).toBe(batchRows);
    expect(await chainAll(keys)).toMatchObject({ entries: 20, finished: true });
    expect(await problems()).toBe(0);
    expect((await Checkpoint.latest(db(), workspaceId))?.sequence).toBe(batchRows + 20);
  });

  it("does not fork when two jobs run at once", async () => {
    await insertEvents(40);
    const added = await Promise.all([1, 2, 3].map(() => chainAll(keys)));
    expect(added.map(({ entries }) => entries).toSorted()).toEqual([0, 0, 40]);
    expect(await problems()).toBe(0);
  });

  it("chains the entries of several workspaces together, and those that fail do not stop the others", async () => {
    const workspaces = Array.from({ length: 5 }, () => newId("wsp"));
    for (const id of workspaces) {
      workspaceId = id;
      await insertEvents(3);
    }
    // The database stores this number, but JavaScript has none for it.
    await sql`UPDATE events SET changes = '{"amount":{"after":1e400}}' WHERE workspace_id = ${workspaces[2]}`.execute(
      db(),
    );
    const error = vi.spyOn(log, "error").mockImplementation(() => {});
    expect(await chainAll(keys)).toEqual({ entries: 12, workspaces: 4, failed: 1, finished: true });
    expect(error).toHaveBeenCalledExactlyOnceWith("audit log not chained", {
      workspaceId: workspaces[2],
      error: expect.any(Error),
    });
    const checkpoints = await db()
      .selectFrom("audit_checkpoints")
      .select(["workspace_id", "sequence"])
      .orderBy("workspace_id")
      .execute();
    expect(checkpoints).toEqual(
      workspaces.toSpliced(2, 1).map((workspace_id) => ({ workspace_id, sequence: 3n })),
    );
    expect((await checkAll(keys)).problems).toBe(0);
  });

  it("verifies after the retention, and keeps the links of deleted entries", async () => {
    await insertEvents(3, new Date(Clock.now().getTime() - 500 * day));
    await insertEvents(3);
    await chainAll(keys);
    process.env.AUDIT_RETENTION_DAYS = "400";
    expect(await purge()).toBe(3);
    delete process.env.AUDIT_RETENTION_DAYS;
    expect(await problems()).toBe(0);
    expect(await db().selectFrom("audit_links").select("event_id").execute()).toHaveLength(6);
    await db().deleteFrom("events").execute();
    expect(await problems()).toBe(3);
  });

  it("notices deleted entries although the time of the retention was moved past them", async () => {
    const [first = ""] = await insertEvents(3);
    await chainAll(keys);
    await JobCursor.store("purge-audit-logs", Clock.now().toISOString());
    await run(`DELETE FROM events WHERE id = '${first}'`);
    expect(await problems()).toBe(1);
  });

  it("does not notice that the end of a log was deleted with its links and checkpoints", async () => {
    const ids = await insertEvents(4);
    await chainAll(keys);
    const kept = await Checkpoint.latest(db(), workspaceId);
    await run(
      `DELETE FROM events WHERE id = '${ids[3]}'`,
      `DELETE FROM audit_links WHERE event_id = '${ids[3]}'`,
    );
    expect(await problems()).toBe(1);
    await run("DELETE FROM audit_checkpoints");
    expect(await problems()).toBe(0);
    expect((await Checkpoint.latest(db(), workspaceId))?.sequence).toBeLessThan(kept?.sequence ?? 0);
  });

  it("verifies after a retention on the day of counted failures, which deletes whole days", async () => {
    const midnight = new Date((Math.floor(Clock.now().getTime() / day) - 400) * day);
    // The event that counts the failures of a minute has an id of its beginning.
    const { id } = eventAt(midnight);
    await db()
      .insertInto("events")
      .values({ ...eventAt(new Date(midnight.getTime() + 45_000)), id })
      .execute();
    await chainAll(keys);
    process.env.AUDIT_RETENTION_DAYS = "400";
    expect(await purge(new Date(midnight.getTime() + 401 * day - 1))).toBe(0);
    expect(await problems()).toBe(0);
    expect(await purge(new Date(midnight.getTime() + 401 * day))).toBe(1);
    delete process.env.AUDIT_RETENTION_DAYS;
    expect(await problems()).toBe(0);
  });

  it("verifies when the retention deletes entries between two runs of a check", async () => {
    await insertEvents(1500, new Date(Clock.now().getTime() - 500 * day));
    await insertEvents(10);
    await chainAll(keys);
    let looks = 0;
    expect(await checkAll(keys, {}, () => ++looks <= 2)).toMatchObject({ entries: 1000, finished: false });
    process.env.AUDIT_RETENTION_DAYS = "400";
    expect(await purge()).toBe(1500);
    delete process.env.AUDIT_RETENTION_DAYS;
    expect(await checkAll(keys)).toMatchObject({ entries: 10, problems: 0, finished: true });
  });

  it("states the retention in the checkpoint of a log without new entries", async () => {
    await insertEvents(3, new Date(Clock.now().getTime() - 500 * day));
    await chainAll(keys);
    process.env.AUDIT_RETENTION_DAYS = "400";
    await purge();
    delete process.env.AUDIT_RETENTION_DAYS;
    expect((await Checkpoint.latest(db(), workspaceId))?.purgedBefore).toBeNull();
    expect(await problems()).toBe(0);
    const stated = await Checkpoint.latest(db(), workspaceId);
    expect(stated).toMatchObject({ sequence: 3, purgedBefore: expect.any(String) });
    Clock.advance(3600);
    expect(await problems()).toBe(0);
    expect(await Checkpoint.latest(db(), workspaceId)).toEqual(stated);
  });

  it("chains a backlog in several runs of limited time, and its entries verify", async () => {
    // Over `pageRows` in a long run, so that a page ends within a minute.
    const count = long ? 21_000 : 3000;
    await insertEvents(count, undefined, 10);
    const runs: number[] = [];
    for (let finished = false; !finished; ) {
      let looks = 0;
      const one = await chainAll(keys, () => ++looks <= 3);
      runs.push(one.entries);
      finished = one.finished;
    }
    expect(runs.reduce((sum, entries) => sum + entries)).toBe(count);
    expect(Math.max(...runs)).toBeLessThanOrEqual(2 * batchRows);
    expect(runs.length).toBeGreaterThan(1);
    expect(await problems()).toBe(0);
  }, 300_000);

  it("notices a changed checkpoint, and one that the chain does not contain", async () => {
    await insertEvents(3);
    await chainAll(keys);
    const change = (values: object) => db().updateTable("audit_checkpoints").set(values).execute();
    const { hash } = await db().selectFrom("audit_checkpoints").select("hash").executeTakeFirstOrThrow();
    await change({ purged_before: new Date() });
    expect(await problems()).toBe(1);
    await change({ purged_before: null, sequence: 2 });
    expect(await problems()).toBe(1);
    await change({
      sequence: 3,
      public_key: Checkpoint.publicKeyOfSecret({ id: "x", secret: Buffer.alloc(32) }),
    });
    expect([hash.length, await problems()]).toEqual([43, 0]);
  });

  it("chains without a key, and signs the end of the chain once there is one", async () => {
    await insertEvents(3);
    await chainAll([]);
    expect(await Checkpoint.latest(db(), workspaceId)).toBeUndefined();
    await problems();
    expect(await Checkpoint.latest(db(), workspaceId)).toMatchObject({ sequence: 3, keyId: "test" });
  });
});
