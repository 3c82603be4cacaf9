import type { TablesWith } from "../platform/db/schema.ts";

/**
 * Rules for a user's rows in each table when their account is deleted:
 * - `immediate`: deletes them in the transaction that deletes the account.
 * - `batched`: deletes them afterwards in batches, because they may exceed the limit of one transaction.
 * - `elsewhere`: another function deletes them.
 * - `retained`: keeps them, without personal data.
 *
 * A new table with a `user_id` does not compile until it is listed here.
 */
export const userTables = {
  memberships: "immediate",
  sessions: "immediate",
  devices: "immediate",
  api_tokens: "immediate",
  idempotent_calls: "immediate",
  email_changes: "immediate",
  team_members: "elsewhere",
  totp_factors: "elsewhere",
  backup_code_sets: "elsewhere",
  backup_codes: "elsewhere",
  webauthn_credentials: "elsewhere",
  webauthn_challenges: "elsewhere",
  password_resets: "elsewhere",
  logins: "batched",
  // Proof of consent, without user and browser.
  consents: "retained",
  time_entries: "retained",
  // Add up the time entries, so they stay with them.
  project_sums: "retained",
  // Belong to the workspace until they expire after 90 days.
  reports: "retained",
} as const satisfies Record<TablesWith<"user_id">, "immediate" | "batched" | "elsewhere" | "retained">;

/**
 * Rules for a workspace's rows when its last member deletes their account. `expired` sets the expiry to now, so
 * that the next purge deletes the files of the reports before their rows. `last` deletes them after the batched ones.
 */
export const workspaceTables = {
  memberships: "immediate",
  teams: "immediate",
  ip_allowlists: "immediate",
  invitations: "immediate",
  api_tokens: "immediate",
  rate_overrides: "immediate",
  period_locks: "immediate",
  period_guards: "immediate",
  webhook_endpoints: "immediate",
  projects: "batched",
  time_entries: "batched",
  events: "batched",
  webhook_deliveries: "batched",
  reports: "expired",
  audit_links: "last",
  audit_checkpoints: "last",
} as const satisfies Record<TablesWith<"workspace_id">, "immediate" | "batched" | "expired" | "last">;

/** Lists the tables that have this rule. */
export function tablesWith<Table extends string, Rule extends string, Wanted extends Rule>(
  tables: Record<Table, Rule>,
  rule: Wanted,
): Table[] {
  return (Object.keys(tables) as Table[]).filter((table) => tables[table] === rule);
}
