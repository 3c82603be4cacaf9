/** Environment variables by name. Tests pass a part of them. */
export type Env = Record<string, string | undefined>;

let read: () => Env = () => process.env;

/** Returns the variables that the configuration is read from. */
export function environment(): Env {
  return read();
}

/**
 * Reads the configuration from `source` from now on, for tools that run functions with separate environments in one process.
 * Without a source, `process.env` is used again.
 */
export function readEnvironmentFrom(source: () => Env = () => process.env): void {
  read = source;
}

/**
 * A resource that a function uses, as listed in its line of routes.ts or jobs.ts. Each need grants environment variables and
 * access rights; `webauthn`, `documents` and `passwords` allow certain packages in the function's bundle.
 */
export type Need =
  | "database"
  | "tokens"
  | "encryption"
  | "checkpoints"
  | "webauthn"
  | "passwords"
  | "avatars:read"
  | "avatars:write"
  | "avatars:sweep"
  | "files:read"
  | "files:write"
  | "erasures:record"
  | "erasures:reapply"
  | "documents"
  | "mail"
  | "queue"
  | "places";

/** Connection to the object store, with the access key of one need. */
export type Storage = {
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
  /** Origin of the store without a trailing slash, such as https://s3.eu-central-2.amazonaws.com. */
  endpoint: string;
  /** The general bucket, `svc-files`. */
  bucket: string;
  /** The avatar bucket, `svc-avatars`. */
  bucketAvatars: string;
  forcePathStyle: boolean;
};

/** A key that signs tokens: at least 32 bytes. */
export type TokenKey = { id: string; secret: Uint8Array };

/** An Ed25519 key: the 32 bytes of its seed (RFC 8032). */
export type AuditKey = { id: string; secret: Uint8Array };

/** An AES-256 key: 32 bytes. */
export type EncryptionKey = { id: string; secret: Uint8Array };

export type Database = { kind: "postgres"; url: string } | { kind: "dsql"; endpoint: string; admin: boolean };

export type Mail = { from: string; smtpUrl: string };

export type Queue = { url: string };

/** Base URLs of the central banks' rate documents, without a trailing slash. */
export type RateFeeds = { ecb: string; nbp: string };

export type RateLimit = { limit: number; windowSeconds: number };

/**
 * The default rate limits, which RATE_LIMITS overrides. A call over its limit fails with `busy`, except for the emails that
 * strangers can request to one recipient, `registration`, `reset`, `invitation` and `emailChange`: those are dropped silently,
 * because an error would reveal earlier requests. `emailChange` also limits the requests of each user, and `dailyInvitations`
 * the invitations of each workspace that is new or on the FREE plan.
 */
export const rateLimits = {
  login: { limit: 30, windowSeconds: 60 },
  upload: { limit: 60, windowSeconds: 60 },
  testEvents: { limit: 10, windowSeconds: 60 },
  reports: { limit: 60, windowSeconds: 60 },
  registration: { limit: 5, windowSeconds: 3600 },
  reset: { limit: 5, windowSeconds: 3600 },
  invitation: { limit: 5, windowSeconds: 3600 },
  emailChange: { limit: 5, windowSeconds: 3600 },
  dailyInvitations: { limit: 50, windowSeconds: 86_400 },
  consent: { limit: 60, windowSeconds: 60 },
} as const satisfies Record<string, RateLimit>;

export type RateLimitName = keyof typeof rateLimits;

function invalid(name: string, expected: string): never {
  throw new Error(`Configuration: ${name} must be ${expected}.`);
}

function required(env: Env, name: string): string {
  return env[name] || invalid(name, "set");
}

function origin(name: string, value: string): string {
  const url = URL.canParse(value) ? new URL(value) : invalid(name, "an HTTP or HTTPS URL");
  if (!/^https?:$/.test(url.protocol) || url.username || url.search || url.hash || url.pathname !== "/")
    invalid(name, "an HTTP or HTTPS URL without a path, query or credentials");
  return url.origin;
}

function baseUrl(name: string, value: string): string {
  const url = URL.canParse(value) ? new URL(value) : invalid(name, "an HTTP or HTTPS URL");
  if (!/^https?:$/.test(url.protocol) || url.username || url.search || url.hash)
    invalid(name, "an HTTP or HTTPS URL without a query or credentials");
  return url.href.replace(/\/$/, "");
}

function flag(env: Env, name: string): boolean {
  const value = env[name] || "false";
  return (
    value === "true" ||
    value === "1" ||
    (value === "false" || value === "0" ? false : invalid(name, "true or false"))
  );
}

function bucketName(env: Env, name: string, fallback: string): string {
  const value = env[name] || fallback;
  return /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(value) ? value : invalid(name, "a valid bucket name");
}

/**
 * Returns the connection to the object store. Rejects temporary credentials: a signed URL expires with them within hours,
 * and avatar URLs are valid for seven days.
 */
export function storage(env: Env = environment()): Storage {
  const accessKeyId = required(env, "STORAGE_ACCESS_KEY_ID");
  if (accessKeyId.startsWith("ASIA"))
    invalid(
      "STORAGE_ACCESS_KEY_ID",
      "a long-term key, because temporary keys cannot sign URLs for seven days",
    );
  if (env.STORAGE_SESSION_TOKEN)
    invalid("STORAGE_SESSION_TOKEN", "unset, because temporary keys cannot sign URLs for seven days");
  return {
    accessKeyId,
    secretAccessKey: required(env, "STORAGE_SECRET_ACCESS_KEY"),
    region: required(env, "STORAGE_REGION"),
    endpoint: origin("STORAGE_ENDPOINT", required(env, "STORAGE_ENDPOINT")),
    bucket: bucketName(env, "STORAGE_BUCKET", "svc-files"),
    bucketAvatars: bucketName(env, "STORAGE_BUCKET_AVATARS", "svc-avatars"),
    forcePathStyle: flag(env, "STORAGE_FORCE_PATH_STYLE"),
  };
}

/** Returns the database. DATABASE_URL (any PostgreSQL) takes precedence over DSQL_ENDPOINT (Aurora DSQL). Only the migrator sets DSQL_ADMIN. */
export function database(env: Env = environment()): Database {
  const url = env.DATABASE_URL;
  if (url)
    return /^postgres(ql)?:\/\//.test(url)
      ? { kind: "postgres", url }
      : invalid("DATABASE_URL", "a URL that begins with postgres:// or postgresql://");
  const endpoint = env.DSQL_ENDPOINT;
  if (!endpoint) invalid("DATABASE_URL or DSQL_ENDPOINT", "set");
  if (!/^[a-z0-9]+\.dsql\.[a-z0-9-]+\.on\.aws$/.test(endpoint))
    invalid("DSQL_ENDPOINT", "the host name of an Aurora DSQL cluster");
  return { kind: "dsql", endpoint, admin: flag(env, "DSQL_ADMIN") };
}

/**
 * Returns the token keys of TOKEN_KEYS, a list `id:secret[,id:secret…]` with base64url secrets. The first key signs and every
 * key verifies, so that keys can be rotated.
 */
export function tokenKeys(env: Env = environment()): TokenKey[] {
  const expected = "a list of id:secret pairs with base64url secrets of at least 32 bytes";
  return keys(env, "TOKEN_KEYS", expected, (bytes) => bytes >= 32);
}

/**
 * Returns the AES-256 keys of ENCRYPTION_KEYS, a list `id:key[,id:key…]` with base64url keys. The first key encrypts and every
 * key decrypts, so that keys can be rotated.
 */
export function encryptionKeys(env: Env = environment()): EncryptionKey[] {
  return uniqueKeys(env, "ENCRYPTION_KEYS");
}

/**
 * Returns the Ed25519 keys of AUDIT_KEYS, a list `id:seed[,id:seed…]` with base64url seeds. The first key signs checkpoints of
 * audit logs, and every key verifies them. Empty without the variable; then checkpoints are not signed.
 */
export function auditKeys(env: Env = environment()): AuditKey[] {
  return env.AUDIT_KEYS ? uniqueKeys(env, "AUDIT_KEYS") : [];
}

function uniqueKeys(env: Env, name: string) {
  const expected = "a list of id:key pairs with base64url keys of 32 bytes and unique ids";
  const found = keys(env, name, expected, (bytes) => bytes === 32);
  if (new Set(found.map(({ id }) => id)).size < found.length) invalid(name, expected);
  return found;
}

function keys(env: Env, name: string, expected: string, fits: (bytes: number) => boolean) {
  return required(env, name)
    .split(",")
    .map((entry) => {
      const [id, encoded, ...rest] = entry.trim().split(":");
      const secret = Buffer.from(encoded ?? "", "base64url");
      if (!id || !/^[\w-]{1,32}$/.test(id) || rest.length > 0 || !fits(secret.length))
        invalid(name, expected);
      return { id, secret };
    });
}

/** Returns the URL of the web client. Links in emails begin with it, and browsers may call the API from its origin. */
export function appUrl(env: Env = environment()): string {
  return origin("APP_URL", required(env, "APP_URL"));
}

/** Returns the origins that browsers may call the API from: the web client's and those of ALLOWED_ORIGINS (comma-separated). */
export function allowedOrigins(env: Env = environment()): string[] {
  const more = (env.ALLOWED_ORIGINS ?? "").split(",").filter(Boolean);
  return [appUrl(env), ...more.map((value) => origin("ALLOWED_ORIGINS", value.trim()))];
}

/**
 * Returns the secrets of ORIGIN_SECRET, a comma-separated list with the newest first, so that they can be rotated. A request
 * with one of them comes from the router, so its viewer headers are authentic. Empty when there is no router; then viewer
 * headers are ignored.
 */
export function originSecrets(env: Env = environment()): string[] {
  if (!env.ORIGIN_SECRET) return [];
  const secrets = env.ORIGIN_SECRET.split(",").map((secret) => secret.trim());
  if (secrets.some((secret) => secret.length < 32))
    invalid("ORIGIN_SECRET", "a comma-separated list of secrets with at least 32 characters each");
  return secrets;
}

/** Returns the path of the file in MaxMind's format that maps IP addresses to countries. */
export function countryFile(env: Env = environment()): string {
  return required(env, "COUNTRY_FILE");
}

/** Returns the day from which deprecated paths may stop working (the Sunset header of RFC 8594), if it is known. */
export function deprecatedSunset(env: Env = environment()): Date | undefined {
  const day = env.DEPRECATED_SUNSET;
  if (!day) return undefined;
  const at = new Date(`${day}T00:00:00Z`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(at.getTime()))
    invalid("DEPRECATED_SUNSET", "a date such as 2027-01-31");
  return at;
}

/** The shortest retention of audit logs, in days. ENTERPRISE workspaces are promised a year. */
export const minAuditRetentionDays = 365;

/** Returns for how many days events are kept, which are the entries of audit logs, or undefined if they are kept forever. */
export function auditRetentionDays(env: Env = environment()): number | undefined {
  const value = env.AUDIT_RETENTION_DAYS;
  if (!value) return undefined;
  if (!/^\d{3,5}$/.test(value) || Number(value) < minAuditRetentionDays)
    invalid("AUDIT_RETENTION_DAYS", `a number of days, ${minAuditRetentionDays} or more`);
  return Number(value);
}

/** Returns the Google Analytics property that pages report to after consent, or undefined when analytics is off. */
export function analyticsId(env: Env = environment()): string | undefined {
  const id = env.ANALYTICS_ID || undefined;
  if (id && !/^G-[A-Z0-9]{4,20}$/.test(id)) invalid("ANALYTICS_ID", "a measurement ID such as G-ABC123DEF4");
  return id;
}

/**
 * Returns the mail server and the sender of emails. Emails contain links that sign in or reset a password, so the connection
 * must be encrypted unless it stays on this machine.
 */
export function mail(env: Env = environment()): Mail {
  const smtpUrl = required(env, "SMTP_URL");
  if (!URL.canParse(smtpUrl) || !isProtected(new URL(smtpUrl)))
    invalid("SMTP_URL", "an smtps:// URL, or an smtp:// URL with requireTLS=true or a loopback host");
  return { from: required(env, "MAIL_FROM"), smtpUrl };
}

/** Returns whether emails to this server are encrypted or stay on this machine. */
function isProtected({
  protocol,
  hostname,
  searchParams,
}: Pick<URL, "protocol" | "hostname" | "searchParams">): boolean {
  if (protocol === "smtps:") return hostname !== "";
  return protocol === "smtp:" && (isLoopback(hostname) || searchParams.get("requireTLS") === "true");
}

/** Returns whether the host name of a URL stands for this machine: localhost, 127.0.0.0/8 or [::1]. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(hostname);
}

/** Returns the queue that triggers webhook deliveries. */
export function queue(env: Env = environment()): Queue {
  const url = required(env, "QUEUE_URL");
  if (!URL.canParse(url) || !url.startsWith("https://")) invalid("QUEUE_URL", "the HTTPS URL of a queue");
  return { url };
}

/**
 * Returns whether webhooks may be sent to `http://127.0.0.1` and `http://localhost`, for receivers under development. Never
 * set it in a deployment.
 */
export function loopbackWebhooks(env: Env = environment()): boolean {
  return flag(env, "SVC_ALLOW_LOOPBACK_WEBHOOKS");
}

/**
 * Returns the base URL of the range search of breached passwords, or undefined when it is off. Plain HTTP is accepted only for
 * 127.0.0.1.
 */
export function pwnedPasswordsUrl(env: Env = environment()): string | undefined {
  const value = env.PWNED_PASSWORDS_URL;
  if (!value) return undefined;
  const url = baseUrl("PWNED_PASSWORDS_URL", value);
  if (!/^(?:https:\/\/|http:\/\/127\.0\.0\.1(?:[:/]|$))/.test(url))
    invalid("PWNED_PASSWORDS_URL", "an HTTPS URL");
  return url;
}

/** Returns the base URLs of the rate documents of the European Central Bank and the National Bank of Poland. */
export function rateFeeds(env: Env = environment()): RateFeeds {
  return {
    ecb: baseUrl("RATES_ECB_URL", env.RATES_ECB_URL || "https://www.ecb.europa.eu/stats/eurofxref"),
    nbp: baseUrl("RATES_NBP_URL", env.RATES_NBP_URL || "https://api.nbp.pl/api/exchangerates/tables"),
  };
}

/**
 * Returns a rate limit, or undefined when limits are off. RATE_LIMITS is a list such as `login=30/60,upload=60/60` (calls per
 * seconds), or `off` for load tests.
 */
export function rateLimit(name: RateLimitName, env: Env = environment()): RateLimit | undefined {
  const value = env.RATE_LIMITS;
  if (value === "off") return undefined;
  for (const entry of value ? value.split(",") : []) {
    const match = /^(\w+)=(\d{1,9})\/(\d{1,6})$/.exec(entry.trim());
    if (!match || Number(match[2]) < 1 || Number(match[3]) < 1)
      invalid("RATE_LIMITS", "off or a list of name=calls/seconds");
    if (match[1] === name) return { limit: Number(match[2]), windowSeconds: Number(match[3]) };
  }
  return rateLimits[name];
}

const parsers: Record<Need, (env: Env) => unknown> = {
  database,
  tokens: tokenKeys,
  encryption: encryptionKeys,
  checkpoints: auditKeys,
  // The relying party ID is the host of the web client.
  webauthn: appUrl,
  passwords: pwnedPasswordsUrl,
  "avatars:read": storage,
  "avatars:write": storage,
  "avatars:sweep": storage,
  "files:read": storage,
  "files:write": storage,
  "erasures:record": storage,
  "erasures:reapply": storage,
  documents: () => undefined,
  mail,
  queue,
  places: countryFile,
};

/**
 * Throws when a variable that these needs require is missing or malformed. The message names the variable and never
 * includes its value.
 */
export function validate(needs: readonly Need[], env: Env = environment()): void {
  allowedOrigins(env);
  rateLimit("login", env);
  originSecrets(env);
  deprecatedSunset(env);
  auditRetentionDays(env);
  rateFeeds(env);
  analyticsId(env);
  for (const need of needs) parsers[need](env);
}
