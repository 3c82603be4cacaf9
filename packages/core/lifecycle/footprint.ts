import type { TablesWith } from "../platform/db/schema.ts";

/**
 * What becomes of a person's rows when their account is deleted. They go `at once`, with the account itself; in `batches`
 * afterwards, where there may be more than a transaction writes; by another module that knows them (`elsewhere`); or one
 * `stays`, without a name, in the workspace that it belongs to. A new table with a `user_id` does not compile until it
 * says so here.
 */
export const ofPeople = {
  memberships: "at once",
  sessions: "at once",
  devices: "at once",
  api_tokens: "at once",
  idempotent_calls: "at once",
  team_members: "elsewhere",
  totp_factors: "elsewhere",
  backup_code_sets: "elsewhere",
  backup_codes: "elsewhere",
  webauthn_credentials: "elsewhere",
  webauthn_challenges: "elsewhere",
  password_resets: "elsewhere",
  logins: "batches",
  // What they agreed to, as a proof that names nobody.
  consents: "stays",
  time_entries: "stays",
  // The workspace's, until their ninety days are over.
  reports: "stays",
} as const satisfies Record<TablesWith<"user_id">, "at once" | "batches" | "elsewhere" | "stays">;

/**
 * What becomes of a workspace's rows when its last member deletes their account. Nothing stays: reports run out at once, so
 * that the next purge takes each file and then its row.
 */
export const ofWorkspaces = {
  memberships: "at once",
  teams: "at once",
  ip_allowlists: "at once",
  invitations: "at once",
  api_tokens: "at once",
  rate_overrides: "at once",
  webhook_endpoints: "at once",
  projects: "batches",
  time_entries: "batches",
  events: "batches",
  webhook_deliveries: "batches",
  reports: "runs out",
} as const satisfies Record<TablesWith<"workspace_id">, "at once" | "batches" | "runs out">;

/** The tables that fare so. */
export function tables<Table extends string, Fate extends string, Wanted extends Fate>(
  of: Record<Table, Fate>,
  fate: Wanted,
): Table[] {
  return (Object.keys(of) as Table[]).filter((table) => of[table] === fate);
}
