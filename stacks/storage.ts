import { type Job, jobs } from "../functions/jobs.ts";
import { needsOf, type Route, routes } from "../functions/routes.ts";
import * as ObjectKey from "../packages/core/avatar/object-key.ts";
import * as Erasure from "../packages/core/event/erasure.ts";
import type { Need } from "../packages/core/platform/config/config.ts";
import { retentionDays } from "../packages/core/report/object-key.ts";
import { providerIn } from "./provider.ts";
import { backupDays, isProduction, storageKeyGenerations, storageRegion } from "./stage.ts";

export type StorageNeed = Extract<Need, `avatars:${string}` | `files:${string}` | `erasures:${string}`>;

export const endpoint = `https://s3.${storageRegion}.amazonaws.com`;

export const storageProvider = providerIn("Storage", storageRegion);

type Rule = { id: string; status: "Enabled"; filter: { prefix?: string } } & Record<string, unknown>;

/** The bucket of avatars: large ones under `avatars/`, small ones under `avatars-small/`. */
export const avatars = bucket("Avatars");

/**
 * The general bucket. Reports are under `reports/`: `purge-expired` removes them after ninety days, and a day later the lifecycle
 * rule removes files that have no row because of a crash. Records of erasures are under `erasures/`.
 */
export const files = bucket("Files", [
  {
    id: "expired",
    status: "Enabled",
    filter: { prefix: "reports/" },
    expiration: { days: retentionDays + 1 },
  },
  {
    id: "erasures",
    status: "Enabled",
    filter: { prefix: Erasure.recordPrefix },
    expiration: { days: Erasure.retentionDays },
  },
]);

/**
 * Creates a private bucket that requires HTTPS, without object lock. Production keeps deleted objects, which no storage key can read, as long as the database backups.
 */
function bucket(name: string, expiring: Rule[] = []): sst.aws.Bucket {
  const production = isProduction($app.stage);
  const { accountId } = aws.getCallerIdentityOutput({});
  const physical = $interpolate`svc-${name.toLowerCase()}-${$app.stage.toLowerCase()}-${accountId}`;
  const created = new sst.aws.Bucket(
    name,
    {
      cors: false,
      versioning: production,
      transform: {
        bucket: (args) => {
          args.bucket = physical;
          args.forceDestroy = !production;
        },
      },
    },
    { provider: storageProvider },
  );
  const removed: Rule = {
    id: "removed",
    status: "Enabled",
    filter: {},
    noncurrentVersionExpiration: { noncurrentDays: backupDays },
    expiration: { expiredObjectDeleteMarker: true },
    abortIncompleteMultipartUpload: { daysAfterInitiation: 1 },
  };
  // A bucket has a single lifecycle configuration, so all rules belong in one resource.
  const rules = [...expiring, ...(production ? [removed] : [])];
  if (rules.length > 0)
    new aws.s3.BucketLifecycleConfiguration(
      `${name}Lifecycle`,
      { bucket: created.name, rules },
      { provider: storageProvider },
    );
  return created;
}

type Statement = {
  Effect: "Allow";
  Action: string[];
  Resource: $util.Output<string> | $util.Output<string>[];
  Condition?: Record<string, Record<string, string>>;
};

const pictures = [ObjectKey.largePrefix, ObjectKey.smallPrefix].map(
  (prefix) => $interpolate`${avatars.arn}/${prefix}*`,
);
const reports = $interpolate`${files.arn}/reports/*`;
const erasures = $interpolate`${files.arn}/${Erasure.recordPrefix}*`;

/** The permissions of each need's storage key. Signing a URL for reading requires only permission to read. */
const statements: Record<StorageNeed, Statement[]> = {
  "avatars:read": [{ Effect: "Allow", Action: ["s3:GetObject"], Resource: pictures }],
  "avatars:write": [
    { Effect: "Allow", Action: ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"], Resource: pictures },
  ],
  "avatars:sweep": [
    // Without a condition on the prefix: S3 would report a missing object as forbidden.
    { Effect: "Allow", Action: ["s3:ListBucket"], Resource: avatars.arn },
    { Effect: "Allow", Action: ["s3:GetObject", "s3:DeleteObject"], Resource: pictures },
  ],
  "files:read": [{ Effect: "Allow", Action: ["s3:GetObject"], Resource: reports }],
  "files:write": [
    { Effect: "Allow", Action: ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"], Resource: reports },
  ],
  "erasures:record": [{ Effect: "Allow", Action: ["s3:PutObject"], Resource: erasures }],
  "erasures:reapply": [
    {
      Effect: "Allow",
      Action: ["s3:ListBucket"],
      Resource: files.arn,
      Condition: { StringLike: { "s3:prefix": `${Erasure.recordPrefix}*` } },
    },
    { Effect: "Allow", Action: ["s3:DeleteObject"], Resource: pictures },
  ],
};

/**
 * The long-lived storage key of each need that a route or job has. Each belongs to an IAM user: a URL signed with the
 * temporary credentials of a role would expire with them after a few hours.
 */
export const keys = new Map(used().map((need) => [need, key(need)]));

function used(): StorageNeed[] {
  const needs = [...Object.values<Route>(routes), ...Object.values<Job>(jobs)].flatMap(needsOf);
  return [...new Set(needs)].filter((need): need is StorageNeed => need in statements);
}

function key(need: StorageNeed): aws.iam.AccessKey {
  const name = need.replace(/(?:^|:)(\w)/g, (_, first: string) => first.toUpperCase());
  const user = new aws.iam.User(`${name}User`, {
    name: `${$app.name}-${$app.stage}-${need.replace(":", "-")}`,
    forceDestroy: true,
  });
  new aws.iam.UserPolicy(`${name}Policy`, {
    user: user.name,
    policy: $jsonStringify({ Version: "2012-10-17", Statement: statements[need] }),
  });
  const generations = storageKeyGenerations.map(
    (generation) => new aws.iam.AccessKey(`${name}Key${generation}`, { user: user.name }),
  );
  const [last] = generations.slice(-1);
  if (!last) throw new Error("storageKeyGenerations must not be empty.");
  return last;
}
