import { join } from "node:path";
import { openWire } from "@svc/bundle/postgres-wire";
import { listen } from "@svc/local/bucket/bucket";
import { openMailBox } from "@svc/local/mail-box";
import type { Evaluated } from "../../stacks/check/recorded.ts";
import { all } from "../../stacks/check/resources.ts";
import { storageRegion } from "../../stacks/stage.ts";

/** The settings and secrets of a stage, as in `.env.<stage>` and `sst secret set`. */
export const settings = {
  APP_URL: "https://app.svc.test",
  MAIL_FROM: "svc <no-reply@svc.test>",
  SVC_ALARM_MAIL: "on-call@svc.test",
};
export const secrets = {
  SST_SECRET_TokenKeys: `one:${Buffer.alloc(32, 7).toString("base64url")}`,
  SST_SECRET_AuditKeys: `one:${Buffer.alloc(32, 9).toString("base64url")}`,
  SST_SECRET_EncryptionKeys: `one:${Buffer.alloc(32, 8).toString("base64url")}`,
  SST_SECRET_SmtpUrl: "smtps://user:password@mail.svc.test",
  SST_SECRET_OriginSecret: Buffer.alloc(32, 9).toString("base64url"),
};

/** The running services. */
export type LocalServices = {
  databaseUrl: string;
  smtpUrl: string;
  /** Opens the buckets of a stage for the access keys of its IAM users. */
  openBucket(stage: Evaluated): Promise<void>;
  /** Returns a function's environment with the URLs of S3 and of the banks replaced. */
  environment(given: Record<string, string>): Record<string, string>;
  close(): Promise<void>;
};

/** Starts the services that functions use on this machine: PostgreSQL, mail and a bucket. The banks are unreachable. */
export async function startLocalServices(directory: string): Promise<LocalServices> {
  const database = await openWire();
  const mails = await openMailBox({ capacity: 10 });
  let bucket: Awaited<ReturnType<typeof listen>> | undefined;
  const unreachable = "http://127.0.0.1:1";
  return {
    databaseUrl: database.url,
    smtpUrl: mails.url,
    async openBucket(stage) {
      bucket = await listen({
        directory: join(directory, "bucket"),
        region: storageRegion,
        buckets: all(stage, "aws:s3/bucket:Bucket").map(({ inputs }) => inputs.bucket),
        credentials: all(stage, "aws:iam/accessKey:AccessKey").map(({ outputs }) => ({
          accessKeyId: outputs.id,
          secretAccessKey: outputs.secret,
        })),
      });
    },
    environment: (given) => ({
      ...given,
      ...(given.STORAGE_ENDPOINT && { STORAGE_ENDPOINT: bucket?.url ?? unreachable }),
      RATES_ECB_URL: unreachable,
      RATES_NBP_URL: unreachable,
    }),
    async close() {
      await bucket?.close();
      await mails.close();
      await database.close();
    },
  };
}
