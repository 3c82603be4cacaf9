import * as Config from "../packages/core/platform/config/config.ts";

/** Where the functions, the HTTP API and the database live. */
export const region = "eu-central-1";

/** Where the buckets live: an opt-in region, and not one that is known to offer Aurora DSQL. */
export const storageRegion = "eu-central-2";

/**
 * The generations of every storage key. The last one signs. To rotate, add the next number and deploy; take the old one away
 * seven days later at the earliest, since that ends every URL that it signed.
 */
export const storageKeyGenerations = [1];

/** Requests for the whole API; beyond them the gateway answers 429 itself. */
export const throttling = { throttlingRateLimit: 200, throttlingBurstLimit: 400 };

export const logRetentionDays = 30;

/** For how long a production database can be brought back, and with it the pictures that it names. */
export const backupDays = 35;

/** The stage whose data outlives mistakes: nothing that holds data is removed with the stack or emptied by it. */
export function isProduction(stage: string): boolean {
  return stage === "production";
}

export type Settings = {
  /** `dsql` makes an Aurora DSQL cluster, `url` uses the PostgreSQL that the secret DatabaseUrl names. */
  database: "dsql" | "url";
  mailFrom: string;
  /** Who is mailed when an alarm goes off, if anybody: whoever it is has to confirm once. */
  alarmMail: string | undefined;
  /** The Google Analytics property that the client is built for. */
  analyticsId: string | undefined;
  /** The router's own domain; undefined: the one that CloudFront gives it. */
  domain: { name: string; dns?: false; cert?: string } | undefined;
  /** What every function is told, besides the router's address. */
  environment: Record<string, string>;
};

/**
 * What differs between stages and is no secret, from the environment that `sst` runs in: it reads `.env.<stage>` beside
 * sst.config.ts, which may be committed. Judged by the rules that the functions judge it by, so that a bad value stops
 * the deploy rather than the functions.
 */
export function settings(env: Config.Env = process.env): Settings {
  // Nobody knows CloudFront's address before the first deploy: without APP_URL the functions are told it by the router.
  const { APP_URL: address = "https://router.invalid" } = env;
  Config.validate([], { ...env, APP_URL: address });
  const { ALLOWED_ORIGINS, RATE_LIMITS, MAIL_FROM, SVC_DATABASE = "dsql", SVC_ALARM_MAIL } = env;
  if (SVC_DATABASE !== "dsql" && SVC_DATABASE !== "url")
    throw new Error("Configuration: SVC_DATABASE must be dsql or url.");
  if (!MAIL_FROM) throw new Error("Configuration: MAIL_FROM must be set.");
  return {
    database: SVC_DATABASE,
    mailFrom: MAIL_FROM,
    alarmMail: SVC_ALARM_MAIL || undefined,
    analyticsId: Config.analyticsId(env),
    domain: domainOf(env),
    environment: {
      ...(ALLOWED_ORIGINS && { ALLOWED_ORIGINS }),
      ...(RATE_LIMITS && { RATE_LIMITS }),
    },
  };
}

/** DNS in Route 53 is written by the deploy; elsewhere it is pointed at CloudFront by hand, with a certificate that is there. */
function domainOf({ APP_URL, SVC_CERTIFICATE_ARN: cert }: Config.Env): Settings["domain"] {
  if (!APP_URL) return undefined;
  const { protocol, host: name, port } = new URL(APP_URL);
  if (protocol !== "https:" || port)
    throw new Error("Configuration: APP_URL must be an https address without a port, or not set.");
  if (!cert) return { name };
  if (!/^arn:aws:acm:us-east-1:\d{12}:certificate\/[\w-]+$/.test(cert))
    throw new Error("Configuration: SVC_CERTIFICATE_ARN must be a certificate in us-east-1.");
  return { name, dns: false, cert };
}
