import { createHmac } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import type { Actor, RequestOrigin } from "../base/actor.ts";
import * as Clock from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import { firstId, newId } from "../base/id.ts";
import * as Config from "../platform/config/config.ts";
import { db, type Reader, type Tx } from "../platform/db/engine.ts";
import { transaction } from "../platform/db/transaction.ts";
import { log } from "../platform/log/log.ts";
import { hidesValues, type InternalAction, isShared } from "./action.ts";
import type { DataOf, WebhookEventType } from "./catalog.ts";
import { startOfMinute } from "./columns.ts";
import { fanOut } from "./outbox.ts";
import { newSalts } from "./salts.ts";

export type { InternalAction } from "./action.ts";

/** The resource that an event is about. */
export type Target = {
  type:
    | "user"
    | "workspace"
    | "team"
    | "project"
    | "time_entry"
    | "currency"
    | "session"
    | "device"
    | "token"
    | "invitation"
    | "webhook"
    | "report";
  id: string;
  name: string;
};

/** The values of one field before and after an event. */
export type Change = { before: unknown; after: unknown };

type Common = {
  target: Target;
  /** Values before and after, without secrets. */
  changes?: Changes;
  /** "success" by default; "failure" for a rejected attempt. */
  outcome?: "success" | "failure";
};

/** An event that appears only in audit logs. */
export type Recorded = Common & {
  action: InternalAction;
  /** The workspace whose audit log shows the event; absent for events of an account. */
  workspaceId?: string;
};

/** An event that is sent to webhooks, with the `data` of its type. */
export type Published = {
  [Type in WebhookEventType]: Common & {
    action: Type;
    /** The workspace whose webhooks receive the event. Null if the user is in no workspace; the event is then only recorded. */
    workspaceId: string | null;
    data: DataOf<Type>;
  };
}[WebhookEventType];

/** Changed fields by name. */
export type Changes = Record<string, Change>;

/** Returns the fields that differ between two states, whose values must be plain JSON. An absent state has no fields. */
export function changes(before: object = {}, after: object = {}): Changes {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  return Object.fromEntries(
    [...new Set([...old.keys(), ...now.keys()])]
      .map((name) => [name, { before: old.get(name) ?? null, after: now.get(name) ?? null }] as const)
      .filter(([, { before, after }]) => JSON.stringify(before) !== JSON.stringify(after)),
  );
}

/** A run of a job, by its name and the id of the invocation. */
export type Job = { job: string; requestId: string };

/** The cause of an event: a signed-in user, a user who is signing in, or a job. */
export type EventActor = Actor | (RequestOrigin & { userId: string }) | Job;

/**
 * Records an event in the transaction that causes it. For event types that are sent to webhooks, use `publish`. An event of an
 * account also appears in the audit log of each ENTERPRISE workspace that the person is an active member of.
 */
export async function record(tx: Tx, by: EventActor, event: Recorded, at: Date = Clock.now()): Promise<void> {
  const row = rowOf(by, event, at);
  if (event.workspaceId === undefined && isShared(event.action)) await insertShared(tx, by, row, event);
  else await insert(tx, row);
}

/** An event of a workspace. */
export type RecordedIn = Recorded & { workspaceId: string };

/** Records events of workspaces with one statement, in the transaction that causes them. */
export async function recordAll(
  tx: Tx,
  by: EventActor,
  events: readonly RecordedIn[],
  at: Date = Clock.now(),
): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map((event) => rowOf(by, event, at));
  await tx.insertInto("events").values(rows).execute();
}

/**
 * Records an event and queues its delivery to the workspace's webhooks, in the transaction that causes it. Only functions
 * that need `queue` may call this; the check of the bundles enforces it.
 */
export async function publish(
  tx: Tx,
  by: EventActor,
  event: Published,
  at: Date = Clock.now(),
): Promise<void> {
  const row = rowOf(by, event, at);
  await insert(tx, row);
  const { action: type, workspaceId, data } = event;
  if (workspaceId !== null) await fanOut(tx, { id: row.id, type, at, workspaceId, data });
}

/** A failed or refused attempt. `details` say how, and are recorded as values after the event. */
export type Failure = {
  action: InternalAction;
  target: Target;
  details: Record<string, unknown>;
  /** The workspace whose audit log shows the attempt. Without it, all ENTERPRISE workspaces of the actor do. */
  workspaceId?: string;
};

/**
 * Records a failure in audit logs of ENTERPRISE workspaces. Failures that are equal except for the user agent and the request are
 * one event per minute, which counts them. A failure that cannot be recorded is logged and not thrown: the caller rejects the
 * attempt either way. `also` writes further rows in the same transaction.
 */
export async function recordFailure(
  by: RequestOrigin & { userId: string },
  { action, target, details, workspaceId }: Failure,
  at: Date = Clock.now(),
  also?: (tx: Tx) => Promise<void>,
): Promise<void> {
  const event = { action, target, outcome: "failure", changes: changes({}, details) } as const;
  const row = { ...rowOf(by, event, at), occurrences: 1 };
  const logs = workspaceId === undefined ? logsOfMember(by.userId) : enterpriseLog(workspaceId);
  const write = async (expressions: { id?: RawBuilder<unknown> }) => {
    if (!also) return insertSelected(db(), row, expressions, logs);
    await transaction(async (tx) => {
      await also(tx);
      await insertSelected(tx, row, expressions, logs);
    });
  };
  try {
    await write({ id: idOfMinute(row) }).catch((error) => {
      if (!(error instanceof Fault && error.code === "database_conflict")) throw error;
      // Too many failures at once conflict on the event of this minute, so this one becomes another event.
      return write({});
    });
  } catch (error) {
    log.error("failure not recorded", { requestId: by.requestId, action, error: error as Error });
  }
}

/**
 * Returns SQL of the id that equal failures have in one workspace and minute. It depends on a secret: the id outlives the IP
 * address that it is computed from, which could otherwise be found by trying all addresses.
 */
function idOfMinute({ at, action, actor_id, token_id, ip, target_id, changes }: Row): RawBuilder<unknown> {
  const minute = startOfMinute(at);
  const equal = JSON.stringify([minute, action, actor_id, token_id, ip, target_id, changes]);
  const [key] = Config.tokenKeys() as [Config.TokenKey];
  const hashed = createHmac("sha256", key.secret).update(equal).digest("base64url");
  return sql`${firstId("evt", minute)}::text || right(md5(${hashed}::text || log.id), 20)`;
}

type Row = ReturnType<typeof rowOf>;

function rowOf(by: EventActor, event: Recorded | Published, at: Date) {
  const { action, target, workspaceId, changes = {}, outcome = "success" } = event;
  return {
    id: newId("evt", at),
    workspace_id: workspaceId ?? null,
    action,
    at,
    ...actorColumns(by),
    target_type: target.type,
    target_id: target.id,
    target_name: target.name,
    request_id: by.requestId,
    outcome,
    changes: JSON.stringify(changes),
    data: "data" in event ? JSON.stringify(event.data) : null,
    ...newSalts(),
  };
}

function actorColumns(by: EventActor) {
  if ("job" in by)
    return {
      actor_type: "job",
      actor_id: by.job,
      token_id: null,
      ip: null,
      country: null,
      city: null,
      user_agent: null,
    };
  return {
    actor_type: "user",
    actor_id: by.userId,
    token_id: "grant" in by && by.grant ? by.sessionId : null,
    ip: by.ip,
    country: by.viewer?.country ?? "",
    city: by.viewer?.city ?? "",
    user_agent: by.userAgent,
  };
}

async function insert(tx: Tx, row: Row): Promise<void> {
  await tx.insertInto("events").values(row).execute();
}

/**
 * Inserts an event of an account, and a copy for each ENTERPRISE workspace of the person, with one statement. Copies have no
 * names of devices and sessions, no values of changed profile fields, and no API token of another workspace.
 */
async function insertShared(tx: Tx, by: EventActor, row: Row, event: Recorded): Promise<void> {
  const { action, target, changes = {} } = event;
  const userId = "job" in by ? target.id : by.userId;
  const tokenWorkspace = ("grant" in by && by.grant?.workspaceId) || "";
  const names = JSON.stringify(Object.fromEntries(Object.keys(changes).map((name) => [name, {}])));
  const copied = {
    target_name: target.type === "user" ? target.name : "",
    changes: hidesValues(action) ? names : row.changes,
  };
  const isCopy = sql`log.id IS NOT NULL`;
  await insertSelected(
    tx,
    row,
    {
      id: sql`CASE WHEN ${isCopy} THEN ${copyOfId(row.id)} ELSE ${row.id}::text END`,
      token_id: sql`CASE WHEN ${isCopy} AND log.id <> ${tokenWorkspace} THEN NULL ELSE ${row.token_id}::text END`,
      target_name: sql`CASE WHEN ${isCopy} THEN ${copied.target_name}::text ELSE ${row.target_name}::text END`,
      changes: sql`CASE WHEN ${isCopy} THEN ${copied.changes}::jsonb ELSE ${row.changes}::jsonb END`,
    },
    sql`SELECT NULL::text AS id UNION ALL ${logsOfMember(userId)}`,
  );
}

/** Inserts a row for each selected `log.id`, which is its workspace. `expressions` replace columns of the row. */
async function insertSelected(
  reader: Pick<Reader, "getExecutor">,
  row: Row & { occurrences?: number },
  expressions: Record<string, RawBuilder<unknown>>,
  logs: RawBuilder<unknown>,
): Promise<void> {
  const values = {
    ...Object.fromEntries(Object.entries(row).map(([name, value]) => [name, typed(name, value)])),
    id: copyOfId(row.id),
    ...expressions,
    workspace_id: sql`log.id`,
  };
  await sql`
    INSERT INTO events (${sql.join(Object.keys(values).map((name) => sql.ref(name)))})
    SELECT ${sql.join(Object.values(values))} FROM (${logs}) AS log
    ON CONFLICT (id) DO UPDATE SET occurrences = events.occurrences + 1
  `.execute(reader);
}

const types: Record<string, string> = {
  at: "timestamptz",
  occurrences: "integer",
  changes: "jsonb",
  data: "jsonb",
};

/** Returns a parameter with the type of its column, which PostgreSQL cannot infer within SELECT. */
function typed(column: string, value: unknown): RawBuilder<unknown> {
  return sql`${value}::${sql.raw(types[column] ?? "text")}`;
}

/** Returns SQL of another id of the same time and place in the order. It does not tell how many copies there are. */
function copyOfId(id: string): RawBuilder<unknown> {
  return sql`${id.slice(0, 26)}::text || right(gen_random_uuid()::text, 10)`;
}

function logsOfMember(userId: string): RawBuilder<unknown> {
  return sql`
    SELECT workspaces.id FROM memberships JOIN workspaces ON workspaces.id = memberships.workspace_id
    WHERE memberships.user_id = ${userId} AND memberships.status = 'active' AND workspaces.plan = 'ENTERPRISE'`;
}

function enterpriseLog(workspaceId: string): RawBuilder<unknown> {
  return sql`SELECT id FROM workspaces WHERE id = ${workspaceId} AND plan = 'ENTERPRISE'`;
}
