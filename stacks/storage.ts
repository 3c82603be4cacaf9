import { type Job, jobs } from "../functions/jobs.ts";
import { needsOf, type Route, routes } from "../functions/routes.ts";
import type { Need } from "../packages/core/platform/config/config.ts";
import { retentionDays } from "../packages/core/report/object-key.ts";
import { backupDays, isProduction, storageKeyGenerations, storageRegion } from "./stage.ts";

export type StorageNeed = Extract<Need, `avatars:${string}` | `files:${string}`>;

export const endpoint = `https://s3.${storageRegion}.amazonaws.com`;

const provider = new aws.Provider("Storage", {
  region: storageRegion,
  defaultTags: { tags: { "sst:app": $app.name, "sst:stage": $app.stage } },
});

type Rule = { id: string; status: "Enabled"; filter: { prefix?: string } } & Record<string, unknown>;

/** The bucket of avatars, under `avatars/`. */
export const avatars = bucket("Avatars");

/**
 * The bucket of all other downloads: reports, under `reports/`. `purge-expired` removes them after ninety days. A day later,
 * the lifecycle rule removes files that have no row because of a crash.
 */
export const files = bucket("Files", [
  {
    id: "expired",
    status: "Enabled",
    filter: { prefix: "reports/" },
    expiration: { days: retentionDays + 1 },
  },
]);

/**
 * Creates a private bucket that requires HTTPS, without object lock and without CORS: pages show images but never fetch
 * them. Production keeps deleted objects, which no storage key can read, as long as the database backups.
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
    { provider },
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
      { provider },
    );
  return created;
}

type Statement = {
  Effect: "Allow";
  Action: string[];
  Resource: $util.Output<string>;
  Condition?: Record<string, Record<string, string>>;
};

const pictures = $interpolate`${avatars.arn}/avatars/*`;
const reports = $interpolate`${files.arn}/reports/*`;

/** The permissions of each need's storage key. Signing a URL for reading requires only permission to read. */
const statements: Record<StorageNeed, Statement[]> = {
  "avatars:read": [{ Effect: "Allow", Action: ["s3:GetObject"], Resource: pictures }],
  "avatars:write": [
    { Effect: "Allow", Action: ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"], Resource: pictures },
  ],
  "avatars:sweep": [
    {
      Effect: "Allow",
      Action: ["s3:ListBucket"],
      Resource: avatars.arn,
      Condition: { StringEquals: { "s3:prefix": "avatars/" } },
    },
    { Effect: "Allow", Action: ["s3:DeleteObject"], Resource: pictures },
  ],
  "files:read": [{ Effect: "Allow", Action: ["s3:GetObject"], Resource: reports }],
  "files:write": [
    { Effect: "Allow", Action: ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"], Resource: reports },
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
