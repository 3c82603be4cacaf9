import * as Clock from "@svc/core/base/clock";
import { connect, db } from "@svc/core/platform/db/engine";
import * as Queue from "@svc/core/platform/queue/queue";
import { openBanks } from "@svc/core/testing/bank";
import { type Contended, contended } from "@svc/core/testing/conflicts";
import { testPool } from "@svc/core/testing/database";
import { type Counted, countingRoundTrips } from "@svc/core/testing/round-trips";
import { sample } from "@svc/core/testing/sample";
import { openMailBox } from "@svc/local/mail-box";
import { startBucket, type TestBucket } from "@svc/local/testing/bucket";
import type { Context, SQSBatchResponse } from "aws-lambda";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type JobName, jobs } from "./jobs.ts";
import { load } from "./load.ts";
import { type RouteKey, routes } from "./routes.ts";
import { calls, everyCall, jobInputs } from "./testing/calls.ts";
import * as Examples from "./testing/examples.ts";
import { request } from "./testing/request.ts";
import { maxRoundTrips } from "./testing/round-trips.ts";

// On Aurora DSQL, every commit can fail with a write conflict (SQLSTATE 40001). These tests run every route and every job
// repeatedly: in each run, either one commit fails once, or that commit and all later ones fail.

/** Routes that change no rows, besides the activity of the session. */
const safe = /^(?:GET |HEAD |\$default|POST \/auth\/passkey\/options$)/;
const routeKeys = Object.keys(routes) as RouteKey[];
const jobNames = Object.keys(jobs) as JobName[];

const close: (() => unknown)[] = [];
let bucket: TestBucket;
let mails: Awaited<ReturnType<typeof openMailBox>>;

beforeAll(async () => {
  const { SMTP_URL } = process.env;
  process.env.DATABASE_URL = "postgres://connected.invalid/svc";
  bucket = await startBucket();
  mails = await openMailBox({ capacity: 10_000 });
  // Queue messages only wake a worker earlier, and this test has no worker.
  Queue.connect(async () => {});
  process.env.SMTP_URL = mails.url;
  const banks = await openBanks({
    ecb: { "2026-11-18": { USD: "1.25" } },
    a: { "2026-11-18": { EUR: "4", USD: "3" } },
    b: { "2026-11-18": { KWD: "12" } },
  });
  close.push(
    bucket.close,
    mails.close,
    () => banks[Symbol.asyncDispose](),
    () => Queue.connect(undefined),
    () => {
      process.env.SMTP_URL = SMTP_URL;
      delete process.env.DATABASE_URL;
    },
  );
});
afterAll(async () => {
  Examples.writeRecorded();
  for (const end of close) await end();
});
beforeEach(() => {
  // Retries wait for a random time; 0 makes them immediate.
  vi.spyOn(Math, "random").mockReturnValue(0);
});
afterEach(() => {
  vi.restoreAllMocks();
  connect(testPool());
  Clock.reset();
});

let tableNames: Promise<string[]> | undefined;

/** Counts the rows of each table, the objects in the bucket and the emails sent. Rate-limit counters do not matter here. */
async function countEverything(): Promise<Record<string, number>> {
  tableNames ??= sql<{ name: string }>`
    SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_name NOT IN ('migrations', 'rate_counters')`
    .execute(db())
    .then(({ rows }) => rows.map(({ name }) => name));
  const each = (await tableNames).map(
    (name) => `SELECT '${name}' AS name, count(*)::int AS rows FROM ${name}`,
  );
  const { rows } = await sql.raw<{ name: string; rows: number }>(each.join(" UNION ALL ")).execute(db());
  return {
    ...Object.fromEntries(rows.map(({ name, rows }) => [name, rows])),
    objects: bucket.avatars().length,
    mails: mails.mails().length,
  };
}

function difference(before: Record<string, number>, after: Record<string, number>): Record<string, number> {
  const changes = Object.keys(after).map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)] as const);
  return Object.fromEntries(changes.filter(([, by]) => by !== 0));
}

/**
 * Calls that run several transactions, with the tables that may have changed when a later transaction fails:
 * - A one-time code was consumed, so the user enters another one.
 * - A challenge was used, so the user confirms with the passkey again.
 * - The account was created, so its owner signs in.
 * - A delivery attempt without a result keeps its lease for a minute.
 * - The sums of a month were corrected.
 * - The audit event of a recovery was recorded before the deliveries.
 */
const committedBeforeFailure: Partial<Record<string, string[]>> = {
  "POST /auth/login/2fa": ["login_failures", "backup_codes", "webauthn_challenges", "events", "mails"],
  "POST /auth/passkey": ["used_challenges"],
  "POST /auth/reauthenticate": ["used_challenges", "login_failures"],
  "POST /user/2fa/webauthn": ["webauthn_challenges"],
  "POST /auth/emergency-bypass": [
    "login_failures",
    "backup_codes",
    "used_challenges",
    "logins",
    "events",
    "mails",
  ],
  "POST /auth/email/verify": [
    "login_failures",
    "registrations",
    "users",
    "workspaces",
    "memberships",
    "teams",
    "team_members",
    "events",
  ],
  "POST /api/v1/webhooks/{id}/recover": ["events"],
  "check-sums": ["project_sums"],
  "deliver-webhooks": ["webhook_attempts"],
  "retry-webhooks": ["webhook_attempts", "mails"],
} satisfies Partial<Record<RouteKey | JobName, string[]>>;

type Outcome = { status: number; retryAfter?: string | undefined };
type Act = () => Promise<Outcome>;

/** Counts the round trips of the call that runs. */
let counted: Counted;

/** The round trips of each route's valid call, without conflicts and without the update of the session's activity. */
const roundTrips = new Map<RouteKey, number>();

/**
 * Runs `act` while the commits that `fails` selects fail. Returns the outcome, the number of commits, and the changes in the
 * numbers of rows, objects and emails.
 */
async function withConflicts(fails: Parameters<typeof contended>[1], act: Act) {
  const before = await countEverything();
  counted = countingRoundTrips(testPool());
  const pool: Contended = contended(counted, fails);
  connect(pool);
  const outcome = await act().finally(() => connect(testPool()));
  return { ...outcome, commits: pool.commits(), changed: difference(before, await countEverything()) };
}

function sum(one: Record<string, number>, other: Record<string, number>): Record<string, number> {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(
    names.map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)] as const).filter(([, by]) => by !== 0),
  );
}

/**
 * Omits objects and emails, which are not rolled back: an avatar's object is deleted before its row, and a sent email cannot
 * be recalled.
 */
function rowsOf({ mails, objects, ...rows }: Record<string, number>) {
  return rows;
}

/** Repeats a call. If its Idempotency-Key could not be released, it stays locked for a minute, so the clock moves on. */
async function repeat(act: Act) {
  const first = await withConflicts(() => false, act);
  if (first.status !== 409) return first;
  Clock.advance(61);
  return withConflicts(() => false, act);
}

/** Checks a call under every possible conflict. `prepare` creates new data and returns the call. */
async function survivesConflicts(
  name: string,
  prepare: () => Promise<Act>,
  succeeded: (outcome: Outcome) => boolean,
) {
  const calm = await withConflicts(() => false, await prepare());
  expect(succeeded(calm), JSON.stringify(calm)).toBe(true);
  const positions = Array.from({ length: calm.commits }, (_, index) => index + 1);
  for (const at of new Set([...positions.slice(0, 1), ...sample(positions, 1)])) {
    const once = await withConflicts((commit) => commit === at, await prepare());
    expect({ at, ...once }).toEqual({ at, ...calm, commits: calm.commits + 1 });

    const act = await prepare();
    const never = await withConflicts((commit) => commit >= at, act);
    if (at === 1) expect({ at, ...rowsOf(never.changed) }).toEqual({ at });
    if (succeeded(never)) continue;
    expect({ at, ...never }).toMatchObject({ at, status: 503, retryAfter: expect.stringMatching(/^\d+$/) });
    const tables = committedBeforeFailure[name];
    if (tables) {
      expect(tables).toEqual(expect.arrayContaining(Object.keys(never.changed)));
      continue;
    }
    const repeated = await repeat(act);
    expect({ at, succeeded: succeeded(repeated), changed: sum(never.changed, repeated.changed) }).toEqual({
      at,
      succeeded: true,
      changed: calm.changed,
    });
  }
  return calm;
}

test("the tables of valid calls contain every route and every job", () => {
  expect(Object.keys(calls).sort()).toEqual([...routeKeys].sort());
  expect(Object.keys(jobInputs).sort()).toEqual([...jobNames].sort());
});

describe("write conflicts in routes", () => {
  test.each(everyCall)(
    "%s succeeds after one write conflict and returns 503 under persistent ones",
    { timeout: 60_000 },
    async (name, key, make) => {
      const prepare = async () => {
        const ask = { ip: `10.0.0.${Math.ceil(performance.now() % 250)}`, ...(await make()) };
        const act = async () => {
          const response = await request(key, ask);
          if (name === key && !roundTrips.has(key)) roundTrips.set(key, counted.roundTrips());
          if (name === key) Examples.record(key, ask, response);
          return { status: response.status, retryAfter: response.headers["retry-after"] };
        };
        if (safe.test(key)) {
          if (name === key && !roundTrips.has(key)) await withConflicts(() => false, act);
          // Advance the clock far enough that this call is recorded as session activity.
          Clock.advance(31);
        }
        return act;
      };
      const { commits } = await survivesConflicts(
        key,
        prepare,
        ({ status }) => status < 300 || (key === "$default" && status === 404),
      );
      if (!safe.test(key)) expect(commits).toBeGreaterThan(0);
    },
  );

  // Here, because the tests above have already made each route's valid call.
  test("no route makes more round trips to the database than testing/round-trips.ts allows", () => {
    const excess = [...roundTrips].filter(([key, made]) => made > maxRoundTrips[key]);
    expect(Object.fromEntries(excess)).toEqual({});
  });
});

describe("write conflicts in jobs", () => {
  test.each(jobNames)(
    "%s succeeds after one write conflict and fails as unavailable under persistent ones",
    { timeout: 60_000 },
    async (name) => {
      const prepare = async () => {
        const payload = await jobInputs[name]();
        const handler = await load<(event: unknown, context: Context) => Promise<unknown>>(
          jobs[name].handler,
        );
        return async () => {
          try {
            const answer = await handler(payload, {
              awsRequestId: "conflict",
              getRemainingTimeInMillis: () => 900_000,
            } as Context);
            // A queue consumer reports which messages must be redelivered.
            const { batchItemFailures = [] } = (answer ?? {}) as Partial<SQSBatchResponse>;
            return batchItemFailures.length === 0 ? { status: 200 } : { status: 503, retryAfter: "180" };
          } catch (error) {
            const { kind, details } = error as { kind?: string; details?: { retryAfterSeconds?: number } };
            if (kind !== "unavailable") throw error;
            return { status: 503, retryAfter: String(details?.retryAfterSeconds) };
          }
        };
      };
      await survivesConflicts(name, prepare, ({ status }) => status === 200);
    },
  );
});
