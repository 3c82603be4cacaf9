import type { ColumnType, Generated, JSONColumnType } from "kysely";

/**
 * The tables of the database, for Kysely. PostgreSQL is the platform of this system, not a replaceable part: code relies on its
 * isolation, `ON CONFLICT`, partial unique indexes and jsonb. Only the subset that Aurora DSQL supports is used, so
 * decimals, enumerations and IP addresses are stored as text.
 */
type Timestamp = ColumnType<Date, Date, Date>;
type MaybeTimestamp = ColumnType<Date | null, Date | null | undefined, Date | null>;
type Maybe = ColumnType<string | null, string | null | undefined, string | null>;

/**
 * A random id that every change of what the API shows of a row writes (platform/db/version.ts). Null in rows that were not
 * changed since the column exists.
 */
type Version = ColumnType<string | null, string | null | undefined, string>;

export type Users = {
  id: string;
  email: string;
  /** The email address as it is compared: NFKC, lower case. Unique. */
  email_key: string;
  password_hash: string;
  name: string;
  /** The stored value of the avatar: `objstore:` and an object key, a legacy value, or empty. */
  avatar: Generated<string>;
  /**
   * The placeholder of the avatar, after the timestamp of the avatar's object key (avatar/placeholder.ts). It marks that the
   * small object exists.
   */
  avatar_placeholder: Maybe;
  /** The latest timestamp used in an avatar object key of this user, so that no key is used twice. */
  last_avatar_ms: ColumnType<bigint, number | undefined, number>;
  title: Generated<string>;
  phone: Generated<string>;
  locale: Generated<string>;
  timezone: Generated<string>;
  date_format: Generated<string>;
  idle_timeout_minutes: Generated<number>;
  /** Whether the user gets an email about a login on a new device. Null means yes. */
  login_notifications: ColumnType<boolean | null, boolean | undefined, boolean>;
  email_verified_at: MaybeTimestamp;
  last_active_at: MaybeTimestamp;
  /** When the account was deleted. The row stays because time entries and events refer to it. */
  deleted_at: MaybeTimestamp;
  /** When the personal data of a deleted account was found to be removed everywhere. */
  erased_at: MaybeTimestamp;
  created_at: Timestamp;
  updated_at: Timestamp;
  version: Version;
};

/** A registration that has not yet been confirmed with the emailed link. */
export type Registrations = {
  token_hash: string;
  email: string;
  /** The email address as it is compared. Null in rows of older versions, which only their own link finds. */
  email_key: Maybe;
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
  /** ISO 3166-1 alpha-2, or empty if unknown. */
  country: Maybe;
  /** Browser, system and country, which identify a device without a token. Unique per user. */
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
  /** When the user last confirmed the password in this session. */
  reauthenticated_at: MaybeTimestamp;
  country: Maybe;
  /** The end of an admin's emergency bypass of IP allowlists. */
  bypass_until: MaybeTimestamp;
};

/** A successful or failed login. `user_id` is empty if no account has the email address. */
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

/** The IP allowlist of a workspace. */
export type IpAllowlists = {
  workspace_id: string;
  enabled: boolean;
  entries: JSONColumnType<{ cidr: string; label: string }[]>;
  updated_at: Timestamp;
  version: Version;
};

/** An API token, which belongs to one user and one workspace. */
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

/** A pending invitation to join a team. The row is deleted when it is accepted. */
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

/** A user's authenticator app. It is a factor once a first code has confirmed it. */
export type TotpFactors = {
  user_id: string;
  secret_sealed: string;
  /** The latest time step whose code was used. Codes of this step and earlier ones are rejected. */
  last_step: number;
  created_at: Timestamp;
  confirmed_at: MaybeTimestamp;
};

/** The salt of a user's backup codes. One row per user, so that concurrent renewals conflict. */
export type BackupCodeSets = { user_id: string; salt: string; created_at: Timestamp };

/** An unused backup code. */
export type BackupCodes = { user_id: string; code_hash: string };

export type WebauthnCredentials = {
  id: string;
  user_id: string;
  /** The credential ID that the authenticator chose, base64url. Unique. */
  credential_id: string;
  /** The COSE public key, base64url. */
  public_key: string;
  counter: bigint;
  /** The transports that the browser reported, comma-separated. */
  transports: string;
  name: string;
  created_at: Timestamp;
  last_used_at: MaybeTimestamp;
  /** Whether the credential is a passkey, which signs in alone. Null for those from before there were passkeys. */
  discoverable: boolean | null;
  /** The user handle that the authenticator stores with the key, base64url. */
  user_handle: Maybe;
};

/** A WebAuthn challenge that has not been answered yet. */
export type WebauthnChallenges = {
  challenge: string;
  user_id: string;
  ceremony: string;
  bound_to: string;
  expires_at: Timestamp;
};

/** A challenge that was signed instead of stored, and has been used. */
export type UsedChallenges = { challenge: string; expires_at: Timestamp };

/** An emailed link to reset a password. The user may not exist. */
export type PasswordResets = {
  token_hash: string;
  user_id: string;
  created_at: Timestamp;
  expires_at: Timestamp;
};

/**
 * A requested or confirmed change of a user's email. `token_hash` belongs to the link to the new email, which works until
 * `expires_at`, and `undo_hash` to the link to the old one, which works until `undo_expires_at`.
 */
export type EmailChanges = {
  token_hash: string;
  undo_hash: string;
  user_id: string;
  old_email: string;
  new_email: string;
  /** Fingerprint of the password with which the change was requested. Another password voids the link to the new email. */
  password_fingerprint: string;
  created_at: Timestamp;
  expires_at: Timestamp;
  confirmed_at: MaybeTimestamp;
  undo_expires_at: Timestamp;
};

/** Failed logins of one account, which may not exist, from unknown devices or from one known device. */
export type LoginFailures = {
  subject: string;
  failures: number;
  /** Number of attempts without an outcome yet. Null in rows from before the column existed. */
  running: number | null;
  running_until: MaybeTimestamp;
  window_started_at: Timestamp;
  /** Number of consecutive locks, which determines the length of the next one. */
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
  /** Whether members need a second factor. Null means no. */
  require_two_factor: ColumnType<boolean | null, boolean, boolean>;
  /** Whether members see hourly rates and budgets. Null means yes: the workspace is older than the setting. */
  members_see_money: ColumnType<boolean | null, boolean, boolean>;
  /** The last locked day. Binds only while the plan is ENTERPRISE. */
  locked_until: ColumnType<string | null, string | null | undefined, string | null>;
  created_at: Timestamp;
  updated_at: Timestamp;
  version: Version;
};

/** Fixes the rates of the days until `locked_until` that no earlier lock covers: those that were recorded until `locked_at`. */
export type PeriodLocks = { workspace_id: string; locked_until: string; locked_at: Timestamp };

/** Rows that changes of past days and a lock both write, so that they conflict. See decision 71. */
export type PeriodGuards = { workspace_id: string; shard: number; written_at: Timestamp };

/** A user's membership in a workspace, with its one role. */
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
  version: Version;
};

export type TeamMembers = { team_id: string; user_id: string; joined_at: Timestamp };

/** An event, written in the transaction of the change that it records. */
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
  /** The API token with which the actor called. Null for a session, and where the token belongs to another workspace. */
  token_id: Maybe;
  ip: Maybe;
  /** ISO 3166-1 alpha-2. */
  country: Maybe;
  city: Maybe;
  user_agent: Maybe;
  request_id: string;
  outcome: string;
  /** How often this happened within the minute. Null means once. */
  occurrences: ColumnType<number | null, number | null | undefined, number>;
  changes: JSONColumnType<Record<string, unknown>>;
  /** The `data` of the webhook payload. Null for events that are not sent to webhooks. */
  data: ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>;
  /** Salts of the hashes of personal columns, by which the chain of the audit log covers them. Null once those are erased. */
  origin_salt: Maybe;
  name_salt: Maybe;
  changes_salt: Maybe;
  data_salt: Maybe;
};

/** An entry in the chain of a workspace's audit log. Stays when the retention deletes the event. */
export type AuditLinks = {
  workspace_id: string;
  /** Counts from 1 without gaps. */
  sequence: ColumnType<bigint, number, never>;
  event_id: string;
  /** The event's time. */
  at: Timestamp;
  chained_at: Timestamp;
  origin_hash: string;
  name_hash: string;
  changes_hash: string;
  data_hash: string;
  /** Hash of the event's permanent columns and of the four hashes above. */
  entry_hash: string;
  /** Hash of the previous link's hash and of this link. */
  hash: string;
};

/** The signed end of a chain on a UTC day. */
export type AuditCheckpoints = {
  workspace_id: string;
  day: string;
  sequence: ColumnType<bigint, number, number>;
  hash: string;
  at: Timestamp;
  /** The retention has deleted entries from before this time. Null if it never ran. */
  purged_before: MaybeTimestamp;
  key_id: string;
  public_key: string;
  signature: string;
};

export type WebhookEndpoints = {
  id: string;
  workspace_id: string;
  /** 0 to 19, unique in the workspace, which limits a workspace to 20 endpoints. */
  slot: number;
  url: string;
  /** Event types, or only `*`. */
  events: JSONColumnType<string[], string, string>;
  description: string;
  /** Encrypted JSON of the custom headers. */
  headers: string;
  /** The encrypted signing secret, `whsec_…`. */
  secret: string;
  /** The encrypted secret before the last rotation, which also signs until `previous_secret_until`. */
  previous_secret: Maybe;
  previous_secret_until: MaybeTimestamp;
  enabled: boolean;
  disabled_reason: Maybe;
  disabled_at: MaybeTimestamp;
  /** Number of consecutive deliveries that failed after all retries. */
  failing_in_row: number;
  /** When to email the admins that the endpoint was disabled. Null once they were notified. */
  notice_due_at: MaybeTimestamp;
  created_at: Timestamp;
  updated_at: Timestamp;
  version: Version;
};

/** The delivery of one event to one endpoint. */
export type WebhookDeliveries = {
  id: string;
  endpoint_id: string;
  workspace_id: string;
  /** Sent as `webhook-id` with every attempt. */
  event_id: string;
  type: string;
  /** The request body, which is identical in every attempt. */
  body: string;
  /** The trace of the request or job that caused the delivery. Null if an earlier release created it. */
  traceparent: string | null;
  status: string;
  attempt_count: number;
  /** Failed attempts since the delivery was created or last retried. Excludes attempts that a crash interrupted. */
  failure_count: number;
  /** When the next attempt is due. During an attempt: when its lease expires and another worker may take over. */
  next_attempt_at: MaybeTimestamp;
  /** During an attempt, and after a crash: when the attempt was planned. Null otherwise. */
  planned_at: MaybeTimestamp;
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
  /** `money` or `hours`. Null without a budget. */
  budget_type: string | null;
  /** Minor units of `currency`, or seconds. */
  budget_amount: bigint | null;
  budget_period: string | null;
  budget_alert_percent: number | null;
  /** When an entry last changed, up to a minute early. */
  last_tracked_at: MaybeTimestamp;
  /** When the project's sums became complete. Null while they may leave out older entries. */
  sums_complete_at: MaybeTimestamp;
  archived_at: MaybeTimestamp;
  archived_by: Maybe;
  created_at: Timestamp;
  updated_at: Timestamp;
  version: Version;
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
  /** The rate when the entry was written. Later changes of the project's rate do not affect it. */
  hourly_rate_minor: bigint | null;
  amount_minor: bigint | null;
  currency: string;
  tags: JSONColumnType<string[]>;
  created_at: Timestamp;
  updated_at: Timestamp;
  /** The user who wrote the entry last. Null for a job, and until a release with this column writes the entry. */
  updated_by: Maybe;
  version: Version;
};

/**
 * The sum of a user's finished entries on a project that started in one month or on one day, in one currency. Written with
 * the entries. One row per user, so that entries of different users do not conflict.
 */
export type ProjectSums = {
  project_id: string;
  /** `month` or `day`. */
  unit: string;
  /** The first day of the month, or the day, in UTC: `2026-03-01`. */
  starts_on: string;
  user_id: string;
  currency: string;
  minor: ColumnType<string, bigint, bigint>;
  seconds: bigint;
};

/**
 * Rows that make a change of an entry conflict with archiving or deleting its project: the change writes the row of one
 * shard, and the other two write the rows of all shards.
 */
export type ProjectGuards = {
  project_id: string;
  shard: number;
  /** When the project was deleted. The row stays until no transaction of that time can be open. */
  deleted_at: MaybeTimestamp;
};

/** A budget warning that has been sent, so that it is not sent again. */
export type BudgetWarnings = { project_id: string; period: string; threshold: string; warned_at: Timestamp };

/** A generated report: the file is in the general bucket, under `reports/{workspace_id}/{id}.{format}`. */
export type Reports = {
  id: string;
  workspace_id: string;
  user_id: string;
  /** Whether the report covers the time of all members rather than only its creator's. */
  everybodys: boolean;
  type: string;
  format: string;
  size_bytes: ColumnType<bigint, number, number>;
  created_at: Timestamp;
  /** From this time on the report is not found, and its file is removed. */
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

/** A published exchange rate with exactly the published digits. Never changed or deleted: see `RateCorrections`. */
export type Rates = {
  source: string;
  code: string;
  /** YYYY-MM-DD */
  day: string;
  rate: string;
  /** The bank's name or number of the document that published it. */
  document: string;
  fetched_at: Timestamp;
};

/** A rate that differs too much from the previous one and needs a review, with that previous rate. */
export type QuarantinedRates = Rates & { previous_day: string; previous_rate: string };

/**
 * A value that a bank published later for the same day, with the one that it replaces. `revision` counts from 1.
 * `workspaces_told` is the last workspace whose audit log was checked, and null once all were.
 */
export type RateCorrections = Rates & {
  revision: number;
  previous_rate: string;
  workspaces_told: Maybe;
};

/** The day from which all rates of a source were fetched once. */
export type RateHistories = { source: string; covered_from: string; fetched_at: Timestamp };

/** State of the last download from each feed, for the next conditional request. */
export type RateFeeds = {
  feed: string;
  source: string;
  address: string;
  etag: Maybe;
  last_modified: Maybe;
  /** The latest day in the feed. */
  last_day: string;
  fetched_at: Timestamp;
};

/** A workspace's rate override: units of `currency` per unit of `base`. */
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
  version: Version;
};

/** Proof of one cookie consent. Rows are only ever added. `user_id` is null for visitors without an account. */
export type Consents = {
  id: string;
  /** Null for visitors and for deleted accounts. */
  user_id: Maybe;
  policy_version: string;
  /** Category ids, comma-separated. */
  categories: string;
  action: string;
  global_privacy_control: boolean;
  user_agent: string;
  at: Timestamp;
};

/** Where the next run of a job continues, if the previous one ran out of time. */
export type JobCursors = { job: string; position: string; updated_at: Timestamp };

/** Object keys of erasures that are not in the files bucket yet. */
export type UnrecordedErasures = { key: string };

export type Migrations = { id: string; applied_at: Timestamp };

/** The names of the tables that have this column. */
export type TablesWith<Column extends string> = {
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
  used_challenges: UsedChallenges;
  password_resets: PasswordResets;
  email_changes: EmailChanges;
  login_failures: LoginFailures;
  workspaces: Workspaces;
  memberships: Memberships;
  teams: Teams;
  team_members: TeamMembers;
  events: Events;
  audit_links: AuditLinks;
  audit_checkpoints: AuditCheckpoints;
  webhook_endpoints: WebhookEndpoints;
  webhook_deliveries: WebhookDeliveries;
  webhook_attempts: WebhookAttempts;
  projects: Projects;
  time_entries: TimeEntries;
  project_sums: ProjectSums;
  project_guards: ProjectGuards;
  period_locks: PeriodLocks;
  period_guards: PeriodGuards;
  budget_warnings: BudgetWarnings;
  reports: Reports;
  rate_counters: RateCounters;
  idempotent_calls: IdempotentCalls;
  rates: Rates;
  quarantined_rates: QuarantinedRates;
  rate_corrections: RateCorrections;
  rate_histories: RateHistories;
  rate_feeds: RateFeeds;
  rate_overrides: RateOverrides;
  consents: Consents;
  job_cursors: JobCursors;
  unrecorded_erasures: UnrecordedErasures;
  migrations: Migrations;
};
