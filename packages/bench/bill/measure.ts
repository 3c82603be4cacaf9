import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { close, connect, db, postgres } from "@svc/core/platform/db/engine";
import { migrate } from "@svc/core/platform/db/migrate";
import { open } from "@svc/core/platform/db/pglite";
import { colleague, type Home, owner, type Person, password } from "@svc/core/testing/people";
import { administer, databaseUrl } from "@svc/core/testing/setup-database";
import type { Handler } from "@svc/functions/http/api";
import { load } from "@svc/functions/load";
import { needsOf, type Route, routes } from "@svc/functions/routes";
import { event, form, type RequestOptions } from "@svc/functions/testing/request";
import { listen } from "@svc/local/bucket/bucket";
import { type PostgresPool, type PostgresPoolClient, sql } from "kysely";
import sharp from "sharp";
import type { Measured } from "./bill.ts";
import { type Call, callsPerDay, habits } from "./habits.ts";

const tries = 40;

/** The memory sizes of stacks/lambda.ts, in MB. */
const memory = { sharp: 1769, others: 512 };

type Ada = Person & Home & { projectId: string };

const requests: Record<Call, (ada: Ada, photo: Buffer) => RequestOptions> = {
  "GET /auth/me": ({ token }) => ({ token }),
  "GET /team/{id}/members": ({ token, teamId }) => ({ token, path: { id: teamId } }),
  "GET /api/v1/projects": ({ token }) => ({ token }),
  "GET /api/v1/time-entries/running": ({ token }) => ({ token }),
  "POST /api/v1/time-entries/start": ({ token, projectId }) => ({ token, body: { projectId } }),
  "POST /api/v1/time-entries/stop": ({ token }) => ({ token, body: {} }),
  "GET /api/v1/time-entries": ({ token }) => ({ token }),
  "POST /auth/login": ({ email }) => ({ body: { email, password } }),
  "POST /api/upload/avatar": ({ token }, photo) => ({ token, form: form(photo) }),
};

/**
 * Measures one request to each endpoint, as the mean of forty rounds through all of them, in a team of the assumed size whose
 * members have avatars. Uses TEST_DATABASE_URL, or else PGlite, whose work then counts as processor time.
 */
export async function measure(): Promise<Record<Call, Measured>> {
  const directory = await mkdtemp(join(tmpdir(), "svc-bill-"));
  const bucket = await listen({
    directory,
    region: "eu-central-2",
    buckets: ["svc-avatars", "svc-files"],
    credentials: [{ accessKeyId: "AKIATEST", secretAccessKey: "secret" }],
  });
  Object.assign(process.env, { STORAGE_ENDPOINT: bucket.url, RATE_LIMITS: "off" });
  const server = process.env.TEST_DATABASE_URL;
  const name = `svc_bill_${process.pid}`;
  if (server) await administer(server, `CREATE DATABASE ${name}`);
  const counted = counting(server ? postgres(databaseUrl(server, name), 1) : await open());
  connect(counted.pool);
  try {
    await migrate();
    const ada = await team();
    const photo = await sharp({
      create: {
        width: 2400,
        height: 1600,
        channels: 3,
        background: "#888",
        noise: { type: "gaussian", mean: 128, sigma: 20 },
      },
    })
      .jpeg({ quality: 80 })
      .toBuffer();
    return await rounds(ada, photo, counted.counts);
  } finally {
    await close();
    if (server) await administer(server, `DROP DATABASE ${name} WITH (FORCE)`);
    await bucket.close();
    await rm(directory, { recursive: true });
  }
}

/** Creates a team of the assumed size, whose members have avatars, and a project. */
async function team(): Promise<Ada> {
  const ada = await owner("Ada", "ENTERPRISE");
  for (let at = 1; at < habits.teamSize; at++) await colleague(ada, "member", `Member ${at}`);
  const people = await db().selectFrom("users").select("id").execute();
  for (const { id } of people)
    await db()
      .updateTable("users")
      .set({ avatar: `objstore:avatars/${id}/1769817600000.webp` })
      .where("id", "=", id)
      .execute();
  const { body } = await send("POST /api/v1/projects", {
    token: ada.token,
    body: { name: "Apollo", client: "Acme" },
  });
  return { ...ada, projectId: JSON.parse(body).id };
}

/** Rows that one statement wrote. `columns` are those that an update set. */
type Write = { verb: "insert" | "update" | "delete"; table: string; rows: number; columns: string[] };

type Counts = Pick<Measured, "statements" | "rowsRead"> & { writes: Write[] };

const none = () => ({ statements: 0, rowsRead: 0, writes: [] as Write[] });

/** Requests all endpoints in turn and returns the means. The first rounds warm up and are not counted. */
async function rounds(ada: Ada, photo: Buffer, counts: Counts): Promise<Record<Call, Measured>> {
  const calls = Object.keys(callsPerDay) as Call[];
  const sums = new Map(calls.map((call) => [call, { cpuMs: 0, pictures: 0, ...none() }]));
  for (let round = -tries / 4; round < tries; round++)
    for (const call of calls) {
      Object.assign(counts, none());
      const request = await event(call, requests[call](ada, photo));
      const before = process.cpuUsage();
      const { body } = await respond(call, request);
      const { user, system } = process.cpuUsage(before);
      const sum = sums.get(call);
      if (round < 0 || !sum) continue;
      sum.cpuMs += (user + system) / 1000;
      sum.statements += counts.statements;
      sum.rowsRead += counts.rowsRead;
      sum.writes.push(...counts.writes);
      sum.pictures += new Set(body.match(/X-Amz-Signature=\w+/g)).size;
    }
  const sizes = await tableSizes();
  const measured = [...sums].map(([call, { writes, ...sum }]): [Call, Measured] => {
    const route: Route = routes[call];
    const mean = Object.fromEntries(
      Object.entries({ ...sum, ...written(writes, sizes) }).map(([name, value]) => [name, value / tries]),
    ) as typeof sum & Written;
    return [
      call,
      {
        ...mean,
        bucketWrites: needsOf(route).includes("avatars:write") ? 1 : 0,
        memoryMB: route.sharp ? memory.sharp : memory.others,
      },
    ];
  });
  return Object.fromEntries(measured) as Record<Call, Measured>;
}

async function send(key: keyof typeof routes, request: RequestOptions): Promise<{ body: string }> {
  return respond(key, await event(key, request));
}

async function respond(
  key: keyof typeof routes,
  request: Awaited<ReturnType<typeof event>>,
): Promise<{ body: string }> {
  const handler = await load<Handler>(routes[key].handler);
  const { statusCode = 0, body = "" } = await handler(request, {
    getRemainingTimeInMillis: () => 30_000,
  } as never);
  if (statusCode >= 300) throw new Error(`${key} returned ${statusCode}: ${body}`);
  return { body };
}

/** Wraps a pool so that it counts statements and rows. */
function counting(pool: PostgresPool): { pool: PostgresPool; counts: Counts } {
  const counts: Counts = none();
  const connect = async () => {
    const client = await pool.connect();
    return {
      async query(statement: string, parameters: readonly unknown[]) {
        const result = await client.query(statement, parameters);
        counts.statements += 1;
        const write = writeOf(statement, result.rowCount ?? 0);
        if (write) counts.writes.push(write);
        else counts.rowsRead += result.rows?.length ?? 0;
        return result;
      },
      release: (broken?: boolean) =>
        (client as PostgresPoolClient & { release(broken?: boolean): void }).release(broken),
    } as unknown as PostgresPoolClient;
  };
  return { pool: { ...pool, connect, end: () => pool.end() } as PostgresPool, counts };
}

function writeOf(statement: string, rows: number): Write | undefined {
  const [, verb, table] = /^\s*(insert|update|delete)(?: into| from)? "?(\w+)"?/i.exec(statement) ?? [];
  if (!verb || !table) return undefined;
  const [, set = ""] = /\bset (.*?)(?: where | returning |$)/is.exec(statement) ?? [];
  const columns = [...set.matchAll(/"(\w+)" = /g)].map(([, column = ""]) => column);
  return { verb: verb.toLowerCase() as Write["verb"], table, rows, columns };
}

type Index = { columns: string[]; perRow: number; bytes: number };

/** The mean size of a row, and of the entries in the secondary indexes of its table. A partial index has fewer than one per row. */
type TableSize = { bytes: number; indexes: Index[] };

async function tableSizes(): Promise<Map<string, TableSize>> {
  const { rows: indexes } = await sql<{
    table: string;
    columns: string[];
    keys: string[];
    condition: string | null;
  }>`
    SELECT tables.relname AS table, pg_get_expr(indexes.indpred, indexes.indrelid) AS condition,
      array(SELECT attname::text FROM pg_attribute WHERE attrelid = indexes.indrelid AND attnum = ANY (indexes.indkey)) AS columns,
      array(SELECT attname::text FROM pg_attribute WHERE attrelid = indexes.indrelid AND attnum = ANY (keys.indkey)) AS keys
    FROM pg_index indexes
    JOIN pg_class tables ON tables.oid = indexes.indrelid
    JOIN pg_index keys ON keys.indrelid = indexes.indrelid AND keys.indisprimary
    WHERE tables.relnamespace = 'public'::regnamespace AND NOT indexes.indisprimary`.execute(db());
  const { rows: tables } = await sql<{ name: string }>`
    SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`.execute(db());
  const sizes = tables.map(async ({ name }): Promise<[string, TableSize]> => {
    const { bytes } = await meanSize(name, `${name}.*`);
    const ofTable = indexes.filter(({ table }) => table === name);
    const entries = ofTable.map(async ({ columns, keys, condition }): Promise<Index> => {
      // An entry also contains the primary key, by which Aurora DSQL finds the row.
      const entry = [...new Set([...columns, ...keys])].map((column) => `"${column}"`);
      return { columns, ...(await meanSize(name, `ROW(${entry})`, condition ?? "true")) };
    });
    return [name, { bytes, indexes: await Promise.all(entries) }];
  });
  return new Map(await Promise.all(sizes));
}

/** Returns the mean size of a value of the rows that meet the condition, and their share of all rows. */
async function meanSize(table: string, value: string, condition = "true") {
  const { rows } = await sql<{ bytes: number; perRow: number }>`
    SELECT coalesce(avg(pg_column_size(${sql.raw(value)})) FILTER (WHERE ${sql.raw(condition)}), 0)::float8 AS bytes,
      coalesce(avg(CASE WHEN ${sql.raw(condition)} THEN 1 ELSE 0 END), 0)::float8 AS "perRow"
    FROM ${sql.table(table)}`.execute(db());
  return rows[0] ?? { bytes: 0, perRow: 0 };
}

type Written = Pick<
  Measured,
  "rowsWritten" | "rowsKept" | "indexEntries" | "writtenKiB" | "keptKB" | "eventKB"
>;

/** Adds up what these statements wrote. An update writes only the entries of indexes that contain a column it sets. */
function written(writes: readonly Write[], sizes: ReadonlyMap<string, TableSize>): Written {
  const sum: Written = { rowsWritten: 0, rowsKept: 0, indexEntries: 0, writtenKiB: 0, keptKB: 0, eventKB: 0 };
  for (const { verb, table, rows, columns } of writes) {
    const { bytes = 0, indexes = [] } = sizes.get(table) ?? {};
    const touched = indexes.filter(
      (index) => verb !== "update" || index.columns.some((column) => columns.includes(column)),
    );
    const entryBytes = touched.reduce((total, index) => total + index.perRow * index.bytes, 0);
    sum.rowsWritten += rows;
    sum.indexEntries += rows * touched.reduce((total, { perRow }) => total + perRow, 0);
    sum.writtenKiB += rows * Math.ceil((bytes + entryBytes) / 1024);
    const kept = { insert: rows, update: 0, delete: -rows }[verb];
    sum.rowsKept += kept;
    sum[table === "events" ? "eventKB" : "keptKB"] += (kept * (bytes + entryBytes)) / 1000;
  }
  return sum;
}
