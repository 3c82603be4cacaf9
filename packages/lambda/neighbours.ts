import { join } from "node:path";
import { openWire } from "@svc/bundle/postgres-wire";
import { listen } from "@svc/local/bucket/bucket";
import { openMailBox } from "@svc/local/mail-box";
import type { Evaluated } from "../../stacks/check/recorded.ts";
import { all } from "../../stacks/check/rules.ts";
import { storageRegion } from "../../stacks/stage.ts";

/** What a stage is made of, as `.env.<stage>` and `sst secret set` would say it. */
export const settings = { APP_URL: "https://app.svc.test", MAIL_FROM: "svc <no-reply@svc.test>" };
export const secrets = {
  SST_SECRET_TokenKeys: `one:${Buffer.alloc(32, 7).toString("base64url")}`,
  SST_SECRET_EncryptionKeys: `one:${Buffer.alloc(32, 8).toString("base64url")}`,
  SST_SECRET_SmtpUrl: "smtps://user:password@mail.svc.test",
  SST_SECRET_OriginSecret: Buffer.alloc(32, 9).toString("base64url"),
};

export type Neighbours = {
  databaseUrl: string;
  smtpUrl: string;
  /** Open the buckets of this stage, for the keys of its IAM users. */
  openBucket(stage: Evaluated): Promise<void>;
  /** A function's environment with what lies outside AWS's control replaced: the addresses of S3 and of the banks. */
  environment(given: Record<string, string>): Record<string, string>;
  close(): Promise<void>;
};

/** Everything a function talks to, on this machine: PostgreSQL, mail and a bucket. Nobody answers for the banks. */
export async function neighbours(directory: string): Promise<Neighbours> {
  const database = await openWire();
  const mails = await openMailBox({ capacity: 10 });
  let bucket: Awaited<ReturnType<typeof listen>> | undefined;
  const unanswered = "http://127.0.0.1:1";
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
      ...(given.STORAGE_ENDPOINT && { STORAGE_ENDPOINT: bucket?.url ?? unanswered }),
      RATES_ECB_URL: unanswered,
      RATES_NBP_URL: unanswered,
    }),
    async close() {
      await bucket?.close();
      await mails.close();
      await database.close();
    },
  };
}
