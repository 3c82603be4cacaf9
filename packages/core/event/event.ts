import type { Actor, RequestOrigin } from "../base/actor.ts";
import * as Clock from "../base/clock.ts";
import { newId } from "../base/id.ts";
import type { Tx } from "../platform/db/engine.ts";
import type { DataOf, WebhookEventType } from "./catalog.ts";
import { fanOut } from "./outbox.ts";

/** Every action that is recorded, as the audit log names it. */
export type Action = InternalAction | WebhookEventType;

/** The actions that are not sent to webhooks. */
export type InternalAction =
  | "user.registered"
  | "user.logged_in"
  | "user.logged_out"
  | "user.updated"
  | "user.password_changed"
  | "user.password_reset"
  | "user.totp_enabled"
  | "user.totp_removed"
  | "user.webauthn_added"
  | "user.webauthn_removed"
  | "user.backup_codes_renewed"
  | "user.backup_code_used"
  | "user.avatar_changed"
  | "user.avatar_removed"
  | "user.session_ended"
  | "user.sessions_ended"
  | "user.device_renamed"
  | "user.device_removed"
  | "user.security_changed"
  | "user.token_created"
  | "user.token_deleted"
  | "user.exported"
  | "user.deleted"
  | "security.ip_denied"
  | "security.ip_allowlist_changed"
  | "security.emergency_bypass"
  | "workspace.transferred"
  | "workspace.closed"
  | "workspace.created"
  | "workspace.updated"
  | "workspace.plan_changed"
  | "team.created"
  | "team.updated"
  | "team.deleted"
  | "team.member_added"
  | "team.member_removed"
  | "member.updated"
  | "member.invited"
  | "member.invitation_revoked"
  | "member.joined"
  | "member.left"
  | "webhook.created"
  | "webhook.updated"
  | "webhook.deleted"
  | "webhook.secret_rotated"
  | "webhook.disabled"
  | "webhook.test_sent"
  | "webhook.delivery_retried"
  | "webhook.recovered"
  | "project.created"
  | "project.updated"
  | "project.deleted"
  | "project.unarchived"
  | "time_entry.created"
  | "time_entry.started"
  | "time_entry.stopped"
  | "time_entry.updated"
  | "time_entry.deleted"
  | "report.generated";

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

/** The cause of an event: a signed-in user, a user who is signing in, or a job. */
export type EventActor = Actor | (RequestOrigin & { userId: string }) | { job: string; requestId: string };

/** Records an event in the transaction that causes it. For event types that are sent to webhooks, use `publish`. */
export async function record(tx: Tx, by: EventActor, event: Recorded, at: Date = Clock.now()): Promise<void> {
  await insert(tx, by, event, at);
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
  const id = await insert(tx, by, event, at);
  const { action: type, workspaceId, data } = event;
  if (workspaceId !== null) await fanOut(tx, { id, type, at, workspaceId, data });
}

/** Inserts the row of an event and returns its id. */
async function insert(tx: Tx, by: EventActor, event: Recorded | Published, at: Date): Promise<string> {
  const { action, target, workspaceId, changes = {}, outcome = "success" } = event;
  const actor =
    "job" in by
      ? { actor_type: "job", actor_id: by.job, ip: null, user_agent: null }
      : { actor_type: "user", actor_id: by.userId, ip: by.ip, user_agent: by.userAgent };
  const id = newId("evt", at);
  await tx
    .insertInto("events")
    .values({
      id,
      workspace_id: workspaceId ?? null,
      action,
      at,
      ...actor,
      target_type: target.type,
      target_id: target.id,
      target_name: target.name,
      request_id: by.requestId,
      outcome,
      changes: JSON.stringify(changes),
      data: "data" in event ? JSON.stringify(event.data) : null,
    })
    .execute();
  return id;
}
