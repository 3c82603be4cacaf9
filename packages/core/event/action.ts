import type { WebhookEventType } from "./catalog.ts";

/** The categories of the audit log. "sign_in" and "account" are events of people, the others of a workspace. */
export const categories = [
  "sign_in",
  "account",
  "api_token",
  "security",
  "workspace",
  "member",
  "team",
  "project",
  "time_entry",
  "currency",
  "report",
  "webhook",
] as const;
export type Category = (typeof categories)[number];

/** Every action that is recorded, as the audit log names it, with its category. */
export const actions = {
  "user.logged_in": "sign_in",
  "user.logged_out": "sign_in",
  "user.login_failed": "sign_in",
  "user.login_refused": "sign_in",
  "user.reauthentication_failed": "sign_in",
  "user.backup_code_used": "sign_in",
  "user.session_ended": "sign_in",
  "user.sessions_ended": "sign_in",
  "user.registered": "account",
  "user.updated": "account",
  "user.password_changed": "account",
  "user.password_reset": "account",
  "user.email_change_requested": "account",
  "user.email_changed": "account",
  "user.email_change_undone": "account",
  "user.totp_enabled": "account",
  "user.totp_removed": "account",
  "user.webauthn_added": "account",
  "user.webauthn_removed": "account",
  "user.backup_codes_renewed": "account",
  "user.avatar_changed": "account",
  "user.avatar_removed": "account",
  "user.device_renamed": "account",
  "user.device_removed": "account",
  "user.security_changed": "account",
  "user.exported": "account",
  "user.deleted": "account",
  "user.token_created": "api_token",
  "user.token_deleted": "api_token",
  "user.token_refused": "api_token",
  "security.access_denied": "security",
  "security.ip_denied": "security",
  "security.ip_allowlist_changed": "security",
  "security.emergency_bypass": "security",
  "security.suspicious_login": "security",
  "workspace.created": "workspace",
  "workspace.updated": "workspace",
  "workspace.plan_changed": "workspace",
  "workspace.transferred": "workspace",
  "workspace.closed": "workspace",
  "member.updated": "member",
  "member.invited": "member",
  "member.invitation_revoked": "member",
  "member.joined": "member",
  "member.left": "member",
  "member.removed": "member",
  "team.created": "team",
  "team.updated": "team",
  "team.deleted": "team",
  "team.member_added": "team",
  "team.member_removed": "team",
  "project.created": "project",
  "project.updated": "project",
  "project.deleted": "project",
  "project.archived": "project",
  "project.unarchived": "project",
  "budget.forecast_warning": "project",
  "time_entry.created": "time_entry",
  "time_entry.started": "time_entry",
  "time_entry.stopped": "time_entry",
  "time_entry.updated": "time_entry",
  "time_entry.deleted": "time_entry",
  "currency.changed": "currency",
  "rate.corrected": "currency",
  "report.generated": "report",
  "webhook.created": "webhook",
  "webhook.updated": "webhook",
  "webhook.deleted": "webhook",
  "webhook.secret_rotated": "webhook",
  "webhook.disabled": "webhook",
  "webhook.test_sent": "webhook",
  "webhook.delivery_retried": "webhook",
  "webhook.recovered": "webhook",
} as const satisfies Record<string, Category> & Record<WebhookEventType, Category>;

export type Action = keyof typeof actions;

/** The actions that are not sent to webhooks. */
export type InternalAction = Exclude<Action, WebhookEventType>;

/** Returns the category of an action. An action of a newer release has its first word as category. */
export function categoryOf(action: string): string {
  return Object.hasOwn(actions, action) ? actions[action as Action] : action.replace(/\..*$/s, "");
}

/** Returns the actions of a category. */
export function actionsOf(category: Category): Action[] {
  return (Object.keys(actions) as Action[]).filter((action) => actions[action] === category);
}

/** Returns the actions that begin with this text. */
export function actionsThatBeginWith(text: string): Action[] {
  return (Object.keys(actions) as Action[]).filter((action) => action.startsWith(text));
}

/** Events of accounts that concern only the person: they begin or end the account, or hand out its data. */
const privateActions: readonly Action[] = ["user.registered", "user.exported", "user.deleted"];

/** Returns whether the audit logs of the person's workspaces show this event of an account. */
export function isShared(action: Action): boolean {
  const category = actions[action];
  return (category === "sign_in" || category === "account") && !privateActions.includes(action);
}

/** Returns whether those audit logs name the changed fields only, without their values. */
export function hidesValues(action: Action): boolean {
  return actions[action] === "account";
}
