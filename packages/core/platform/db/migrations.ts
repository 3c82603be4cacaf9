/** A schema change. The ledger table `migrations` records applied ids. */
export type Migration = { id: string; sql: string };

const directions = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069";

/** SQL of a column without control characters for the direction of text, which are replaced by a blank. */
const withoutDirections = (column: string) =>
  `translate(${column}, '${directions}', '${" ".repeat(directions.length)}')`;
const hasDirections = (column: string) => `${column} <> ${withoutDirections(column)}`;

/**
 * The schema as single idempotent SQL statements, each applied once, in this order. They are limited to what Aurora DSQL
 * supports: no arrays, enums, triggers or generated columns, no DEFAULT on a column that is added later, and separate
 * statements for indexes, which the migrator turns into CREATE INDEX ASYNC. There are no foreign keys: on DSQL each one
 * would add the parent row to the conflict set of every write. Code deletes dependent rows instead.
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
      last_avatar_ms int8 NOT NULL DEFAULT 0,
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
  {
    id: "0030-sessions-reauthenticated",
    sql: "ALTER TABLE sessions ADD COLUMN IF NOT EXISTS reauthenticated_at timestamptz",
  },
  {
    id: "0031-totp-factors",
    sql: `CREATE TABLE IF NOT EXISTS totp_factors (
      user_id text PRIMARY KEY,
      secret_sealed text NOT NULL,
      last_step integer NOT NULL,
      created_at timestamptz NOT NULL,
      confirmed_at timestamptz
    )`,
  },
  {
    id: "0032-backup-code-sets",
    sql: `CREATE TABLE IF NOT EXISTS backup_code_sets (
      user_id text PRIMARY KEY,
      salt text NOT NULL,
      created_at timestamptz NOT NULL
    )`,
  },
  {
    id: "0033-backup-codes",
    sql: `CREATE TABLE IF NOT EXISTS backup_codes (
      user_id text NOT NULL,
      code_hash text NOT NULL,
      PRIMARY KEY (user_id, code_hash)
    )`,
  },
  {
    id: "0034-webauthn-credentials",
    sql: `CREATE TABLE IF NOT EXISTS webauthn_credentials (
      id text PRIMARY KEY,
      user_id text NOT NULL,
      credential_id text NOT NULL,
      public_key text NOT NULL,
      counter bigint NOT NULL,
      transports text NOT NULL,
      name text NOT NULL,
      created_at timestamptz NOT NULL,
      last_used_at timestamptz
    )`,
  },
  {
    id: "0035-webauthn-credentials-credential",
    sql: "CREATE UNIQUE INDEX IF NOT EXISTS webauthn_credentials_credential ON webauthn_credentials (credential_id)",
  },
  {
    id: "0036-webauthn-credentials-user",
    sql: "CREATE INDEX IF NOT EXISTS webauthn_credentials_user ON webauthn_credentials (user_id)",
  },
  {
    id: "0037-webauthn-challenges",
    sql: `CREATE TABLE IF NOT EXISTS webauthn_challenges (
      challenge text PRIMARY KEY,
      user_id text NOT NULL,
      ceremony text NOT NULL,
      bound_to text NOT NULL,
      expires_at timestamptz NOT NULL
    )`,
  },
  {
    id: "0038-password-resets",
    sql: `CREATE TABLE IF NOT EXISTS password_resets (
      token_hash text PRIMARY KEY,
      user_id text NOT NULL,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL
    )`,
  },
  {
    id: "0039-password-resets-user",
    sql: "CREATE INDEX IF NOT EXISTS password_resets_user ON password_resets (user_id)",
  },
  {
    id: "0051-sessions-country",
    sql: "ALTER TABLE sessions ADD COLUMN IF NOT EXISTS country text",
  },
  {
    id: "0052-sessions-bypass-until",
    sql: "ALTER TABLE sessions ADD COLUMN IF NOT EXISTS bypass_until timestamptz",
  },
  {
    id: "0053-users-login-notifications",
    sql: "ALTER TABLE users ADD COLUMN IF NOT EXISTS login_notifications boolean",
  },
  {
    id: "0054-users-deleted-at",
    sql: "ALTER TABLE users ADD COLUMN IF NOT EXISTS deleted_at timestamptz",
  },
  { id: "0055-devices-browser", sql: "ALTER TABLE devices ADD COLUMN IF NOT EXISTS browser text" },
  { id: "0056-devices-system", sql: "ALTER TABLE devices ADD COLUMN IF NOT EXISTS system text" },
  { id: "0057-devices-country", sql: "ALTER TABLE devices ADD COLUMN IF NOT EXISTS country text" },
  { id: "0058-devices-traits", sql: "ALTER TABLE devices ADD COLUMN IF NOT EXISTS traits text" },
  {
    id: "0059-devices-user-traits",
    sql: "CREATE UNIQUE INDEX IF NOT EXISTS devices_user_traits ON devices (user_id, traits)",
  },
  {
    id: "0060-logins",
    sql: `CREATE TABLE IF NOT EXISTS logins (
      id text PRIMARY KEY,
      user_id text NOT NULL,
      at timestamptz NOT NULL,
      ip text NOT NULL,
      user_agent text NOT NULL,
      country text NOT NULL,
      city text NOT NULL,
      latitude numeric(8, 5),
      longitude numeric(8, 5),
      device_name text NOT NULL,
      outcome text NOT NULL,
      method text NOT NULL,
      suspicious boolean NOT NULL,
      reasons jsonb NOT NULL
    )`,
  },
  { id: "0061-logins-user", sql: "CREATE INDEX IF NOT EXISTS logins_user ON logins (user_id, id)" },
  { id: "0062-logins-at", sql: "CREATE INDEX IF NOT EXISTS logins_at ON logins (at)" },
  {
    id: "0063-ip-allowlists",
    sql: `CREATE TABLE IF NOT EXISTS ip_allowlists (
      workspace_id text PRIMARY KEY,
      enabled boolean NOT NULL,
      entries jsonb NOT NULL,
      updated_at timestamptz NOT NULL
    )`,
  },
  {
    id: "0064-api-tokens",
    sql: `CREATE TABLE IF NOT EXISTS api_tokens (
      id text PRIMARY KEY,
      token_hash text NOT NULL,
      user_id text NOT NULL,
      workspace_id text NOT NULL,
      name text NOT NULL,
      scopes jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      last_used_at timestamptz
    )`,
  },
  {
    id: "0065-api-tokens-hash",
    sql: "CREATE UNIQUE INDEX IF NOT EXISTS api_tokens_hash ON api_tokens (token_hash)",
  },
  { id: "0066-api-tokens-user", sql: "CREATE INDEX IF NOT EXISTS api_tokens_user ON api_tokens (user_id)" },
  {
    id: "0067-invitations",
    sql: `CREATE TABLE IF NOT EXISTS invitations (
      id text PRIMARY KEY,
      token_hash text NOT NULL,
      workspace_id text NOT NULL,
      team_id text NOT NULL,
      email text NOT NULL,
      email_key text NOT NULL,
      role text NOT NULL,
      invited_by text NOT NULL,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL
    )`,
  },
  {
    id: "0068-invitations-hash",
    sql: "CREATE UNIQUE INDEX IF NOT EXISTS invitations_hash ON invitations (token_hash)",
  },
  {
    id: "0069-invitations-team-email",
    sql: "CREATE UNIQUE INDEX IF NOT EXISTS invitations_team_email ON invitations (team_id, email_key)",
  },
  { id: "0070-events-by-actor", sql: "CREATE INDEX IF NOT EXISTS events_by_actor ON events (actor_id, id)" },
  {
    id: "0071-events-on-target",
    sql: "CREATE INDEX IF NOT EXISTS events_on_target ON events (target_id, id)",
  },
  { id: "0080-events-data", sql: "ALTER TABLE events ADD COLUMN IF NOT EXISTS data jsonb" },
  {
    id: "0081-rates",
    sql: `CREATE TABLE IF NOT EXISTS rates (
      source text NOT NULL,
      code text NOT NULL,
      day date NOT NULL,
      rate text NOT NULL,
      document text NOT NULL,
      fetched_at timestamptz NOT NULL,
      PRIMARY KEY (source, code, day)
    )`,
  },
  {
    id: "0082-rates-day",
    sql: "CREATE INDEX IF NOT EXISTS rates_day ON rates (source, day)",
  },
  {
    id: "0083-quarantined-rates",
    sql: `CREATE TABLE IF NOT EXISTS quarantined_rates (
      source text NOT NULL,
      code text NOT NULL,
      day date NOT NULL,
      rate text NOT NULL,
      document text NOT NULL,
      fetched_at timestamptz NOT NULL,
      previous_day date NOT NULL,
      previous_rate text NOT NULL,
      PRIMARY KEY (source, code, day)
    )`,
  },
  {
    id: "0084-rate-feeds",
    sql: `CREATE TABLE IF NOT EXISTS rate_feeds (
      feed text PRIMARY KEY,
      source text NOT NULL,
      address text NOT NULL,
      etag text,
      last_modified text,
      last_day date NOT NULL,
      fetched_at timestamptz NOT NULL
    )`,
  },
  {
    id: "0085-rate-overrides",
    sql: `CREATE TABLE IF NOT EXISTS rate_overrides (
      workspace_id text NOT NULL,
      currency text NOT NULL,
      valid_from date NOT NULL,
      valid_to date,
      base text NOT NULL,
      rate text NOT NULL,
      reason text NOT NULL,
      created_by text NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (workspace_id, currency, valid_from)
    )`,
  },
  {
    id: "0100-projects",
    sql: `CREATE TABLE IF NOT EXISTS projects (
      id text PRIMARY KEY,
      workspace_id text NOT NULL,
      name text NOT NULL,
      color text NOT NULL,
      client text NOT NULL,
      currency text NOT NULL,
      hourly_rate_minor int8,
      billable boolean NOT NULL,
      budget_type text,
      budget_amount int8,
      budget_period text,
      budget_alert_percent integer,
      last_tracked_at timestamptz,
      archived_at timestamptz,
      archived_by text,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    )`,
  },
  {
    id: "0101-projects-workspace",
    sql: "CREATE INDEX IF NOT EXISTS projects_workspace ON projects (workspace_id)",
  },
  {
    id: "0102-time-entries",
    sql: `CREATE TABLE IF NOT EXISTS time_entries (
      id text PRIMARY KEY,
      workspace_id text NOT NULL,
      user_id text NOT NULL,
      project_id text,
      description text NOT NULL,
      started_at timestamptz NOT NULL,
      ended_at timestamptz,
      duration_seconds integer,
      billable boolean NOT NULL,
      hourly_rate_minor int8,
      amount_minor int8,
      currency text NOT NULL,
      tags jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    )`,
  },
  {
    id: "0103-time-entries-running",
    sql: "CREATE UNIQUE INDEX IF NOT EXISTS time_entries_running ON time_entries (workspace_id, user_id) WHERE ended_at IS NULL",
  },
  {
    id: "0104-time-entries-started",
    sql: "CREATE INDEX IF NOT EXISTS time_entries_started ON time_entries (workspace_id, started_at, id)",
  },
  {
    id: "0105-time-entries-user",
    sql: "CREATE INDEX IF NOT EXISTS time_entries_user ON time_entries (workspace_id, user_id, started_at, id)",
  },
  {
    id: "0106-time-entries-project",
    sql: "CREATE INDEX IF NOT EXISTS time_entries_project ON time_entries (project_id, started_at, id)",
  },
  {
    id: "0107-time-entries-updated",
    sql: "CREATE INDEX IF NOT EXISTS time_entries_updated ON time_entries (workspace_id, updated_at, id)",
  },
  {
    id: "0108-budget-warnings",
    sql: `CREATE TABLE IF NOT EXISTS budget_warnings (
      project_id text NOT NULL,
      period text NOT NULL,
      threshold text NOT NULL,
      warned_at timestamptz NOT NULL,
      PRIMARY KEY (project_id, period, threshold)
    )`,
  },
  {
    id: "0109-events-actor",
    sql: "CREATE INDEX IF NOT EXISTS events_actor ON events (workspace_id, actor_id, id)",
  },
  {
    id: "0110-events-target",
    sql: "CREATE INDEX IF NOT EXISTS events_target ON events (workspace_id, target_id, id)",
  },
  {
    id: "0119-time-entries-person",
    sql: "CREATE INDEX IF NOT EXISTS time_entries_person ON time_entries (user_id, started_at, id)",
  },
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
  {
    id: "0160-reports",
    sql: `CREATE TABLE IF NOT EXISTS reports (
      id text PRIMARY KEY,
      workspace_id text NOT NULL,
      user_id text NOT NULL,
      everybodys boolean NOT NULL,
      type text NOT NULL,
      format text NOT NULL,
      size_bytes int8 NOT NULL,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL
    )`,
  },
  {
    id: "0161-reports-expires",
    sql: "CREATE INDEX IF NOT EXISTS reports_expires ON reports (expires_at)",
  },
  {
    // Covers every column that a report reads, so that it can be aggregated by an index-only scan.
    id: "0162-time-entries-reported",
    sql: `CREATE INDEX IF NOT EXISTS time_entries_reported ON time_entries (workspace_id, started_at)
      INCLUDE (user_id, project_id, billable, currency, duration_seconds, amount_minor)`,
  },
  {
    id: "0180-consents",
    sql: `CREATE TABLE IF NOT EXISTS consents (
      id text PRIMARY KEY,
      user_id text,
      policy_version text NOT NULL,
      categories text NOT NULL,
      action text NOT NULL,
      global_privacy_control boolean NOT NULL,
      user_agent text NOT NULL,
      at timestamptz NOT NULL
    )`,
  },
  {
    id: "0181-consents-user",
    sql: "CREATE INDEX IF NOT EXISTS consents_user ON consents (user_id, id)",
  },
  {
    id: "0200-invitations-workspace",
    sql: "CREATE INDEX IF NOT EXISTS invitations_workspace ON invitations (workspace_id)",
  },
  {
    id: "0205-workspaces-require-two-factor",
    sql: "ALTER TABLE workspaces ADD COLUMN IF NOT EXISTS require_two_factor boolean",
  },
  {
    id: "0210-workspaces-members-see-money",
    sql: "ALTER TABLE workspaces ADD COLUMN IF NOT EXISTS members_see_money boolean",
  },
  {
    id: "0211-projects-active",
    sql: "CREATE INDEX IF NOT EXISTS projects_active ON projects (workspace_id) WHERE archived_at IS NULL",
  },
  {
    id: "0215-registrations-email-key",
    sql: "ALTER TABLE registrations ADD COLUMN IF NOT EXISTS email_key text",
  },
  {
    id: "0216-registrations-email",
    sql: "CREATE INDEX IF NOT EXISTS registrations_email ON registrations (email_key, created_at)",
  },
  {
    id: "0217-email-changes",
    sql: `CREATE TABLE IF NOT EXISTS email_changes (
      token_hash text PRIMARY KEY,
      undo_hash text NOT NULL,
      user_id text NOT NULL,
      old_email text NOT NULL,
      new_email text NOT NULL,
      password_fingerprint text NOT NULL,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      confirmed_at timestamptz,
      undo_expires_at timestamptz NOT NULL
    )`,
  },
  {
    id: "0218-email-changes-undo",
    sql: "CREATE UNIQUE INDEX IF NOT EXISTS email_changes_undo ON email_changes (undo_hash)",
  },
  {
    id: "0219-email-changes-user",
    sql: "CREATE INDEX IF NOT EXISTS email_changes_user ON email_changes (user_id, created_at)",
  },
  {
    id: "0225-login-failures-running",
    sql: "ALTER TABLE login_failures ADD COLUMN IF NOT EXISTS running integer",
  },
  {
    id: "0226-login-failures-running-until",
    sql: "ALTER TABLE login_failures ADD COLUMN IF NOT EXISTS running_until timestamptz",
  },
  {
    id: "0230-webauthn-credentials-discoverable",
    sql: "ALTER TABLE webauthn_credentials ADD COLUMN IF NOT EXISTS discoverable boolean",
  },
  {
    id: "0231-webauthn-credentials-user-handle",
    sql: "ALTER TABLE webauthn_credentials ADD COLUMN IF NOT EXISTS user_handle text",
  },
  {
    id: "0232-used-challenges",
    sql: `CREATE TABLE IF NOT EXISTS used_challenges (
      challenge text PRIMARY KEY,
      expires_at timestamptz NOT NULL
    )`,
  },
  // Names with control characters for the direction of text are no longer accepted.
  {
    id: "0235-users-plain-names",
    sql: `UPDATE users SET name = ${withoutDirections("name")}, title = ${withoutDirections("title")}
      WHERE ${hasDirections("name")} OR ${hasDirections("title")}`,
  },
  {
    id: "0236-workspaces-plain-names",
    sql: `UPDATE workspaces SET name = ${withoutDirections("name")} WHERE ${hasDirections("name")}`,
  },
  {
    id: "0237-teams-plain-names",
    sql: `UPDATE teams SET name = ${withoutDirections("name")} WHERE ${hasDirections("name")}`,
  },
  {
    id: "0238-projects-plain-names",
    sql: `UPDATE projects SET name = ${withoutDirections("name")}, client = ${withoutDirections("client")}
      WHERE ${hasDirections("name")} OR ${hasDirections("client")}`,
  },
  {
    id: "0240-users-deleted",
    sql: "CREATE INDEX IF NOT EXISTS users_deleted ON users (deleted_at) WHERE deleted_at IS NOT NULL",
  },
  {
    id: "0241-reports-user",
    sql: "CREATE INDEX IF NOT EXISTS reports_user ON reports (user_id, id)",
  },
  {
    id: "0242-reports-workspace",
    sql: "CREATE INDEX IF NOT EXISTS reports_workspace ON reports (workspace_id, id)",
  },
  {
    id: "0250-users-erased-at",
    sql: "ALTER TABLE users ADD COLUMN IF NOT EXISTS erased_at timestamptz",
  },
  {
    id: "0251-users-not-erased",
    sql: `CREATE INDEX IF NOT EXISTS users_not_erased ON users (id)
      WHERE deleted_at IS NOT NULL AND erased_at IS NULL`,
  },
  // purge-expired finds the expired rows of each table by an index.
  {
    id: "0252-registrations-expires",
    sql: "CREATE INDEX IF NOT EXISTS registrations_expires ON registrations (expires_at)",
  },
  {
    id: "0253-password-resets-expires",
    sql: "CREATE INDEX IF NOT EXISTS password_resets_expires ON password_resets (expires_at)",
  },
  {
    id: "0254-email-changes-undo-expires",
    sql: "CREATE INDEX IF NOT EXISTS email_changes_undo_expires ON email_changes (undo_expires_at)",
  },
  {
    id: "0255-totp-factors-unconfirmed",
    sql: "CREATE INDEX IF NOT EXISTS totp_factors_unconfirmed ON totp_factors (created_at) WHERE confirmed_at IS NULL",
  },
  {
    id: "0256-webauthn-challenges-expires",
    sql: "CREATE INDEX IF NOT EXISTS webauthn_challenges_expires ON webauthn_challenges (expires_at)",
  },
  {
    id: "0257-sessions-expires",
    sql: "CREATE INDEX IF NOT EXISTS sessions_expires ON sessions (expires_at)",
  },
  {
    id: "0258-sessions-ended",
    sql: "CREATE INDEX IF NOT EXISTS sessions_ended ON sessions (ended_at) WHERE ended_at IS NOT NULL",
  },
  {
    id: "0259-login-failures-window",
    sql: "CREATE INDEX IF NOT EXISTS login_failures_window ON login_failures (window_started_at)",
  },
  {
    id: "0260-rate-counters-expires",
    sql: "CREATE INDEX IF NOT EXISTS rate_counters_expires ON rate_counters (expires_at)",
  },
  {
    id: "0261-idempotent-calls-started",
    sql: "CREATE INDEX IF NOT EXISTS idempotent_calls_started ON idempotent_calls (started_at)",
  },
  {
    id: "0262-api-tokens-expires",
    sql: "CREATE INDEX IF NOT EXISTS api_tokens_expires ON api_tokens (expires_at)",
  },
  {
    id: "0263-invitations-expires",
    sql: "CREATE INDEX IF NOT EXISTS invitations_expires ON invitations (expires_at)",
  },
  {
    id: "0264-logins-unknown",
    sql: "CREATE INDEX IF NOT EXISTS logins_unknown ON logins (at) WHERE user_id = ''",
  },
  {
    id: "0265-used-challenges-expires",
    sql: "CREATE INDEX IF NOT EXISTS used_challenges_expires ON used_challenges (expires_at)",
  },
  {
    id: "0266-job-cursors",
    sql: `CREATE TABLE IF NOT EXISTS job_cursors (
      job text PRIMARY KEY,
      position text NOT NULL,
      updated_at timestamptz NOT NULL
    )`,
  },
  {
    id: "0267-projects-budgeted",
    sql: `CREATE INDEX IF NOT EXISTS projects_budgeted ON projects (id)
      WHERE budget_type IS NOT NULL AND archived_at IS NULL`,
  },
  // Kept sums of finished entries. `starts_on` is the first day of the month or the day, in UTC.
  {
    id: "0270-project-sums",
    sql: `CREATE TABLE IF NOT EXISTS project_sums (
      project_id text NOT NULL,
      unit text NOT NULL,
      starts_on text NOT NULL,
      user_id text NOT NULL,
      currency text NOT NULL,
      minor numeric(38, 0) NOT NULL,
      seconds bigint NOT NULL,
      PRIMARY KEY (project_id, unit, starts_on, user_id, currency)
    )`,
  },
  {
    id: "0271-projects-sums-complete-at",
    sql: "ALTER TABLE projects ADD COLUMN IF NOT EXISTS sums_complete_at timestamptz",
  },
  {
    id: "0272-project-guards",
    sql: `CREATE TABLE IF NOT EXISTS project_guards (
      project_id text NOT NULL,
      shard integer NOT NULL,
      deleted_at timestamptz,
      PRIMARY KEY (project_id, shard)
    )`,
  },
  {
    id: "0273-project-guards-deleted",
    sql: "CREATE INDEX IF NOT EXISTS project_guards_deleted ON project_guards (deleted_at) WHERE deleted_at IS NOT NULL",
  },
  {
    id: "0274-time-entries-running-project",
    sql: "CREATE INDEX IF NOT EXISTS time_entries_running_project ON time_entries (project_id) WHERE ended_at IS NULL",
  },
  {
    id: "0278-unrecorded-erasures",
    sql: "CREATE TABLE IF NOT EXISTS unrecorded_erasures (key text PRIMARY KEY)",
  },
  {
    id: "0279-webhook-deliveries-sign-in",
    sql: `CREATE INDEX IF NOT EXISTS webhook_deliveries_sign_in ON webhook_deliveries (event_id)
      WHERE type = 'security.suspicious_login'`,
  },
  {
    // Backups from before these deletions may be restored. A transaction of Aurora DSQL may write 3,000 rows.
    id: "0280-recent-erasures",
    sql: `INSERT INTO unrecorded_erasures (key)
      SELECT 'erasures/era_migrated/accounts/' || id FROM users
      WHERE deleted_at > now() - interval '35 days' ORDER BY deleted_at DESC LIMIT 2500
      ON CONFLICT DO NOTHING`,
  },
  {
    id: "0282-webhook-deliveries-traceparent",
    sql: "ALTER TABLE webhook_deliveries ADD COLUMN IF NOT EXISTS traceparent text",
  },
  {
    id: "0290-webhook-deliveries-planned-at",
    sql: "ALTER TABLE webhook_deliveries ADD COLUMN IF NOT EXISTS planned_at timestamptz",
  },
  {
    id: "0291-webhook-deliveries-endpoint-due",
    sql: `CREATE INDEX IF NOT EXISTS webhook_deliveries_endpoint_due
      ON webhook_deliveries (endpoint_id, next_attempt_at, id) WHERE next_attempt_at IS NOT NULL`,
  },
  {
    id: "0300-events-origin",
    sql: `ALTER TABLE events
      ADD COLUMN IF NOT EXISTS country text,
      ADD COLUMN IF NOT EXISTS city text,
      ADD COLUMN IF NOT EXISTS token_id text`,
  },
  {
    id: "0301-events-occurrences",
    sql: "ALTER TABLE events ADD COLUMN IF NOT EXISTS occurrences integer",
  },
  {
    id: "0303-events-action",
    sql: "CREATE INDEX IF NOT EXISTS events_action ON events (workspace_id, action, id)",
  },
  {
    id: "0304-events-failures",
    sql: "CREATE INDEX IF NOT EXISTS events_failures ON events (workspace_id, id) WHERE outcome = 'failure'",
  },
  {
    id: "0305-time-entries-version",
    sql: "ALTER TABLE time_entries ADD COLUMN IF NOT EXISTS version text",
  },
  {
    id: "0306-projects-version",
    sql: "ALTER TABLE projects ADD COLUMN IF NOT EXISTS version text",
  },
  {
    id: "0307-workspaces-version",
    sql: "ALTER TABLE workspaces ADD COLUMN IF NOT EXISTS version text",
  },
  {
    id: "0308-teams-version",
    sql: "ALTER TABLE teams ADD COLUMN IF NOT EXISTS version text",
  },
  {
    id: "0309-users-version",
    sql: "ALTER TABLE users ADD COLUMN IF NOT EXISTS version text",
  },
  {
    id: "0309b-webhook-endpoints-version",
    sql: "ALTER TABLE webhook_endpoints ADD COLUMN IF NOT EXISTS version text",
  },
  {
    id: "0309c-rate-overrides-version",
    sql: "ALTER TABLE rate_overrides ADD COLUMN IF NOT EXISTS version text",
  },
  {
    id: "0309d-ip-allowlists-version",
    sql: "ALTER TABLE ip_allowlists ADD COLUMN IF NOT EXISTS version text",
  },
  {
    id: "0310-time-entries-updated-by",
    sql: "ALTER TABLE time_entries ADD COLUMN IF NOT EXISTS updated_by text",
  },
  {
    id: "0311-workspaces-locked-until",
    sql: "ALTER TABLE workspaces ADD COLUMN IF NOT EXISTS locked_until date",
  },
  {
    id: "0312-period-locks",
    sql: `CREATE TABLE IF NOT EXISTS period_locks (
      workspace_id text NOT NULL,
      locked_until date NOT NULL,
      locked_at timestamptz NOT NULL,
      PRIMARY KEY (workspace_id, locked_until)
    )`,
  },
  {
    id: "0313-period-guards",
    sql: `CREATE TABLE IF NOT EXISTS period_guards (
      workspace_id text NOT NULL,
      shard integer NOT NULL,
      written_at timestamptz NOT NULL,
      PRIMARY KEY (workspace_id, shard)
    )`,
  },
  {
    id: "0315-events-sequence",
    sql: `ALTER TABLE events
      ADD COLUMN IF NOT EXISTS sequence bigint,
      ADD COLUMN IF NOT EXISTS origin_salt text,
      ADD COLUMN IF NOT EXISTS name_salt text,
      ADD COLUMN IF NOT EXISTS changes_salt text,
      ADD COLUMN IF NOT EXISTS data_salt text`,
  },
  {
    id: "0316-events-unchained",
    sql: `CREATE INDEX IF NOT EXISTS events_unchained ON events (workspace_id, id)
      WHERE sequence IS NULL AND workspace_id IS NOT NULL`,
  },
  {
    id: "0317-audit-links",
    sql: `CREATE TABLE IF NOT EXISTS audit_links (
      workspace_id text NOT NULL,
      sequence bigint NOT NULL,
      event_id text NOT NULL,
      at timestamptz NOT NULL,
      chained_at timestamptz NOT NULL,
      origin_hash text NOT NULL,
      name_hash text NOT NULL,
      changes_hash text NOT NULL,
      data_hash text NOT NULL,
      entry_hash text NOT NULL,
      hash text NOT NULL,
      PRIMARY KEY (workspace_id, sequence)
    )`,
  },
  {
    id: "0318-audit-checkpoints",
    sql: `CREATE TABLE IF NOT EXISTS audit_checkpoints (
      workspace_id text NOT NULL,
      day text NOT NULL,
      sequence bigint NOT NULL,
      hash text NOT NULL,
      at timestamptz NOT NULL,
      purged_before timestamptz,
      key_id text NOT NULL,
      public_key text NOT NULL,
      signature text NOT NULL,
      PRIMARY KEY (workspace_id, day)
    )`,
  },
  {
    id: "0320-rate-corrections",
    sql: `CREATE TABLE IF NOT EXISTS rate_corrections (
      source text NOT NULL,
      code text NOT NULL,
      day date NOT NULL,
      revision integer NOT NULL,
      rate text NOT NULL,
      previous_rate text NOT NULL,
      document text NOT NULL,
      fetched_at timestamptz NOT NULL,
      workspaces_told text,
      PRIMARY KEY (source, code, day, revision)
    )`,
  },
  {
    id: "0321-rate-histories",
    sql: `CREATE TABLE IF NOT EXISTS rate_histories (
      source text PRIMARY KEY,
      covered_from date NOT NULL,
      fetched_at timestamptz NOT NULL
    )`,
  },
  {
    id: "0325-projects-newest",
    sql: "CREATE INDEX IF NOT EXISTS projects_newest ON projects (workspace_id, id)",
  },
  {
    id: "0330-users-avatar-placeholder",
    sql: "ALTER TABLE users ADD COLUMN IF NOT EXISTS avatar_placeholder text",
  },
  {
    id: "0350-audit-links-event",
    sql: "CREATE UNIQUE INDEX IF NOT EXISTS audit_links_event ON audit_links (event_id)",
  },
  { id: "0351-drop-events-unchained", sql: "DROP INDEX IF EXISTS events_unchained" },
];
