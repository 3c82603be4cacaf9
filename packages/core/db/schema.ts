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
  title: Generated<string>;
  phone: Generated<string>;
  locale: Generated<string>;
  timezone: Generated<string>;
  date_format: Generated<string>;
  idle_timeout_minutes: Generated<number>;
  email_verified_at: MaybeTimestamp;
  last_active_at: MaybeTimestamp;
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
  /** The payload of an outward event, as webhooks carry it. */
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

export type Migrations = { id: string; applied_at: Timestamp };

export type Schema = {
  users: Users;
  registrations: Registrations;
  devices: Devices;
  sessions: Sessions;
  login_failures: LoginFailures;
  workspaces: Workspaces;
  memberships: Memberships;
  teams: Teams;
  team_members: TeamMembers;
  events: Events;
  webhook_endpoints: WebhookEndpoints;
  webhook_deliveries: WebhookDeliveries;
  webhook_attempts: WebhookAttempts;
  rate_counters: RateCounters;
  idempotent_calls: IdempotentCalls;
  migrations: Migrations;
};
