import type { Actor, RequestOrigin } from "../base/actor.ts";
import * as Clock from "../base/clock.ts";
import { newId } from "../base/id.ts";
import type { Tx } from "../platform/db/engine.ts";
import { isWebhookEvent, type WebhookEventType } from "./catalog.ts";
import { fanOut } from "./outbox.ts";

/** Everything that is recorded, by the name under which the audit log shows it. */
export type Action =
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
  | "report.generated"
  | WebhookEventType;

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

export type Change = { before: unknown; after: unknown };

export type Recorded = {
  action: Action;
  target: Target;
  /** The workspace in whose audit log it stands; absent for what concerns a person alone. */
  workspaceId?: string;
  /** Values before and after, without anything secret. */
  changes?: Changes;
  /** What webhooks are told, for the events that go out; it becomes the payload's `data`. */
  data?: Record<string, unknown>;
  /** Whether it was done, which it is unless said otherwise, or refused. */
  outcome?: "success" | "failure";
};

export type Changes = Record<string, Change>;

/** What differs between two states of a thing, field by field; a state that is absent has no fields. Values are plain JSON. */
export function changes(before: object = {}, after: object = {}): Changes {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  return Object.fromEntries(
    [...new Set([...old.keys(), ...now.keys()])]
      .map((name) => [name, { before: old.get(name) ?? null, after: now.get(name) ?? null }] as const)
      .filter(([, { before, after }]) => JSON.stringify(before) !== JSON.stringify(after)),
  );
}

/** Who did it: a person with a session, a person who is about to get one, or a job of ours. */
export type By = Actor | (RequestOrigin & { userId: string }) | { job: string; requestId: string };

/**
 * Write down what happened in the transaction that makes it happen: audit entry, webhook payload and replay source in one.
 * What is for subscribers outside is on its way to them once the transaction commits.
 */
export async function record(
  tx: Tx,
  by: By,
  { action, target, workspaceId, changes = {}, data, outcome = "success" }: Recorded,
  at: Date = Clock.now(),
): Promise<void> {
  const who =
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
      ...who,
      target_type: target.type,
      target_id: target.id,
      target_name: target.name,
      request_id: by.requestId,
      outcome,
      changes: JSON.stringify(changes),
      data: data ? JSON.stringify(data) : null,
    })
    .execute();
  if (isWebhookEvent(action) && workspaceId !== undefined && data)
    await fanOut(tx, { id, type: action, at, workspaceId, data });
}
