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

/** Profile pictures, under `avatars/`. */
export const avatars = bucket("Avatars");

/**
 * Everything else that people download: reports, under `reports/`. `purge-expired` removes them after ninety days; the
 * bucket's own rule takes, a day later, what a crash has left without a row.
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
 * Private, https only, without object lock and without CORS (pictures are shown, never fetched). In production what is
 * removed, which no key of ours can read any more, stays for as long as the backups of the database that names it.
 */
function bucket(name: string, expiring: Rule[] = []): sst.aws.Bucket {
  const production = isProduction($app.stage);
  const { accountId } = aws.getCallerIdentityOutput({});
  const physical = $interpolate`svc-${name.toLowerCase()}-${$app.stage.toLowerCase()}-${accountId}`;
  const made = new sst.aws.Bucket(
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
  // One for all rules: a bucket has one list of them, and the last one written wins.
  const rules = [...expiring, ...(production ? [removed] : [])];
  if (rules.length > 0)
    new aws.s3.BucketLifecycleConfiguration(`${name}Lifecycle`, { bucket: made.name, rules }, { provider });
  return made;
}

type Statement = {
  Effect: "Allow";
  Action: string[];
  Resource: $util.Output<string>;
  Condition?: Record<string, Record<string, string>>;
};

const pictures = $interpolate`${avatars.arn}/avatars/*`;
const reports = $interpolate`${files.arn}/reports/*`;

/** What the key of each need may do. Signing a URL for reading takes the right to read, and nothing else. */
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
 * The long-lived key of each need that a line of the tables names. A URL signed with the temporary credentials of a
 * function's role would die with them in hours, so each need has an IAM user instead.
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
  if (!last) throw new Error("storageKeyGenerations names no key.");
  return last;
}
