import * as Erasure from "../../../packages/core/event/erasure.ts";
import { retentionDays } from "../../../packages/core/report/object-key.ts";
import { backupDays, isProduction, region, storageRegion } from "../../stage.ts";
import { described, permissionsOf } from "../policies.ts";
import type { Resource } from "../recorded.ts";
import { all, asList, bucketsOf, dataBucketsOf, deployed, isSite, variables } from "../resources.ts";
import { add, allow, difference, drop, one, type Rule } from "./rule.ts";

const bucket = "aws:s3/bucket:Bucket";
const bucketPolicy = "aws:s3/bucketPolicy:BucketPolicy";
const corsConfiguration = "aws:s3/bucketCorsConfiguration:BucketCorsConfiguration";
const lifecycle = "aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration";
const publicAccessBlock = "aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock";
const versioning = "aws:s3/bucketVersioning:BucketVersioning";

type LifecycleRule = {
  filter?: { prefix?: string };
  expiration?: { days?: number };
  noncurrentVersionExpiration?: { noncurrentDays: number };
  status?: string;
};

/** Removes the account id from a bucket's name. */
const shortName = (name: unknown) => String(name).replace(/-\d{12}$/, "");

/** Changes the statement that lets the router read the web client's files. */
function changeReading(r: Resource[], change: (statement: Record<string, unknown>) => unknown): void {
  const { inputs } = one(r, bucketPolicy, /^Web/);
  const document = JSON.parse(inputs.policy);
  for (const statement of document.Statement) if (statement.Effect === "Allow") change(statement);
  inputs.policy = JSON.stringify(document);
}

export const s3Rules: Rule[] = [
  {
    promise:
      "there are exactly two data buckets, which are in the storage region together with their configuration",
    offences: (evaluated) => [
      ...difference(
        dataBucketsOf(evaluated).map(({ outputs }) => shortName(outputs.bucket)),
        [`svc-avatars-${evaluated.stage}`, `svc-files-${evaluated.stage}`],
        "bucket",
      ),
      ...evaluated.resources
        .filter(({ type }) => /^aws:s3\/bucket(?!Object)/.test(type))
        .filter((one) => !isSite(one) && (one.inputs.region ?? one.region ?? region) !== storageRegion)
        .map(({ name }) => `${name} is not in ${storageRegion}`),
    ],
    brokenBy: {
      "a bucket in another region": (r) => delete one(r, bucket, /Avatars/).region,
      "a third bucket": (r) =>
        add(r, bucket, { bucket: "svc-more-production-111111111111", region: "eu-central-2" }),
    },
  },
  {
    promise:
      "the bucket deletes reports one day after their retention ends, records of erasures after all backups, and no other object by age",
    offences: (evaluated) => {
      const files = `svc-files-${evaluated.stage}`;
      const wanted = [
        `${files} reports/ ${retentionDays + 1} Enabled`,
        `${files} erasures/ ${Math.max(Erasure.retentionDays, backupDays + 1)} Enabled`,
      ];
      const got = all(evaluated, lifecycle).flatMap(({ inputs }) =>
        asList<LifecycleRule>(inputs.rules).flatMap(({ filter, expiration, status }) =>
          expiration?.days === undefined
            ? []
            : `${shortName(inputs.bucket)} ${filter?.prefix} ${expiration.days} ${status}`,
        ),
      );
      return difference(got, wanted, "lifecycle rule");
    },
    brokenBy: {
      "reports that are never deleted": (r) => drop(r, lifecycle, /Files/),
      "erasures that are forgotten before the last backup from before them": (r) => {
        const rules = asList<LifecycleRule>(one(r, lifecycle, /Files/).inputs.rules);
        for (const { filter, expiration } of rules)
          if (expiration && filter?.prefix === "erasures/") expiration.days = 35;
      },
      "avatars that are deleted after a day": (r) =>
        add(r, lifecycle, {
          bucket: one(r, bucket, /Avatars/).outputs.bucket,
          rules: [{ filter: { prefix: "" }, expiration: { days: 1 }, status: "Enabled" }],
        }),
    },
  },
  {
    promise: "every bucket blocks public access, and only the router reads the web client's bucket",
    offences: (evaluated) => {
      const blocks = all(evaluated, publicAccessBlock);
      const wanted = ["blockPublicAcls", "blockPublicPolicy", "ignorePublicAcls", "restrictPublicBuckets"];
      const opening = /^aws:s3\/bucket(Acl|AclV2|Website\w*|OwnershipControls):/;
      const router = all(evaluated, "aws:cloudfront/distribution:Distribution")[0]?.outputs.arn;
      const site = bucketsOf(evaluated).find(isSite)?.outputs.arn;
      const allowed = permissionsOf(evaluated).filter(
        ({ owner, effect }) => owner.type.includes("bucketPolicy") && effect !== "Deny",
      );
      const reading = allowed.filter(
        ({ action, resource, principal, condition }) =>
          action === "s3:GetObject" &&
          resource === `${site}/*` &&
          principal === '{"Service":["cloudfront.amazonaws.com"]}' &&
          condition === `{"StringEquals":{"aws:SourceArn":["${router}"]}}`,
      );
      const surplus = allowed.filter((permission) => !reading.includes(permission));
      return [
        ...bucketsOf(evaluated).flatMap(({ name, outputs }) => {
          const block = blocks.find(({ inputs }) => inputs.bucket === outputs.bucket)?.inputs ?? {};
          return wanted.filter((one) => block[one] !== true).map((one) => `${name} lacks ${one}`);
        }),
        ...bucketsOf(evaluated)
          .filter(({ inputs }) => inputs.acl || inputs.grants || inputs.website)
          .map(({ name }) => `${name} has an access list or a website`),
        ...evaluated.resources
          .filter(({ type }) => opening.test(type))
          .map(({ name }) => `${name} opens a bucket`),
        ...surplus.map(described),
        ...(reading.length === 1 ? [] : ["the router cannot read the web client's files"]),
      ];
    },
    brokenBy: {
      "no public access block": (r) => drop(r, publicAccessBlock, /Avatars/),
      "a partial public access block": (r) =>
        Object.assign(one(r, publicAccessBlock).inputs, { restrictPublicBuckets: false }),
      "a bucket policy that allows everyone to read": (r) =>
        allow(one(r, bucketPolicy), "s3:GetObject", `${one(r, bucket).outputs.arn}/*`),
      "a client bucket that every distribution in AWS can read": (r) =>
        changeReading(r, (statement) => delete statement.Condition),
      "a client bucket that everyone can read": (r) =>
        changeReading(r, (statement) => Object.assign(statement, { Principal: { "*": ["*"] } })),
      "a client bucket that the router cannot read": (r) =>
        changeReading(r, (statement) => Object.assign(statement, { Effect: "Deny" })),
    },
  },
  {
    promise: "every bucket rejects plain HTTP",
    offences: (evaluated) => {
      const denied = permissionsOf(evaluated).filter(
        ({ effect, condition }) =>
          effect === "Deny" && condition === '{"Bool":{"aws:SecureTransport":["false"]}}',
      );
      return bucketsOf(evaluated)
        .filter(({ outputs }) => !denied.some(({ resource }) => resource === `${outputs.arn}/*`))
        .map(({ name }) => `${name} accepts plain HTTP`);
    },
    brokenBy: {
      "a bucket without its policy": (r) => drop(r, bucketPolicy),
    },
  },
  {
    promise: "no bucket has object lock",
    offences: (evaluated) => [
      ...bucketsOf(evaluated)
        .filter(({ inputs }) => inputs.objectLockEnabled || inputs.objectLockConfiguration)
        .map(({ name }) => `${name} has object lock`),
      ...evaluated.resources
        .filter(({ type }) => /^aws:s3\/bucketObjectLockConfiguration/.test(type))
        .map(({ name }) => `${name} configures object lock`),
    ],
    brokenBy: {
      "object lock": (r) => Object.assign(one(r, bucket).inputs, { objectLockEnabled: true }),
    },
  },
  {
    promise:
      "CORS lets pages of the stage read pictures, and allows no other bucket, origin, method or header",
    offences: (evaluated) => {
      const origins = [...new Set(deployed(evaluated).map(({ fn }) => variables(fn).APP_URL))];
      return [
        ...bucketsOf(evaluated)
          .filter(({ inputs }) => inputs.corsRules)
          .map(({ name }) => `${name} has CORS rules`),
        ...difference(
          all(evaluated, corsConfiguration).flatMap(({ inputs }) =>
            asList<object>(inputs.corsRules).map(
              (rule) => `${shortName(inputs.bucket)} ${JSON.stringify(rule)}`,
            ),
          ),
          origins.map((origin) => {
            const rule = { allowedMethods: ["GET"], allowedOrigins: [origin], maxAgeSeconds: 3600 };
            return `svc-avatars-${evaluated.stage} ${JSON.stringify(rule)}`;
          }),
          "CORS rule",
        ),
      ];
    },
    brokenBy: {
      "every origin": (r) => {
        one(r, corsConfiguration).inputs.corsRules[0].allowedOrigins = ["*"];
      },
      "a method that writes": (r) => one(r, corsConfiguration).inputs.corsRules[0].allowedMethods.push("PUT"),
      "the bucket of files": (r) =>
        add(r, corsConfiguration, {
          ...one(r, corsConfiguration).inputs,
          bucket: one(r, bucket, /Files/).outputs.bucket,
        }),
      "no CORS": (r) => drop(r, corsConfiguration, /Avatars/),
    },
  },
  {
    promise: "removing the production stack keeps the data buckets and their objects",
    offences: (evaluated) => {
      if (!isProduction(evaluated.stage)) return [];
      const { removal, protect } = evaluated.app;
      return [
        ...(removal === "retain" && protect ? [] : ["the stage can be removed"]),
        ...dataBucketsOf(evaluated)
          .filter(({ inputs }) => inputs.forceDestroy !== false)
          .map(({ name }) => `${name} would be emptied`),
        ...dataBucketsOf(evaluated)
          .filter(({ retainOnDelete }) => !retainOnDelete)
          .map(({ name }) => `${name} would be removed`),
      ];
    },
    brokenBy: {
      "a bucket that is emptied": (r) =>
        Object.assign(one(r, bucket, /Avatars/).inputs, { forceDestroy: true }),
      "a bucket that is removed": (r) => Object.assign(one(r, bucket, /Files/), { retainOnDelete: false }),
      "a stage without protection": (_, { app }) => Object.assign(app, { protect: false }),
    },
  },
  {
    promise: "production keeps deleted objects as long as the database backups that refer to them",
    offences: (evaluated) => {
      if (!isProduction(evaluated.stage)) return [];
      const versioned = all(evaluated, versioning);
      const rules = all(evaluated, lifecycle);
      return dataBucketsOf(evaluated).flatMap(({ name, outputs }) => {
        const isOfBucket = ({ inputs }: Resource) => inputs.bucket === outputs.bucket;
        const { status } = versioned.find(isOfBucket)?.inputs.versioningConfiguration ?? {};
        const [days] = asList<LifecycleRule>(rules.find(isOfBucket)?.inputs.rules).flatMap(
          ({ noncurrentVersionExpiration: expiration }) => expiration?.noncurrentDays ?? [],
        );
        return [
          ...(status === "Enabled" ? [] : [`${name} has no versioning`]),
          ...(days === backupDays ? [] : [`${name} keeps deleted objects for ${days} days`]),
        ];
      });
    },
    brokenBy: {
      "a bucket without versioning": (r) => drop(r, versioning, /Avatars/),
      "deleted objects that are kept forever": (r) => drop(r, lifecycle, /Avatars/),
    },
  },
];
