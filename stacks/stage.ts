import * as Config from "../packages/core/platform/config/config.ts";
import { type Limits, limitsOf } from "./limits.ts";

/** The region of the functions, the HTTP API and the database. */
export const region = "eu-central-1";

/** The region of the buckets. It is an opt-in region, and AWS does not list it for Aurora DSQL. */
export const storageRegion = "eu-central-2";

/**
 * The generations of every storage key. The last one signs. To rotate, add the next number and deploy. Remove the old number
 * seven days later at the earliest, because that invalidates every URL that the old key signed.
 */
export const storageKeyGenerations = [1];

export const logRetentionDays = 30;

/** Retention of production database backups, and of the deleted objects that they refer to. */
export const backupDays = 35;

/** Whether a stage is production, whose data survives the removal of the stack. */
export function isProduction(stage: string): boolean {
  return stage === "production";
}

/** The longest name of a Lambda function or of an IAM role. */
export const maxNameLength = 64;

/** Longest name of a stage. It leaves 32 characters for the rest of a function's name after `svc-<stage>-`. */
export const maxStageLength = maxNameLength - "svc--".length - 32;

export type Settings = Limits & {
  /** `dsql` creates an Aurora DSQL cluster. `url` uses the PostgreSQL database in the secret DatabaseUrl. */
  database: "dsql" | "url";
  mailFrom: string;
  /** The search of breached passwords. */
  pwnedPasswordsUrl: string | undefined;
  /** The email recipient of alarms, who must confirm each of the two subscriptions once. Production has one. */
  alarmMail: string | undefined;
  /** US dollars that the AWS account may cost in a month before the recipient of alarms gets an email. */
  monthlyBudget: number | undefined;
  /** The Google Analytics property of the web client. */
  analyticsId: string | undefined;
  /** The router's domain; undefined for the one that CloudFront assigns. */
  domain: { name: string; dns?: false; cert?: string } | undefined;
  /** The identifier of the Aurora DSQL cluster that AWS Backup restored, which replaces the stage's cluster. */
  restoredCluster: string | undefined;
  /** Whether the stage is paused: no route, schedule or message runs a function. Operators can still run jobs. */
  paused: boolean;
  /** Environment variables of every function, in addition to the router's URL. */
  environment: Record<string, string>;
};

/**
 * Reads a stage's settings, which are not secret, from the environment. `sst` loads `.env.<stage>`, which may be committed,
 * from the folder of sst.config.ts. Validates as the functions do, so that a bad value stops the deploy.
 */
export function settings(stage: string, env: Config.Env = process.env): Settings {
  if (stage.length > maxStageLength)
    throw new Error(
      `Configuration: the stage ${stage} has ${stage.length} characters, but its name may have at most ${maxStageLength}.`,
    );
  // CloudFront's domain is unknown before the first deploy. Without APP_URL, functions get the router's URL instead.
  const { APP_URL: url = "https://router.invalid" } = env;
  Config.validate([], { ...env, APP_URL: url });
  const {
    ALLOWED_ORIGINS,
    RATE_LIMITS,
    AUDIT_RETENTION_DAYS,
    MAIL_FROM,
    SVC_DATABASE = "dsql",
    SVC_ALARM_MAIL,
    SVC_MONTHLY_BUDGET,
    SVC_RESTORED_CLUSTER,
    SVC_PAUSED = "false",
  } = env;
  if (SVC_DATABASE !== "dsql" && SVC_DATABASE !== "url")
    throw new Error("Configuration: SVC_DATABASE must be dsql or url.");
  if (!MAIL_FROM) throw new Error("Configuration: MAIL_FROM must be set.");
  if (isProduction(stage) && !SVC_ALARM_MAIL)
    throw new Error("Configuration: SVC_ALARM_MAIL must be set for production.");
  if (SVC_MONTHLY_BUDGET && !(SVC_ALARM_MAIL && /^[1-9]\d{0,8}$/.test(SVC_MONTHLY_BUDGET)))
    throw new Error("Configuration: SVC_MONTHLY_BUDGET must be whole US dollars, and needs SVC_ALARM_MAIL.");
  if (SVC_RESTORED_CLUSTER && (SVC_DATABASE !== "dsql" || !/^[a-z0-9]{26}$/.test(SVC_RESTORED_CLUSTER)))
    throw new Error("Configuration: SVC_RESTORED_CLUSTER must be the identifier of an Aurora DSQL cluster.");
  if (SVC_PAUSED !== "true" && SVC_PAUSED !== "false")
    throw new Error("Configuration: SVC_PAUSED must be true or false.");
  return {
    database: SVC_DATABASE,
    mailFrom: MAIL_FROM,
    pwnedPasswordsUrl: Config.pwnedPasswordsUrl(env),
    alarmMail: SVC_ALARM_MAIL || undefined,
    monthlyBudget: SVC_MONTHLY_BUDGET ? Number(SVC_MONTHLY_BUDGET) : undefined,
    analyticsId: Config.analyticsId(env),
    domain: domainOf(env),
    restoredCluster: SVC_RESTORED_CLUSTER || undefined,
    paused: SVC_PAUSED === "true",
    ...limitsOf(isProduction(stage), env),
    environment: {
      ...(ALLOWED_ORIGINS && { ALLOWED_ORIGINS }),
      ...(RATE_LIMITS && { RATE_LIMITS }),
      ...(AUDIT_RETENTION_DAYS && { AUDIT_RETENTION_DAYS }),
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
