import * as Config from "../packages/core/platform/config/config.ts";

/** The region of the functions, the HTTP API and the database. */
export const region = "eu-central-1";

/** The region of the buckets. It is an opt-in region, and AWS does not list it for Aurora DSQL. */
export const storageRegion = "eu-central-2";

/**
 * The generations of every storage key. The last one signs. To rotate, add the next number and deploy. Remove the old number
 * seven days later at the earliest, because that invalidates every URL that the old key signed.
 */
export const storageKeyGenerations = [1];

/** Limits on requests per second for the whole API. Above them, the gateway returns 429. */
export const throttling = { throttlingRateLimit: 200, throttlingBurstLimit: 400 };

export const logRetentionDays = 30;

/** Retention of production database backups, and of the deleted objects that they refer to. */
export const backupDays = 35;

/** Whether a stage is production, whose data survives the removal of the stack. */
export function isProduction(stage: string): boolean {
  return stage === "production";
}

export type Settings = {
  /** `dsql` creates an Aurora DSQL cluster. `url` uses the PostgreSQL database in the secret DatabaseUrl. */
  database: "dsql" | "url";
  mailFrom: string;
  /** The email recipient of alarms, who must confirm the subscription once. */
  alarmMail: string | undefined;
  /** The Google Analytics property of the web client. */
  analyticsId: string | undefined;
  /** The router's domain; undefined for the one that CloudFront assigns. */
  domain: { name: string; dns?: false; cert?: string } | undefined;
  /** Environment variables of every function, in addition to the router's URL. */
  environment: Record<string, string>;
};

/**
 * Reads a stage's settings, which are not secret, from the environment. `sst` loads `.env.<stage>`, which may be committed,
 * from the folder of sst.config.ts. Validates as the functions do, so that a bad value stops the deploy.
 */
export function settings(env: Config.Env = process.env): Settings {
  // CloudFront's domain is unknown before the first deploy. Without APP_URL, functions get the router's URL instead.
  const { APP_URL: url = "https://router.invalid" } = env;
  Config.validate([], { ...env, APP_URL: url });
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

/** Returns the router's domain. The deploy creates its DNS records in Route 53, unless a certificate's ARN is set. */
function domainOf({ APP_URL, SVC_CERTIFICATE_ARN: cert }: Config.Env): Settings["domain"] {
  if (!APP_URL) return undefined;
  const { protocol, host: name, port } = new URL(APP_URL);
  if (protocol !== "https:" || port)
    throw new Error("Configuration: APP_URL must be an https URL without a port, or not set.");
  if (!cert) return { name };
  if (!/^arn:aws:acm:us-east-1:\d{12}:certificate\/[\w-]+$/.test(cert))
    throw new Error("Configuration: SVC_CERTIFICATE_ARN must be the ARN of a certificate in us-east-1.");
  return { name, dns: false, cert };
}
