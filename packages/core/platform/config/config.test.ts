import { describe, expect, it } from "vitest";
import * as Config from "./config.ts";

const storage = {
  STORAGE_ACCESS_KEY_ID: "AKIAEXAMPLE",
  STORAGE_SECRET_ACCESS_KEY: "s3cr3t-value",
  STORAGE_REGION: "eu-central-2",
  STORAGE_ENDPOINT: "https://s3.eu-central-2.amazonaws.com",
};
const key = Buffer.alloc(32, 1).toString("base64url");

it("storage reads its variables and defaults", () => {
  expect(Config.storage(storage)).toEqual({
    accessKeyId: "AKIAEXAMPLE",
    secretAccessKey: "s3cr3t-value",
    region: "eu-central-2",
    endpoint: "https://s3.eu-central-2.amazonaws.com",
    bucket: "svc-files",
    bucketAvatars: "svc-avatars",
    forcePathStyle: false,
  });
});

describe("a missing or malformed variable", () => {
  const cases: [string, () => unknown][] = [
    ...Object.keys(storage).map((name): [string, () => unknown] => [
      name,
      () => Config.storage({ ...storage, [name]: "" }),
    ]),
    [
      "STORAGE_ENDPOINT",
      () => Config.storage({ ...storage, STORAGE_ENDPOINT: "https://user:s3cr3t-value@s3.test" }),
    ],
    ["STORAGE_ENDPOINT", () => Config.storage({ ...storage, STORAGE_ENDPOINT: "s3cr3t-value" })],
    [
      "STORAGE_ACCESS_KEY_ID",
      () => Config.storage({ ...storage, STORAGE_ACCESS_KEY_ID: "ASIAs3cr3t-value" }),
    ],
    ["STORAGE_SESSION_TOKEN", () => Config.storage({ ...storage, STORAGE_SESSION_TOKEN: "s3cr3t-value" })],
    ["STORAGE_BUCKET_AVATARS", () => Config.storage({ ...storage, STORAGE_BUCKET_AVATARS: "S3cr3t-value!" })],
    [
      "STORAGE_FORCE_PATH_STYLE",
      () => Config.storage({ ...storage, STORAGE_FORCE_PATH_STYLE: "s3cr3t-value" }),
    ],
    ["DATABASE_URL", () => Config.database({ DATABASE_URL: "mysql://s3cr3t-value" })],
    ["DSQL_ENDPOINT", () => Config.database({})],
    ["DSQL_ENDPOINT", () => Config.database({ DSQL_ENDPOINT: "s3cr3t-value" })],
    ["TOKEN_KEYS", () => Config.tokenKeys({})],
    ["ENCRYPTION_KEYS", () => Config.encryptionKeys({})],
    ["ENCRYPTION_KEYS", () => Config.encryptionKeys({ ENCRYPTION_KEYS: "a:s3cr3t-value" })],
    ["ENCRYPTION_KEYS", () => Config.encryptionKeys({ ENCRYPTION_KEYS: `a:${"s3cr3t".repeat(10)}` })],
    ["QUEUE_URL", () => Config.queue({})],
    ["QUEUE_URL", () => Config.queue({ QUEUE_URL: "s3cr3t" })],
    ["SVC_ALLOW_LOOPBACK_WEBHOOKS", () => Config.loopbackWebhooks({ SVC_ALLOW_LOOPBACK_WEBHOOKS: "s3cr3t" })],
    ["TOKEN_KEYS", () => Config.tokenKeys({ TOKEN_KEYS: "a:s3cr3t-value" })],
    ["TOKEN_KEYS", () => Config.tokenKeys({ TOKEN_KEYS: `${key}` })],
    ["ENCRYPTION_KEYS", () => Config.encryptionKeys({})],
    ["ENCRYPTION_KEYS", () => Config.encryptionKeys({ ENCRYPTION_KEYS: "a:s3cr3t-value" })],
    [
      "ENCRYPTION_KEYS",
      () => Config.encryptionKeys({ ENCRYPTION_KEYS: `a:${Buffer.alloc(33, 1).toString("base64url")}` }),
    ],
    ["ENCRYPTION_KEYS", () => Config.encryptionKeys({ ENCRYPTION_KEYS: `a:${key},a:${key}` })],
    ["AUDIT_KEYS", () => Config.auditKeys({ AUDIT_KEYS: "a:s3cr3t-value" })],
    ["AUDIT_KEYS", () => Config.auditKeys({ AUDIT_KEYS: `a:${key},a:${key}` })],
    ["APP_URL", () => Config.appUrl({ APP_URL: "s3cr3t-value" })],
    [
      "ALLOWED_ORIGINS",
      () =>
        Config.allowedOrigins({ APP_URL: "https://a.test", ALLOWED_ORIGINS: "https://b.test/s3cr3t-value" }),
    ],
    ["SMTP_URL", () => Config.mail({ MAIL_FROM: "a@b.test", SMTP_URL: "s3cr3t-value" })],
    ["SMTP_URL", () => Config.mail({ MAIL_FROM: "a@b.test", SMTP_URL: "smtp://u:s3cr3t-value@a.test" })],
    ["MAIL_FROM", () => Config.mail({ SMTP_URL: "smtps://a.test" })],
    ["ORIGIN_SECRET", () => Config.originSecrets({ ORIGIN_SECRET: "s3cr3t-value" })],
    ["ORIGIN_SECRET", () => Config.originSecrets({ ORIGIN_SECRET: `${"s3cr3t".repeat(6)},s3cr3t-value` })],
    ["ORIGIN_SECRET", () => Config.originSecrets({ ORIGIN_SECRET: `${"s3cr3t".repeat(6)},` })],
    ["PWNED_PASSWORDS_URL", () => Config.pwnedPasswordsUrl({ PWNED_PASSWORDS_URL: "s3cr3t-value" })],
    [
      "PWNED_PASSWORDS_URL",
      () => Config.pwnedPasswordsUrl({ PWNED_PASSWORDS_URL: "http://s3cr3t-value.test" }),
    ],
    [
      "PWNED_PASSWORDS_URL",
      () => Config.pwnedPasswordsUrl({ PWNED_PASSWORDS_URL: "http://127.0.0.1.s3cr3t-value.test" }),
    ],
    ["COUNTRY_FILE", () => Config.countryFile({})],
    ["RATE_LIMITS", () => Config.rateLimit("login", { RATE_LIMITS: "s3cr3t-value" })],
    ["AUDIT_RETENTION_DAYS", () => Config.auditRetentionDays({ AUDIT_RETENTION_DAYS: "s3cr3t-value" })],
    [
      "AUDIT_RETENTION_DAYS must be a number of days, 365 or more",
      () => Config.validate([], { APP_URL: "https://a.test", AUDIT_RETENTION_DAYS: "364" }),
    ],
    ["DEPRECATED_SUNSET", () => Config.deprecatedSunset({ DEPRECATED_SUNSET: "s3cr3t-value" })],
    [
      "DEPRECATED_SUNSET",
      () => Config.validate([], { APP_URL: "https://a.test", DEPRECATED_SUNSET: "soon" }),
    ],
    ["RATE_LIMITS", () => Config.rateLimit("login", { RATE_LIMITS: "login=0/60" })],
  ];
  it.each(cases)("%s is named in the error without its value", (name, start) => {
    expect(start).toThrow(name);
    expect(start).not.toThrow("s3cr3t-value");
  });
});

it("pwnedPasswordsUrl is off by default and returns the URL without a trailing slash", () => {
  expect(Config.pwnedPasswordsUrl({})).toBeUndefined();
  expect(Config.pwnedPasswordsUrl({ PWNED_PASSWORDS_URL: "https://pwned.test/range/" })).toBe(
    "https://pwned.test/range",
  );
  expect(Config.pwnedPasswordsUrl({ PWNED_PASSWORDS_URL: "http://127.0.0.1:4010" })).toBe(
    "http://127.0.0.1:4010",
  );
});

describe("mail", () => {
  const from = { MAIL_FROM: "a@b.test" };

  it.each([
    "smtps://user:password@mail.test:465",
    "smtp://mail.test:587?requireTLS=true",
    "smtp://localhost:25",
    "smtp://127.0.0.1:25",
    "smtp://[::1]:25",
  ])("accepts %s", (SMTP_URL) => {
    expect(Config.mail({ ...from, SMTP_URL })).toEqual({ from: from.MAIL_FROM, smtpUrl: SMTP_URL });
  });

  it.each([
    "smtp://mail.test",
    "smtp://mail.test:587?requireTLS=false",
    "smtp://mail.test#requireTLS=true",
    "smtp://127.0.0.1.mail.test",
    "smtp://localhost.mail.test",
    "smtp://10.0.0.1:25",
    "smtp://localhost@mail.test",
    "http://mail.test",
    "smtps:",
    "mail.test",
  ])("rejects %s", (SMTP_URL) => {
    expect(() => Config.validate(["mail"], { ...from, SMTP_URL, APP_URL: "https://app.test" })).toThrow(
      "SMTP_URL must be an smtps:// URL, or an smtp:// URL with requireTLS=true or a loopback host",
    );
  });
});

it("tokenKeys returns all keys in order", () => {
  const keys = Config.tokenKeys({ TOKEN_KEYS: `new:${key},old:${key}` });
  expect(keys.map(({ id, secret }) => [id, secret.length])).toEqual([
    ["new", 32],
    ["old", 32],
  ]);
});

it("rateLimit reads single limits from RATE_LIMITS, or turns all off", () => {
  expect(Config.rateLimit("login", {})).toEqual({ limit: 30, windowSeconds: 60 });
  expect(Config.rateLimit("login", { RATE_LIMITS: "upload=1/2,login=5/10" })).toEqual({
    limit: 5,
    windowSeconds: 10,
  });
  expect(Config.rateLimit("upload", { RATE_LIMITS: "login=5/10" })).toEqual({ limit: 60, windowSeconds: 60 });
  expect(Config.rateLimit("login", { RATE_LIMITS: "off" })).toBeUndefined();
});

it("validate checks only the variables that the needs require", () => {
  const env = { APP_URL: "https://app.test", DATABASE_URL: "postgres://localhost/svc" };
  expect(() => Config.validate(["database"], env)).not.toThrow();
  expect(() => Config.validate(["database", "tokens"], env)).toThrow("TOKEN_KEYS");
  expect(() => Config.validate([], {})).toThrow("APP_URL");
});
