import type { ColumnType, Generated, JSONColumnType } from "kysely";

/** Money columns, enums and addresses are text: the dialect is the Aurora DSQL subset of PostgreSQL. */
type Timestamp = ColumnType<Date, Date, Date>;
type MaybeTimestamp = ColumnType<Date | null, Date | null | undefined, Date | null>;
type Maybe = ColumnType<string | null, string | null | undefined, string | null>;

export type Users = {
  id: string;
  email: string;
  /** The address as it is compared: NFKC, lower case. Unique. */
  email_key: string;
  password_hash: string;
  name: string;
  /** Stored value of the picture: `objstore:` and an object key, a legacy value, or empty. */
  avatar: Generated<string>;
  /** The highest time that was ever given to an object key of this person: no key is used twice. */
  last_avatar_ms: ColumnType<bigint, number | undefined, number>;
  title: Generated<string>;
  phone: Generated<string>;
  locale: Generated<string>;
  timezone: Generated<string>;
  date_format: Generated<string>;
  idle_timeout_minutes: Generated<number>;
  /** Whether a login on a new device is mailed; null is yes. */
  login_notifications: ColumnType<boolean | null, boolean | undefined, boolean>;
  email_verified_at: MaybeTimestamp;
  last_active_at: MaybeTimestamp;
  /** The account is gone; the row stays so that what it did in a workspace keeps its place. */
  deleted_at: MaybeTimestamp;
  created_at: Timestamp;
  updated_at: Timestamp;
};

/** Somebody who asked for an account and has not yet opened it with the link in the mail. */
export type Registrations = {
  token_hash: string;
  email: string;
  name: string;
  password_hash: string;
  workspace_name: string;
  created_at: Timestamp;
  expires_at: Timestamp;
};

export type Devices = {
  id: string;
  user_id: string;
  token_hash: string;
  name: string;
  browser: Maybe;
  system: Maybe;
  /** ISO 3166-1 alpha-2, or empty when nobody knows. */
  country: Maybe;
  /** By what a device is known that has no token: browser, system and country. Unique for each person. */
  traits: Maybe;
  created_at: Timestamp;
  last_seen_at: Timestamp;
};

export type Sessions = {
  id: string;
  user_id: string;
  device_id: string;
  ip: string;
  user_agent: string;
  created_at: Timestamp;
  last_seen_at: Timestamp;
  expires_at: Timestamp;
  ended_at: MaybeTimestamp;
  /** When its owner last gave the password again. */
  reauthenticated_at: MaybeTimestamp;
  country: Maybe;
  /** Until then an administrator passes the address lists with it. */
  bypass_until: MaybeTimestamp;
};

/** Each login that succeeded or failed. Of an address that nobody has, `user_id` is empty. */
export type Logins = {
  id: string;
  user_id: string;
  at: Timestamp;
  ip: string;
  user_agent: string;
  country: string;
  city: string;
  /** Degrees, as decimal strings. */
  latitude: ColumnType<string | null, number | null, never>;
  longitude: ColumnType<string | null, number | null, never>;
  device_name: string;
  outcome: string;
  method: string;
  suspicious: boolean;
  reasons: JSONColumnType<string[]>;
};

/** From where a workspace may be reached. */
export type IpAllowlists = {
  workspace_id: string;
  enabled: boolean;
  entries: JSONColumnType<{ cidr: string; label: string }[]>;
  updated_at: Timestamp;
};

/** A key for a program, bound to one person and one workspace. */
export type ApiTokens = {
  id: string;
  token_hash: string;
  user_id: string;
  workspace_id: string;
  name: string;
  scopes: JSONColumnType<string[]>;
  created_at: Timestamp;
  expires_at: Timestamp;
  last_used_at: MaybeTimestamp;
};

/** Somebody who was asked by mail to join a team. The row goes when they do. */
export type Invitations = {
  id: string;
  token_hash: string;
  workspace_id: string;
  team_id: string;
  email: string;
  email_key: string;
  role: string;
  invited_by: string;
  created_at: Timestamp;
  expires_at: Timestamp;
};

/** The authenticator app of a person: set up, and a factor once a first code has confirmed it. */
export type TotpFactors = {
  user_id: string;
  secret_sealed: string;
  /** The newest time step whose code was used: no step is taken twice, nor an older one. */
  last_step: number;
  created_at: Timestamp;
  confirmed_at: MaybeTimestamp;
};

/** One row a person: it carries the salt of the codes, and makes two renewals at once a conflict. */
export type BackupCodeSets = { user_id: string; salt: string; created_at: Timestamp };

/** A backup code that has not been used. */
export type BackupCodes = { user_id: string; code_hash: string };

export type WebauthnCredentials = {
  id: string;
  user_id: string;
  /** The authenticator's own id of it, base64url. Unique. */
  credential_id: string;
  /** COSE key, base64url. */
  public_key: string;
  counter: bigint;
  /** As the browser named them, separated by commas. */
  transports: string;
  name: string;
  created_at: Timestamp;
  last_used_at: MaybeTimestamp;
};

/** A challenge that was handed out and not yet answered. */
export type WebauthnChallenges = {
  challenge: string;
  user_id: string;
  ceremony: string;
  bound_to: string;
  expires_at: Timestamp;
};

/** A mailed link for a new password. The person may be one that does not exist. */
export type PasswordResets = {
  token_hash: string;
  user_id: string;
  created_at: Timestamp;
  expires_at: Timestamp;
};

/** Failed log-ins of one account, known or not, from strangers or from one known device. */
export type LoginFailures = {
  subject: string;
  failures: number;
  window_started_at: Timestamp;
  /** How many times in a row it was locked: it chooses the next lock's length. */
  locks: number;
  locked_until: MaybeTimestamp;
};

export type Workspaces = {
  id: string;
  name: string;
  plan: string;
  base_currency: string;
  timezone: string;
  week_start: number;
  created_at: Timestamp;
  updated_at: Timestamp;
};

/** A person in a workspace, with the one role they have there. */
export type Memberships = {
  workspace_id: string;
  user_id: string;
  role: string;
  status: string;
  joined_at: Timestamp;
};

export type Teams = {
  id: string;
  workspace_id: string;
  name: string;
  created_at: Timestamp;
  updated_at: Timestamp;
};

export type TeamMembers = { team_id: string; user_id: string; joined_at: Timestamp };

/** What happened, written in the transaction that made it happen. */
export type Events = {
  id: string;
  workspace_id: Maybe;
  action: string;
  at: Timestamp;
  actor_type: string;
  actor_id: Maybe;
  target_type: string;
  target_id: string;
  target_name: string;
  ip: Maybe;
  user_agent: Maybe;
  request_id: string;
  outcome: string;
  changes: JSONColumnType<Record<string, unknown>>;
  /** What webhooks are told; null for what they are not told of. */
  data: ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>;
};

export type WebhookEndpoints = {
  id: string;
  workspace_id: string;
  /** 0 to 19, unique in the workspace: that is how there are never more than 20. */
  slot: number;
  url: string;
  /** Types of events, or `*` alone. */
  events: JSONColumnType<string[], string, string>;
  description: string;
  /** Sealed JSON of the caller's own headers. */
  headers: string;
  /** Sealed `whsec_…`. */
  secret: string;
  /** The sealed secret before the last rotation, which signs too until then. */
  previous_secret: Maybe;
  previous_secret_until: MaybeTimestamp;
  enabled: boolean;
  disabled_reason: Maybe;
  disabled_at: MaybeTimestamp;
  /** How many deliveries in a row have failed for good. */
  failing_in_row: number;
  /** When the admins are to be mailed that it was disabled; empty when they know. */
  notice_due_at: MaybeTimestamp;
  created_at: Timestamp;
  updated_at: Timestamp;
};

/** One event on its way to one endpoint. */
export type WebhookDeliveries = {
  id: string;
  endpoint_id: string;
  workspace_id: string;
  /** The `webhook-id` of every attempt. */
  event_id: string;
  type: string;
  /** What is sent and signed, byte by byte the same each time. */
  body: string;
  status: string;
  attempt_count: number;
  /** Tries that failed since it was last sent off; what a crash interrupted is no failure of the receiver. */
  failure_count: number;
  /** While an attempt is under way: when another may take it up, since whoever made this one must have died. */
  next_attempt_at: MaybeTimestamp;
  created_at: Timestamp;
  completed_at: MaybeTimestamp;
};

export type WebhookAttempts = {
  delivery_id: string;
  number: number;
  at: Timestamp;
  duration_ms: ColumnType<number | null, number | null | undefined, number | null>;
  response_status: ColumnType<number | null, number | null | undefined, number | null>;
  response_headers: ColumnType<Record<string, string> | null, string | null | undefined, string | null>;
  response_body: Maybe;
  error: Maybe;
  request_headers: JSONColumnType<Record<string, string>, string, string>;
};

export type Projects = {
  id: string;
  workspace_id: string;
  name: string;
  color: string;
  client: string;
  currency: string;
  /** In minor units of `currency`. */
  hourly_rate_minor: bigint | null;
  billable: boolean;
  /** `money`, `hours`, or null: no budget. */
  budget_type: string | null;
  /** Minor units of `currency`, or seconds. */
  budget_amount: bigint | null;
  budget_period: string | null;
  budget_alert_percent: number | null;
  /** Written by everything that writes an entry, so that it meets archiving and removing in this row. */
  last_tracked_at: MaybeTimestamp;
  archived_at: MaybeTimestamp;
  archived_by: Maybe;
  created_at: Timestamp;
  updated_at: Timestamp;
};

/** `duration_seconds` and `amount_minor` are null while the timer runs. Instants are whole seconds. */
export type TimeEntries = {
  id: string;
  workspace_id: string;
  user_id: string;
  project_id: Maybe;
  description: string;
  started_at: Timestamp;
  ended_at: MaybeTimestamp;
  duration_seconds: number | null;
  billable: boolean;
  /** As it was when the entry was written; a new rate of the project changes nothing here. */
  hourly_rate_minor: bigint | null;
  amount_minor: bigint | null;
  currency: string;
  tags: JSONColumnType<string[]>;
  created_at: Timestamp;
  updated_at: Timestamp;
};

/** Warnings that were given, so that none is given twice. */
export type BudgetWarnings = { project_id: string; period: string; threshold: string; warned_at: Timestamp };

/** A generated report: the file is in the general bucket, under `reports/{workspace_id}/{id}.{format}`. */
export type Reports = {
  id: string;
  workspace_id: string;
  user_id: string;
  /** Whether it was made of everybody's time rather than of its maker's own. */
  everybodys: boolean;
  type: string;
  format: string;
  size_bytes: ColumnType<bigint, number, number>;
  created_at: Timestamp;
  /** From then on it is not found, and its file is removed. */
  expires_at: Timestamp;
};

export type RateCounters = {
  subject: string;
  window_started_at: Timestamp;
  calls: number;
  expires_at: Timestamp;
};

export type IdempotentCalls = {
  user_id: string;
  key: string;
  fingerprint: string;
  started_at: Timestamp;
  completed_at: MaybeTimestamp;
  result: ColumnType<{ value: unknown } | null, string | null, string | null>;
};

/** One published rate, as the bank wrote it. Never changed and never removed. */
export type Rates = {
  source: string;
  code: string;
  /** YYYY-MM-DD */
  day: string;
  rate: string;
  /** The bank's number or name of the document it is from. */
  document: string;
  fetched_at: Timestamp;
};

/** A rate that moved too far to be believed without a look, with the one it moved from. */
export type QuarantinedRates = Rates & { previous_day: string; previous_rate: string };

/** What was last taken from each address, for the next conditional request. */
export type RateFeeds = {
  feed: string;
  source: string;
  address: string;
  etag: Maybe;
  last_modified: Maybe;
  /** The newest day that it had. */
  last_day: string;
  fetched_at: Timestamp;
};

/** A workspace's own rate: units of `currency` for one of `base`. */
export type RateOverrides = {
  workspace_id: string;
  currency: string;
  valid_from: string;
  valid_to: Maybe;
  base: string;
  rate: string;
  reason: string;
  created_by: string;
  updated_at: Timestamp;
};

/** The proof of one choice about cookies. Rows are only ever added; without a person it was made by a visitor. */
export type Consents = {
  id: string;
  user_id: Maybe;
  policy_version: string;
  /** Ids, comma-separated. */
  categories: string;
  action: string;
  global_privacy_control: boolean;
  user_agent: string;
  at: Timestamp;
};

export type Migrations = { id: string; applied_at: Timestamp };

/** The tables that have this column. */
export type Having<Column extends string> = {
  [Table in keyof Schema]: Column extends keyof Schema[Table] ? Table : never;
}[keyof Schema];

export type Schema = {
  users: Users;
  registrations: Registrations;
  devices: Devices;
  sessions: Sessions;
  logins: Logins;
  ip_allowlists: IpAllowlists;
  api_tokens: ApiTokens;
  invitations: Invitations;
  totp_factors: TotpFactors;
  backup_code_sets: BackupCodeSets;
  backup_codes: BackupCodes;
  webauthn_credentials: WebauthnCredentials;
  webauthn_challenges: WebauthnChallenges;
  password_resets: PasswordResets;
  login_failures: LoginFailures;
  workspaces: Workspaces;
  memberships: Memberships;
  teams: Teams;
  team_members: TeamMembers;
  events: Events;
  webhook_endpoints: WebhookEndpoints;
  webhook_deliveries: WebhookDeliveries;
  webhook_attempts: WebhookAttempts;
  projects: Projects;
  time_entries: TimeEntries;
  budget_warnings: BudgetWarnings;
  reports: Reports;
  rate_counters: RateCounters;
  idempotent_calls: IdempotentCalls;
  rates: Rates;
  quarantined_rates: QuarantinedRates;
  rate_feeds: RateFeeds;
  rate_overrides: RateOverrides;
  consents: Consents;
  migrations: Migrations;
};
