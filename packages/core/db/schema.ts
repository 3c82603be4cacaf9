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
  /** When its owner last proved with the password who they are, after the login. */
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
  data: ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>;
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
  logins: Logins;
  ip_allowlists: IpAllowlists;
  api_tokens: ApiTokens;
  invitations: Invitations;
  login_failures: LoginFailures;
  workspaces: Workspaces;
  memberships: Memberships;
  teams: Teams;
  team_members: TeamMembers;
  events: Events;
  rate_counters: RateCounters;
  idempotent_calls: IdempotentCalls;
  migrations: Migrations;
};
