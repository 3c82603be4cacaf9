/** The environment, or a part of it that a test made up. */
export type Env = Record<string, string | undefined>;

/**
 * What a function may touch. A line of routes.ts or jobs.ts names its needs; each stands for variables and for one key,
 * and `webauthn` and `documents` for what its bundle may weigh.
 */
export type Need =
  | "database"
  | "tokens"
  | "encryption"
  | "webauthn"
  | "avatars:read"
  | "avatars:write"
  | "avatars:sweep"
  | "files:read"
  | "files:write"
  | "documents"
  | "mail"
  | "queue"
  | "places";

/** How to reach the object store with the key of one need. */
export type Storage = {
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
  /** Origin of the store without a trailing slash, for example https://s3.eu-central-2.amazonaws.com */
  endpoint: string;
  /** The general bucket, `svc-files`. */
  bucket: string;
  /** The avatar bucket, `svc-avatars`. */
  bucketAvatars: string;
  forcePathStyle: boolean;
};

export type TokenKey = { id: string; secret: Uint8Array };

/** A key of AES-256: 32 bytes. */
export type EncryptionKey = { id: string; secret: Uint8Array };

export type Database = { kind: "postgres"; url: string } | { kind: "dsql"; endpoint: string; admin: boolean };

export type Mail = { from: string; smtpUrl: string };

export type Queue = { url: string };

/** Where central banks publish their rates: addresses without a trailing slash. */
export type RateFeeds = { ecb: string; nbp: string };

export type RateLimit = { limit: number; windowSeconds: number };

/**
 * What is limited unless RATE_LIMITS says otherwise. Over it a call is 429, except `reset`, the mails about a lost
 * password to one address: those just do not go out, since an answer would tell that somebody else asked.
 */
export const rateLimits = {
  login: { limit: 30, windowSeconds: 60 },
  upload: { limit: 60, windowSeconds: 60 },
  testEvents: { limit: 10, windowSeconds: 60 },
  reports: { limit: 60, windowSeconds: 60 },
  reset: { limit: 5, windowSeconds: 3600 },
  consent: { limit: 60, windowSeconds: 60 },
} as const satisfies Record<string, RateLimit>;

export type RateLimitName = keyof typeof rateLimits;

function malformed(name: string, expected: string): never {
  throw new Error(`Configuration: ${name} must be ${expected}.`);
}

function required(env: Env, name: string): string {
  return env[name] || malformed(name, "set");
}

function origin(name: string, value: string): string {
  const url = URL.canParse(value) ? new URL(value) : malformed(name, "an http or https address");
  if (!/^https?:$/.test(url.protocol) || url.username || url.search || url.hash || url.pathname !== "/")
    malformed(name, "an http or https address without path, query or credentials");
  return url.origin;
}

function folder(name: string, value: string): string {
  const url = URL.canParse(value) ? new URL(value) : malformed(name, "an http or https address");
  if (!/^https?:$/.test(url.protocol) || url.username || url.search || url.hash)
    malformed(name, "an http or https address without query or credentials");
  return url.href.replace(/\/$/, "");
}

function flag(env: Env, name: string): boolean {
  const value = env[name] || "false";
  return (
    value === "true" ||
    value === "1" ||
    (value === "false" || value === "0" ? false : malformed(name, "true or false"))
  );
}

function bucketName(env: Env, name: string, fallback: string): string {
  const value = env[name] || fallback;
  return /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(value) ? value : malformed(name, "a bucket name");
}

/**
 * The object store. Temporary credentials are refused: a URL signed with them dies with them, in hours, and ours
 * are promised for seven days.
 */
export function storage(env: Env = process.env): Storage {
  const accessKeyId = required(env, "STORAGE_ACCESS_KEY_ID");
  if (accessKeyId.startsWith("ASIA"))
    malformed("STORAGE_ACCESS_KEY_ID", "a long-lived key, not a temporary one");
  if (env.STORAGE_SESSION_TOKEN)
    malformed("STORAGE_SESSION_TOKEN", "absent: temporary keys cannot sign for seven days");
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

/** DATABASE_URL (any PostgreSQL) wins over DSQL_ENDPOINT (Aurora DSQL; DSQL_ADMIN for the migrator alone). */
export function database(env: Env = process.env): Database {
  const url = env.DATABASE_URL;
  if (url)
    return /^postgres(ql)?:\/\//.test(url)
      ? { kind: "postgres", url }
      : malformed("DATABASE_URL", "a postgres:// address");
  const endpoint = env.DSQL_ENDPOINT;
  if (!endpoint) malformed("DATABASE_URL or DSQL_ENDPOINT", "set");
  if (!/^[a-z0-9]+\.dsql\.[a-z0-9-]+\.on\.aws$/.test(endpoint))
    malformed("DSQL_ENDPOINT", "a cluster's host name");
  return { kind: "dsql", endpoint, admin: flag(env, "DSQL_ADMIN") };
}

/** `id:base64url-secret[,id:secret…]`: the first key signs, all of them verify, so that keys can rotate. */
export function tokenKeys(env: Env = process.env): TokenKey[] {
  const expected = "a list of id:secret with base64url secrets of at least 32 bytes";
  return keys(env, "TOKEN_KEYS", expected, (bytes) => bytes >= 32);
}

/** `id:base64url-key[,id:key…]`, AES-256: the first key encrypts, all of them decrypt, so that keys can rotate. */
export function encryptionKeys(env: Env = process.env): EncryptionKey[] {
  const expected = "a list of id:key with base64url keys of 32 bytes, each id once";
  const found = keys(env, "ENCRYPTION_KEYS", expected, (bytes) => bytes === 32);
  if (new Set(found.map(({ id }) => id)).size < found.length) malformed("ENCRYPTION_KEYS", expected);
  return found;
}

function keys(env: Env, name: string, expected: string, fits: (bytes: number) => boolean) {
  return required(env, name)
    .split(",")
    .map((entry) => {
      const [id, encoded, ...rest] = entry.trim().split(":");
      const secret = Buffer.from(encoded ?? "", "base64url");
      if (!id || !/^[\w-]{1,32}$/.test(id) || rest.length > 0 || !fits(secret.length))
        malformed(name, expected);
      return { id, secret };
    });
}

/** The address of the web client: links in mails begin with it, and its origin is the one the browser may call from. */
export function appUrl(env: Env = process.env): string {
  return origin("APP_URL", required(env, "APP_URL"));
}

/** Origins that browsers may call the API from: the client's own, and those of ALLOWED_ORIGINS (comma-separated). */
export function allowedOrigins(env: Env = process.env): string[] {
  const more = (env.ALLOWED_ORIGINS ?? "").split(",").filter(Boolean);
  return [appUrl(env), ...more.map((value) => origin("ALLOWED_ORIGINS", value.trim()))];
}

/**
 * What the router in front of the API sends with each request, so that what it says of the viewer is believed. Undefined
 * when there is no router: then nothing that a request says of its origin is.
 */
export function originSecret(env: Env = process.env): string | undefined {
  const secret = env.ORIGIN_SECRET || undefined;
  if (secret && secret.length < 32) malformed("ORIGIN_SECRET", "at least 32 characters");
  return secret;
}

/** Path of the MaxMind-format file that knows the country of an address. */
export function countryFile(env: Env = process.env): string {
  return required(env, "COUNTRY_FILE");
}

/** The day from which deprecated paths may be gone, when it is known (RFC 8594). */
export function deprecatedSunset(env: Env = process.env): Date | undefined {
  const day = env.DEPRECATED_SUNSET;
  if (!day) return undefined;
  const at = new Date(`${day}T00:00:00Z`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(at.getTime()))
    malformed("DEPRECATED_SUNSET", "a day such as 2027-01-31");
  return at;
}

/** The Google Analytics property that pages report to, once a visitor has agreed; undefined: to none. */
export function analyticsId(env: Env = process.env): string | undefined {
  const id = env.ANALYTICS_ID || undefined;
  if (id && !/^G-[A-Z0-9]{4,20}$/.test(id))
    malformed("ANALYTICS_ID", "a measurement id such as G-ABC123DEF4");
  return id;
}

/** Where mail goes out, and in whose name. */
export function mail(env: Env = process.env): Mail {
  const smtpUrl = required(env, "SMTP_URL");
  if (!/^smtps?:\/\//.test(smtpUrl)) malformed("SMTP_URL", "an smtp:// or smtps:// address");
  return { from: required(env, "MAIL_FROM"), smtpUrl };
}

/** The queue that wakes the deliverer of webhooks. */
export function queue(env: Env = process.env): Queue {
  const url = required(env, "QUEUE_URL");
  if (!URL.canParse(url) || !url.startsWith("https://"))
    malformed("QUEUE_URL", "the https address of a queue");
  return { url };
}

/**
 * Whether webhooks may go to `http://127.0.0.1` and `http://localhost`, for receivers under development. Only ever set where
 * everything runs on one machine.
 */
export function loopbackWebhooks(env: Env = process.env): boolean {
  return flag(env, "SVC_ALLOW_LOOPBACK_WEBHOOKS");
}

/** The folders of the European Central Bank's and the National Bank of Poland's documents, or what stands in for them. */
export function rateFeeds(env: Env = process.env): RateFeeds {
  return {
    ecb: folder("RATES_ECB_URL", env.RATES_ECB_URL || "https://www.ecb.europa.eu/stats/eurofxref"),
    nbp: folder("RATES_NBP_URL", env.RATES_NBP_URL || "https://api.nbp.pl/api/exchangerates/tables"),
  };
}

/** `login=30/60,upload=60/60`, each a number of calls per seconds; `off` switches all of them off, for load tests. */
export function rateLimit(name: RateLimitName, env: Env = process.env): RateLimit | undefined {
  const value = env.RATE_LIMITS;
  if (value === "off") return undefined;
  for (const entry of value ? value.split(",") : []) {
    const match = /^(\w+)=(\d{1,9})\/(\d{1,6})$/.exec(entry.trim());
    if (!match || Number(match[2]) < 1 || Number(match[3]) < 1)
      malformed("RATE_LIMITS", "off, or a list of name=calls/seconds");
    if (match[1] === name) return { limit: Number(match[2]), windowSeconds: Number(match[3]) };
  }
  return rateLimits[name];
}

const parsers: Record<Need, (env: Env) => unknown> = {
  database,
  tokens: tokenKeys,
  encryption: encryptionKeys,
  // The relying party is the host of the client.
  webauthn: appUrl,
  "avatars:read": storage,
  "avatars:write": storage,
  "avatars:sweep": storage,
  "files:read": storage,
  "files:write": storage,
  documents: () => undefined,
  mail,
  queue,
  places: countryFile,
};

/** Stops a start whose configuration lacks or garbles what these needs call for: an error with the name, never the value. */
export function demand(needs: readonly Need[], env: Env = process.env): void {
  allowedOrigins(env);
  rateLimit("login", env);
  originSecret(env);
  deprecatedSunset(env);
  rateFeeds(env);
  analyticsId(env);
  for (const need of needs) parsers[need](env);
}
