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
import type { PostgresPool, PostgresPoolClient } from "kysely";
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

type Counts = Pick<Measured, "statements" | "rowsRead" | "rowsWritten" | "rowsKept">;

const none: Counts = { statements: 0, rowsRead: 0, rowsWritten: 0, rowsKept: 0 };

/** Requests all endpoints in turn and returns the means. The first rounds warm up and are not counted. */
async function rounds(ada: Ada, photo: Buffer, counts: Counts): Promise<Record<Call, Measured>> {
  const calls = Object.keys(callsPerDay) as Call[];
  const sums = new Map(calls.map((call) => [call, { cpuMs: 0, pictures: 0, ...none }]));
  for (let round = -tries / 4; round < tries; round++)
    for (const call of calls) {
      Object.assign(counts, none);
      const request = await event(call, requests[call](ada, photo));
      const before = process.cpuUsage();
      const { body } = await respond(call, request);
      const { user, system } = process.cpuUsage(before);
      const sum = sums.get(call);
      if (round < 0 || !sum) continue;
      sum.cpuMs += (user + system) / 1000;
      sum.statements += counts.statements;
      sum.rowsRead += counts.rowsRead;
      sum.rowsWritten += counts.rowsWritten;
      sum.rowsKept += counts.rowsKept;
      sum.pictures += new Set(body.match(/X-Amz-Signature=\w+/g)).size;
    }
  const measured = [...sums].map(([call, sum]): [Call, Measured] => {
    const route: Route = routes[call];
    const mean = Object.fromEntries(
      Object.entries(sum).map(([name, value]) => [name, value / tries]),
    ) as typeof sum;
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
  const counts: Counts = { ...none };
  const connect = async () => {
    const client = await pool.connect();
    return {
      async query(statement: string, parameters: readonly unknown[]) {
        const result = await client.query(statement, parameters);
        counts.statements += 1;
        const [, verb] = /^\s*(insert|update|delete)\b/i.exec(statement) ?? [];
        const rows = result.rowCount ?? 0;
        if (verb) counts.rowsWritten += rows;
        else counts.rowsRead += result.rows?.length ?? 0;
        if (/insert/i.test(verb ?? "")) counts.rowsKept += rows;
        if (/delete/i.test(verb ?? "")) counts.rowsKept -= rows;
        return result;
      },
      release: (broken?: boolean) =>
        (client as PostgresPoolClient & { release(broken?: boolean): void }).release(broken),
    } as unknown as PostgresPoolClient;
  };
  return { pool: { ...pool, connect, end: () => pool.end() } as PostgresPool, counts };
}
