export type Migration = { id: string; sql: string };

/**
 * Single idempotent statements in plain SQL, applied once each in this order. Only what Aurora DSQL has: no
 * arrays, enums, triggers or generated columns, no DEFAULT on a column added later, and indexes as statements of
 * their own, which the migrator turns into CREATE INDEX ASYNC there. Foreign keys are left out on purpose: on DSQL
 * each one adds the parent row to the conflict set of every write, and rows are removed by code that knows the order.
 */
export const migrations: readonly Migration[] = [
  {
    id: "0001-users",
    sql: `CREATE TABLE IF NOT EXISTS users (
      id text PRIMARY KEY,
      email text NOT NULL,
      email_key text NOT NULL,
      password_hash text NOT NULL,
      name text NOT NULL,
      avatar text NOT NULL DEFAULT '',
      title text NOT NULL DEFAULT '',
      phone text NOT NULL DEFAULT '',
      locale text NOT NULL DEFAULT 'en',
      timezone text NOT NULL DEFAULT 'UTC',
      date_format text NOT NULL DEFAULT 'YYYY-MM-DD',
      idle_timeout_minutes integer NOT NULL DEFAULT 10080,
      email_verified_at timestamptz,
      last_active_at timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    )`,
  },
  {
    id: "0002-users-email-key",
    sql: "CREATE UNIQUE INDEX IF NOT EXISTS users_email_key ON users (email_key)",
  },
  {
    id: "0003-registrations",
    sql: `CREATE TABLE IF NOT EXISTS registrations (
      token_hash text PRIMARY KEY,
      email text NOT NULL,
      name text NOT NULL,
      password_hash text NOT NULL,
      workspace_name text NOT NULL,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL
    )`,
  },
  {
    id: "0004-devices",
    sql: `CREATE TABLE IF NOT EXISTS devices (
      id text PRIMARY KEY,
      user_id text NOT NULL,
      token_hash text NOT NULL,
      name text NOT NULL,
      created_at timestamptz NOT NULL,
      last_seen_at timestamptz NOT NULL
    )`,
  },
  {
    id: "0005-devices-token-hash",
    sql: "CREATE UNIQUE INDEX IF NOT EXISTS devices_token_hash ON devices (token_hash)",
  },
  { id: "0006-devices-user", sql: "CREATE INDEX IF NOT EXISTS devices_user ON devices (user_id)" },
  {
    id: "0007-sessions",
    sql: `CREATE TABLE IF NOT EXISTS sessions (
      id text PRIMARY KEY,
      user_id text NOT NULL,
      device_id text NOT NULL,
      ip text NOT NULL,
      user_agent text NOT NULL,
      created_at timestamptz NOT NULL,
      last_seen_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      ended_at timestamptz
    )`,
  },
  { id: "0008-sessions-user", sql: "CREATE INDEX IF NOT EXISTS sessions_user ON sessions (user_id)" },
  {
    id: "0009-login-failures",
    sql: `CREATE TABLE IF NOT EXISTS login_failures (
      subject text PRIMARY KEY,
      failures integer NOT NULL,
      window_started_at timestamptz NOT NULL,
      locks integer NOT NULL,
      locked_until timestamptz
    )`,
  },
  {
    id: "0010-workspaces",
    sql: `CREATE TABLE IF NOT EXISTS workspaces (
      id text PRIMARY KEY,
      name text NOT NULL,
      plan text NOT NULL,
      base_currency text NOT NULL,
      timezone text NOT NULL,
      week_start integer NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    )`,
  },
  {
    id: "0011-memberships",
    sql: `CREATE TABLE IF NOT EXISTS memberships (
      workspace_id text NOT NULL,
      user_id text NOT NULL,
      role text NOT NULL,
      status text NOT NULL,
      joined_at timestamptz NOT NULL,
      PRIMARY KEY (workspace_id, user_id)
    )`,
  },
  {
    id: "0012-memberships-user",
    sql: "CREATE INDEX IF NOT EXISTS memberships_user ON memberships (user_id)",
  },
  {
    id: "0013-teams",
    sql: `CREATE TABLE IF NOT EXISTS teams (
      id text PRIMARY KEY,
      workspace_id text NOT NULL,
      name text NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    )`,
  },
  { id: "0014-teams-workspace", sql: "CREATE INDEX IF NOT EXISTS teams_workspace ON teams (workspace_id)" },
  {
    id: "0015-team-members",
    sql: `CREATE TABLE IF NOT EXISTS team_members (
      team_id text NOT NULL,
      user_id text NOT NULL,
      joined_at timestamptz NOT NULL,
      PRIMARY KEY (team_id, user_id)
    )`,
  },
  {
    id: "0016-team-members-user",
    sql: "CREATE INDEX IF NOT EXISTS team_members_user ON team_members (user_id)",
  },
  {
    id: "0017-events",
    sql: `CREATE TABLE IF NOT EXISTS events (
      id text PRIMARY KEY,
      workspace_id text,
      action text NOT NULL,
      at timestamptz NOT NULL,
      actor_type text NOT NULL,
      actor_id text,
      target_type text NOT NULL,
      target_id text NOT NULL,
      target_name text NOT NULL,
      ip text,
      user_agent text,
      request_id text NOT NULL,
      outcome text NOT NULL,
      changes jsonb NOT NULL
    )`,
  },
  {
    id: "0018-events-workspace",
    sql: "CREATE INDEX IF NOT EXISTS events_workspace ON events (workspace_id, id)",
  },
  {
    id: "0019-rate-counters",
    sql: `CREATE TABLE IF NOT EXISTS rate_counters (
      subject text NOT NULL,
      window_started_at timestamptz NOT NULL,
      calls integer NOT NULL,
      expires_at timestamptz NOT NULL,
      PRIMARY KEY (subject, window_started_at)
    )`,
  },
  {
    id: "0020-idempotent-calls",
    sql: `CREATE TABLE IF NOT EXISTS idempotent_calls (
      user_id text NOT NULL,
      key text NOT NULL,
      fingerprint text NOT NULL,
      started_at timestamptz NOT NULL,
      completed_at timestamptz,
      result jsonb,
      PRIMARY KEY (user_id, key)
    )`,
  },
  { id: "0080-events-data", sql: "ALTER TABLE events ADD COLUMN IF NOT EXISTS data jsonb" },
  {
    id: "0130-webhook-endpoints",
    sql: `CREATE TABLE IF NOT EXISTS webhook_endpoints (
      id text PRIMARY KEY,
      workspace_id text NOT NULL,
      slot integer NOT NULL,
      url text NOT NULL,
      events jsonb NOT NULL,
      description text NOT NULL,
      headers text NOT NULL,
      secret text NOT NULL,
      previous_secret text,
      previous_secret_until timestamptz,
      enabled boolean NOT NULL,
      disabled_reason text,
      disabled_at timestamptz,
      failing_in_row integer NOT NULL,
      notice_due_at timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    )`,
  },
  {
    id: "0131-webhook-endpoints-slot",
    sql: "CREATE UNIQUE INDEX IF NOT EXISTS webhook_endpoints_slot ON webhook_endpoints (workspace_id, slot)",
  },
  {
    id: "0132-webhook-endpoints-notice",
    sql: `CREATE INDEX IF NOT EXISTS webhook_endpoints_notice ON webhook_endpoints (notice_due_at)
      WHERE notice_due_at IS NOT NULL`,
  },
  {
    id: "0133-webhook-deliveries",
    sql: `CREATE TABLE IF NOT EXISTS webhook_deliveries (
      id text PRIMARY KEY,
      endpoint_id text NOT NULL,
      workspace_id text NOT NULL,
      event_id text NOT NULL,
      type text NOT NULL,
      body text NOT NULL,
      status text NOT NULL,
      attempt_count integer NOT NULL,
      failure_count integer NOT NULL,
      next_attempt_at timestamptz,
      created_at timestamptz NOT NULL,
      completed_at timestamptz
    )`,
  },
  {
    id: "0134-webhook-deliveries-event",
    sql: `CREATE UNIQUE INDEX IF NOT EXISTS webhook_deliveries_event
      ON webhook_deliveries (endpoint_id, event_id)`,
  },
  {
    id: "0135-webhook-deliveries-endpoint",
    sql: "CREATE INDEX IF NOT EXISTS webhook_deliveries_endpoint ON webhook_deliveries (endpoint_id, id)",
  },
  {
    id: "0136-webhook-deliveries-due",
    sql: `CREATE INDEX IF NOT EXISTS webhook_deliveries_due ON webhook_deliveries (next_attempt_at)
      WHERE next_attempt_at IS NOT NULL`,
  },
  {
    id: "0137-webhook-attempts",
    sql: `CREATE TABLE IF NOT EXISTS webhook_attempts (
      delivery_id text NOT NULL,
      number integer NOT NULL,
      at timestamptz NOT NULL,
      duration_ms integer,
      response_status integer,
      response_headers jsonb,
      response_body text,
      error text,
      request_headers jsonb NOT NULL,
      PRIMARY KEY (delivery_id, number)
    )`,
  },
];
