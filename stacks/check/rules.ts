import { createHash } from "node:crypto";
import { type Job, jobs } from "../../functions/jobs.ts";
import { needsOf, type Route, routes } from "../../functions/routes.ts";
import { bundleName } from "../../packages/bundle/units.ts";
import { allocator } from "../../packages/core/avatar/allocator.ts";
import { type Need, validate } from "../../packages/core/platform/config/config.ts";
import { migrations } from "../../packages/core/platform/db/migrations.ts";
import { retentionDays } from "../../packages/core/report/object-key.ts";
import { backupDays, isProduction, region, storageRegion } from "../stage.ts";
import type { Evaluated, Resource } from "./recorded.ts";

/** One promise about the infrastructure, and what breaks it: a sentence for each offence. */
export type Rule = { promise: string; offences: (evaluated: Evaluated) => string[] };

type Line = Pick<Job, "handler" | "needs" | "admin" | "schedule" | "queue"> & {
  sharp?: true;
  heavy?: true;
};

/** A function with the line of the tables that it stands for: a route's by its URL, a job's by its name. */
export type Deployed = { key: string; line: Line; fn: Resource };

/** Every resource of one type. */
export const all = ({ resources }: Evaluated, type: string) => resources.filter((one) => one.type === type);

const functionsOf = (evaluated: Evaluated) => all(evaluated, "aws:lambda/function:Function");
const bucketsOf = (evaluated: Evaluated) => all(evaluated, "aws:s3/bucket:Bucket");

/** Whether it belongs to the client's site, whose files every deploy makes anew. */
const isSite = ({ parent }: Resource) => parent.includes("sst:aws:StaticSite$");

/** The buckets of what people gave us. */
export const dataBucketsOf = (evaluated: Evaluated) => bucketsOf(evaluated).filter((one) => !isSite(one));

/** The line of every function, found as a request finds its function: route, integration, function. */
export function deployed(evaluated: Evaluated): Deployed[] {
  const found: Deployed[] = [];
  const integrations = all(evaluated, "aws:apigatewayv2/integration:Integration");
  for (const { inputs } of all(evaluated, "aws:apigatewayv2/route:Route")) {
    const to = integrations.find(({ outputs }) => inputs.target === `integrations/${outputs.id}`);
    const fn = functionsOf(evaluated).find(({ outputs }) => outputs.arn === to?.inputs.integrationUri);
    const line = (routes as Record<string, Route>)[inputs.routeKey];
    if (fn && line) found.push({ key: inputs.routeKey, line: { ...line, needs: needsOf(line) }, fn });
  }
  for (const [name, line] of Object.entries<Job>(jobs))
    for (const fn of functionsOf(evaluated))
      if (fn.inputs.name === `svc-${evaluated.stage}-${name}`) found.push({ key: name, line, fn });
  return found;
}

/** The queue that redrives what nobody could take; the other one takes it. */
function workOf(evaluated: Evaluated): Resource | undefined {
  return all(evaluated, "aws:sqs/queue:Queue").find(({ inputs }) => inputs.redrivePolicy);
}

/** The environment that a function is given. */
export function variables({ inputs }: Resource): Record<string, string> {
  return inputs.environment?.variables ?? {};
}

/** The name of the component that a resource is part of. */
export function component({ parent }: Resource): string {
  return parent.slice(parent.lastIndexOf("::") + 2);
}

type Statement = {
  Effect: string;
  Action: string | string[];
  Resource?: string | string[];
  Condition?: unknown;
  Principal?: unknown;
};

export type Granted = {
  owner: Resource;
  effect: string;
  action: string;
  resource: string;
  condition: string;
  principal: string;
};

const list = <T>(value: T | T[] | undefined): T[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

function statementsOf(document: unknown): Statement[] {
  const { Statement } = (typeof document === "string" ? JSON.parse(document) : document) as {
    Statement: Statement[];
  };
  return list(Statement);
}

/** Every single right that any policy gives or takes: one action on one resource. */
export function rights(evaluated: Evaluated): Granted[] {
  return evaluated.resources.flatMap((owner) => {
    const documents: unknown[] = list(owner.inputs.inlinePolicies).map(
      ({ policy }: { policy: unknown }) => policy,
    );
    if (/^aws:(iam\/(policy|rolePolicy|userPolicy|groupPolicy)|s3\/bucketPolicy):/.test(owner.type))
      documents.push(owner.inputs.policy);
    return documents.flatMap(statementsOf).flatMap(({ Effect, Action, Resource, Condition, Principal }) =>
      list(Action).flatMap((action) =>
        list(Resource).map((resource) => ({
          owner,
          effect: Effect,
          action,
          resource,
          condition: JSON.stringify(Condition ?? {}),
          principal: JSON.stringify(Principal ?? {}),
        })),
      ),
    );
  });
}

const said = ({ owner, action, resource }: Granted) => `${owner.name} allows ${action} on ${resource}`;

export function roleOf(evaluated: Evaluated, fn: Resource): Resource | undefined {
  return all(evaluated, "aws:iam/role:Role").find(({ outputs }) => outputs.arn === fn.inputs.role);
}

/** The rights of the storage key that a function holds. */
export function keyRights(evaluated: Evaluated, fn: Resource): Granted[] {
  const { STORAGE_ACCESS_KEY_ID: id, STORAGE_SECRET_ACCESS_KEY: secret } = variables(fn);
  const key = all(evaluated, "aws:iam/accessKey:AccessKey").find(
    ({ outputs }) => outputs.id === id && outputs.secret === secret,
  );
  return rights(evaluated).filter(({ owner }) => key && owner.inputs.user === key.inputs.user);
}

/** The variables of each need: these, and no others of any other need. */
const storageVariables = [
  "STORAGE_ACCESS_KEY_ID",
  "STORAGE_SECRET_ACCESS_KEY",
  "STORAGE_REGION",
  "STORAGE_ENDPOINT",
  "STORAGE_BUCKET",
  "STORAGE_BUCKET_AVATARS",
];
const variablesOf: Record<Need, readonly string[]> = {
  database: ["DATABASE_URL", "DSQL_ENDPOINT"],
  tokens: ["TOKEN_KEYS"],
  encryption: ["ENCRYPTION_KEYS"],
  webauthn: [],
  documents: [],
  mail: ["SMTP_URL", "MAIL_FROM"],
  queue: ["QUEUE_URL"],
  places: ["COUNTRY_FILE"],
  "avatars:read": storageVariables,
  "avatars:write": storageVariables,
  "avatars:sweep": storageVariables,
  "files:read": storageVariables,
  "files:write": storageVariables,
};
export const everybodys = [
  "APP_URL",
  "ALLOWED_ORIGINS",
  "RATE_LIMITS",
  "ORIGIN_SECRET",
  "SST_KEY",
  "SST_KEY_FILE",
  "SST_RESOURCE_App",
];

/** What the key of each need may do, on which bucket and below which path: DESIGN.md, decision 4. */
const keyMay: Record<string, string[]> = {
  "avatars:read": ["s3:GetObject avatars/*"],
  "avatars:write": ["s3:DeleteObject avatars/*", "s3:GetObject avatars/*", "s3:PutObject avatars/*"],
  "avatars:sweep": ["s3:DeleteObject avatars/*", "s3:ListBucket "],
  "files:read": ["s3:GetObject reports/*"],
  "files:write": ["s3:DeleteObject reports/*", "s3:GetObject reports/*", "s3:PutObject reports/*"],
};

/** Keys of what is on one side only. */
export function difference(got: readonly string[], wanted: readonly string[], what: string): string[] {
  return [
    ...wanted.filter((one) => !got.includes(one)).map((one) => `${what} is missing: ${one}`),
    ...got.filter((one) => !wanted.includes(one)).map((one) => `${what} should not be: ${one}`),
  ];
}

export const rules: Rule[] = [
  {
    promise: "there is one function for each route and job, of its own bundle, and none besides",
    offences: (evaluated) => {
      const found = deployed(evaluated);
      const wanted = [...Object.keys(routes), ...Object.keys(jobs)];
      const keys = found.map(({ key }) => key);
      const known = new Set(found.map(({ fn }) => fn.urn));
      return [
        ...difference(keys, wanted, "a function"),
        ...functionsOf(evaluated)
          .filter(({ urn }) => !known.has(urn))
          .map(({ name }) => `${name} stands for no line`),
        ...(known.size < found.length ? ["two lines share a function"] : []),
        ...(new Set(keys).size < keys.length ? ["a line has two functions"] : []),
        ...found
          .filter(({ fn, line }) => evaluated.bundles[component(fn)] !== `dist/${bundleName(line.handler)}`)
          .map(({ key, fn }) => `${key} runs ${evaluated.bundles[component(fn)]}`),
      ];
    },
  },
  {
    promise:
      "every function runs Node 24 on arm64, with a whole processor where pictures are decoded and files are made",
    offences: (evaluated) =>
      deployed(evaluated).flatMap(({ key, line, fn: { inputs } }) => [
        ...(String(inputs.architectures) === "arm64" ? [] : [`${key} runs on ${inputs.architectures}`]),
        ...(inputs.runtime === "nodejs24.x" ? [] : [`${key} runs on ${inputs.runtime}`]),
        ...(inputs.memorySize === (line.sharp || line.heavy ? 1769 : 512)
          ? []
          : [`${key} has ${inputs.memorySize} MB`]),
      ]),
  },
  {
    promise: "every function is told what its line calls for, and nothing else",
    offences: (evaluated) =>
      deployed(evaluated).flatMap(({ key, line, fn }) => {
        const given = variables(fn);
        const allowed = [
          ...everybodys,
          ...line.needs.flatMap((need) => variablesOf[need]),
          ...(line.admin ? ["DSQL_ADMIN"] : []),
          ...(line.sharp ? Object.keys(allocator) : []),
        ];
        const missing = line.sharp ? Object.keys(allocator).filter((name) => !given[name]) : [];
        const surplus = Object.keys(given).filter((name) => !allowed.includes(name));
        try {
          validate(line.needs, given);
        } catch (error) {
          return [`${key} would not start: ${(error as Error).message}`];
        }
        return [
          ...surplus.map((name) => `${key} is told ${name}`),
          ...missing.map((name) => `${key} is not told ${name}`),
        ];
      }),
  },
  {
    promise: "every environment is a secret of the state",
    offences: (evaluated) =>
      functionsOf(evaluated)
        .filter(({ secrets }) => !secrets.includes("environment"))
        .map(({ name }) => `the environment of ${name} is plain text`),
  },
  {
    promise: "no policy allows an action by wildcard",
    offences: (evaluated) =>
      rights(evaluated)
        .filter(({ effect, action }) => effect !== "Deny" && action.includes("*"))
        .map(said),
  },
  {
    promise: "no policy allows anything on what this stack has not made",
    offences: (evaluated) => {
      const arns = evaluated.resources.map(({ outputs }) => outputs.arn).filter((arn) => arn !== undefined);
      const ours = (resource: string) =>
        arns.some((arn) => resource === arn || resource.startsWith(`${arn}/`) || resource === `${arn}:*`);
      return rights(evaluated)
        .filter(({ effect, resource }) => effect !== "Deny" && !ours(resource))
        .map(said);
    },
  },
  {
    promise:
      "a function's role may write its own log, connect to the database and use the queue as its line says, and nothing else",
    offences: (evaluated) => {
      const groups = all(evaluated, "aws:cloudwatch/logGroup:LogGroup");
      const [cluster] = all(evaluated, "aws:dsql/cluster:Cluster");
      return deployed(evaluated).flatMap(({ key, line, fn }) => {
        const role = roleOf(evaluated, fn);
        if (!role) return [`${key} has no role of its own`];
        const log = groups.find(({ outputs }) => outputs.name === fn.inputs.loggingConfig?.logGroup);
        const wanted = [
          `logs:CreateLogStream ${log?.outputs.arn}:*`,
          `logs:PutLogEvents ${log?.outputs.arn}:*`,
        ];
        if (cluster && line.needs.includes("database"))
          wanted.push(`dsql:${line.admin ? "DbConnectAdmin" : "DbConnect"} ${cluster.outputs.arn}`);
        const queue = workOf(evaluated)?.outputs.arn;
        if (line.needs.includes("queue")) wanted.push(`sqs:SendMessage ${queue}`);
        if (line.queue)
          for (const action of ["ReceiveMessage", "DeleteMessage", "GetQueueAttributes"])
            wanted.push(`sqs:${action} ${queue}`);
        const got = rights(evaluated).filter(({ owner }) => owner.urn === role.urn);
        return difference(
          got.map(({ action, resource }) => `${action} ${resource}`),
          wanted,
          `a right of ${key}`,
        );
      });
    },
  },
  {
    promise: "no two functions share a role or a log",
    offences: (evaluated) => {
      const shared = (what: (fn: Resource) => string | undefined) => {
        const seen = functionsOf(evaluated).map(what);
        return seen.filter((one, index) => seen.indexOf(one) !== index).map((one) => `${one} is shared`);
      };
      return [
        ...shared(({ inputs }) => inputs.role),
        ...shared(({ inputs }) => inputs.loggingConfig?.logGroup),
      ];
    },
  },
  {
    promise: "no role has any right in S3",
    offences: (evaluated) =>
      rights(evaluated)
        .filter(({ owner, action }) => owner.type.startsWith("aws:iam/role") && /^(s3:|\*)/i.test(action))
        .map(said),
  },
  {
    promise: "no policy is attached that AWS wrote, but the one that backups take",
    offences: ({ resources }) =>
      resources.flatMap(({ type, name, inputs }) => [
        ...list<string>(inputs.managedPolicyArns)
          .filter(
            (arn) => !(name === "DatabaseBackupRole" && arn.endsWith("/AWSBackupServiceRolePolicyForBackup")),
          )
          .map((arn) => `${name} has ${arn}`),
        ...(/^aws:iam\/.*Attachment:/.test(type) ? [`${name} attaches ${inputs.policyArn}`] : []),
      ]),
  },
  {
    promise: "a role is assumed by the one service that it is for",
    offences: (evaluated) =>
      all(evaluated, "aws:iam/role:Role").flatMap(({ name, inputs }) =>
        statementsOf(inputs.assumeRolePolicy).flatMap(({ Principal }) => {
          const principals = Object.entries(Principal as Record<string, string | string[]>);
          const services = principals.flatMap(([kind, who]) => list(who).map((one) => `${kind}:${one}`));
          return services.length === 1 &&
            /^Service:(lambda|scheduler|backup)\.amazonaws\.com$/.test(services[0] ?? "")
            ? []
            : [`${name} may be assumed by ${services.join(", ")}`];
        }),
      ),
  },
  {
    promise: "each storage key may do what its need says, and a function holds the key of its need",
    offences: (evaluated) =>
      deployed(evaluated).flatMap(({ key, line, fn }) => {
        const needs = line.needs.filter((need) => need in keyMay);
        const got = keyRights(evaluated, fn);
        if (needs.length === 0) return got.map(({ action }) => `${key} holds a key for ${action}`);
        const buckets = bucketsOf(evaluated).map(({ outputs }) => outputs.arn);
        const bucket = buckets.find((arn) => arn.includes(`svc-${needs[0]?.split(":")[0]}`));
        return difference(
          got.map(({ action, resource }) => `${action} ${resource.replace(bucket, "").replace(/^\//, "")}`),
          needs.flatMap((need) => keyMay[need] ?? []),
          `a right of the key of ${key}`,
        );
      }),
  },
  {
    promise:
      "only upload and removal, of the picture or the account, hold a key that writes pictures, `me` one that reads them, and only the sweep lists",
    offences: (evaluated) => {
      const can = (action: string) =>
        deployed(evaluated)
          .filter(({ fn }) =>
            keyRights(evaluated, fn).some(
              (right) => right.action === action && right.resource.includes("svc-avatars-"),
            ),
          )
          .map(({ key }) => key);
      const me = deployed(evaluated).find(({ key }) => key === "GET /auth/me");
      const writers = [
        "POST /api/upload/avatar",
        "DELETE /api/upload/avatar",
        "DELETE /user/avatar",
        "DELETE /user",
      ];
      return [
        ...difference(can("s3:PutObject"), writers, "s3:PutObject"),
        ...difference(can("s3:DeleteObject"), [...writers, "sweep-avatars"], "s3:DeleteObject"),
        ...difference(can("s3:ListBucket"), ["sweep-avatars"], "s3:ListBucket"),
        ...difference(
          me ? keyRights(evaluated, me.fn).map(({ action }) => action) : [],
          ["s3:GetObject"],
          "me",
        ),
      ];
    },
  },
  {
    promise: "listing is limited to pictures",
    offences: (evaluated) =>
      rights(evaluated)
        .filter(({ effect, action }) => effect === "Allow" && action === "s3:ListBucket")
        .filter(({ condition }) => condition !== '{"StringEquals":{"s3:prefix":"avatars/"}}')
        .map(said),
  },
  {
    promise: "a key belongs to a need that some function has",
    offences: (evaluated) => {
      const held = functionsOf(evaluated).map((fn) => variables(fn).STORAGE_ACCESS_KEY_ID);
      const users = all(evaluated, "aws:iam/user:User").filter(
        ({ outputs }) =>
          !all(evaluated, "aws:iam/accessKey:AccessKey").some(
            (key) => key.inputs.user === outputs.name && held.includes(key.outputs.id),
          ),
      );
      return users.map(({ name }) => `nobody holds a key of ${name}`);
    },
  },
  {
    promise:
      "there are two buckets of data, both in the storage region, and with them all that belongs to them",
    offences: (evaluated) => [
      ...difference(
        dataBucketsOf(evaluated).map(({ outputs }) => outputs.bucket.replace(/-\d{12}$/, "")),
        [`svc-avatars-${evaluated.stage}`, `svc-files-${evaluated.stage}`],
        "a bucket",
      ),
      ...evaluated.resources
        .filter(({ type }) => /^aws:s3\/bucket(?!Object)/.test(type))
        .filter((one) => !isSite(one) && (one.inputs.region ?? one.region ?? region) !== storageRegion)
        .map(({ name }) => `${name} is not in ${storageRegion}`),
    ],
  },
  {
    promise: "reports are gone from their bucket the day after they are kept no longer, and nothing else is",
    offences: (evaluated) => {
      const wanted = [`svc-files-${evaluated.stage} reports/ ${retentionDays + 1} Enabled`];
      const got = all(evaluated, "aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration").flatMap(
        ({ inputs }) =>
          list<{ filter?: { prefix?: string }; expiration?: { days?: number }; status?: string }>(
            inputs.rules,
          ).flatMap(({ filter, expiration, status }) =>
            expiration?.days === undefined
              ? []
              : `${String(inputs.bucket).replace(/-\d{12}$/, "")} ${filter?.prefix} ${expiration.days} ${status}`,
          ),
      );
      return difference(got, wanted, "a lifecycle rule");
    },
  },
  {
    promise: "every bucket is closed to the public, and the client's is read by our router alone",
    offences: (evaluated) => {
      const blocks = all(evaluated, "aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock");
      const wanted = ["blockPublicAcls", "blockPublicPolicy", "ignorePublicAcls", "restrictPublicBuckets"];
      const opening = /^aws:s3\/bucket(Acl|AclV2|Website\w*|OwnershipControls):/;
      const router = all(evaluated, "aws:cloudfront/distribution:Distribution")[0]?.outputs.arn;
      const site = bucketsOf(evaluated).find(isSite)?.outputs.arn;
      const allowed = rights(evaluated).filter(
        ({ owner, effect }) => owner.type.includes("bucketPolicy") && effect !== "Deny",
      );
      const reading = allowed.filter(
        ({ action, resource, principal, condition }) =>
          action === "s3:GetObject" &&
          resource === `${site}/*` &&
          principal === '{"Service":["cloudfront.amazonaws.com"]}' &&
          condition === `{"StringEquals":{"aws:SourceArn":["${router}"]}}`,
      );
      const opened = allowed.filter((right) => !reading.includes(right));
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
        ...opened.map(said),
        ...(reading.length === 1 ? [] : ["the router cannot read the client"]),
      ];
    },
  },
  {
    promise: "every bucket refuses plain http",
    offences: (evaluated) => {
      const refused = rights(evaluated).filter(
        ({ effect, condition }) =>
          effect === "Deny" && condition === '{"Bool":{"aws:SecureTransport":["false"]}}',
      );
      return bucketsOf(evaluated)
        .filter(({ outputs }) => !refused.some(({ resource }) => resource === `${outputs.arn}/*`))
        .map(({ name }) => `${name} answers plain http`);
    },
  },
  {
    promise: "no bucket has object lock or CORS",
    offences: (evaluated) => [
      ...bucketsOf(evaluated)
        .filter(
          ({ inputs }) => inputs.objectLockEnabled || inputs.objectLockConfiguration || inputs.corsRules,
        )
        .map(({ name }) => `${name} has one of them`),
      ...evaluated.resources
        .filter(({ type }) => /^aws:s3\/bucket(ObjectLock|Cors)Configuration/.test(type))
        .map(({ name }) => `${name} is one of them`),
    ],
  },
  {
    promise: "what holds data in production outlives the stack",
    offences: (evaluated) => {
      if (!isProduction(evaluated.stage)) return [];
      const clusters = all(evaluated, "aws:dsql/cluster:Cluster");
      return [
        ...(evaluated.app.removal === "retain" && evaluated.app.protect ? [] : ["the stage may be removed"]),
        ...dataBucketsOf(evaluated)
          .filter(({ inputs }) => inputs.forceDestroy !== false)
          .map(({ name }) => `${name} would be emptied`),
        ...[...dataBucketsOf(evaluated), ...clusters]
          .filter(({ retainOnDelete }) => !retainOnDelete)
          .map(({ name }) => `${name} would be removed`),
        ...clusters
          .filter(({ inputs }) => inputs.deletionProtectionEnabled !== true)
          .map(({ name }) => `${name} may be deleted`),
        ...(clusters.length > 0 && all(evaluated, "aws:backup/selection:Selection").length === 0
          ? ["the database is not backed up"]
          : []),
      ];
    },
  },
  {
    promise: "the gateway limits the rate and writes an access log without queries or headers",
    offences: (evaluated) =>
      all(evaluated, "aws:apigatewayv2/stage:Stage").flatMap(({ inputs }) => {
        const { throttlingRateLimit: rate, throttlingBurstLimit: burst } = inputs.defaultRouteSettings ?? {};
        const groups = all(evaluated, "aws:cloudwatch/logGroup:LogGroup");
        const log = groups.find(({ outputs }) => outputs.arn === inputs.accessLogSettings?.destinationArn);
        return [
          ...(rate > 0 && burst > 0 ? [] : ["there is no throttling"]),
          ...(log?.inputs.retentionInDays > 0 ? [] : ["there is no access log, or it is kept for ever"]),
          ...(/authorization|cookie|query|header/i.test(inputs.accessLogSettings?.format)
            ? ["the access log would show secrets"]
            : []),
        ];
      }),
  },
  {
    promise: "the gateway passes on every route as it is: payload 2.0, no CORS of its own, no authoriser",
    offences: (evaluated) => [
      ...all(evaluated, "aws:apigatewayv2/api:Api")
        .filter(({ inputs }) => inputs.corsConfiguration)
        .map(() => "the gateway answers CORS"),
      ...all(evaluated, "aws:apigatewayv2/integration:Integration")
        .filter(({ inputs }) => inputs.payloadFormatVersion !== "2.0")
        .map(({ name, inputs }) => `${name} speaks payload ${inputs.payloadFormatVersion}`),
      ...all(evaluated, "aws:apigatewayv2/route:Route")
        .filter(({ inputs }) => inputs.authorizationType !== "NONE")
        .map(({ inputs }) => `${inputs.routeKey} is authorised by the gateway`),
      ...difference(
        all(evaluated, "aws:apigatewayv2/route:Route").map(({ inputs }) => inputs.routeKey),
        Object.keys(routes),
        "a route",
      ),
    ],
  },
  {
    promise: "nobody but the gateway of this stack may call a route's function",
    offences: (evaluated) => {
      const [api] = all(evaluated, "aws:apigatewayv2/api:Api");
      return [
        ...all(evaluated, "aws:lambda/permission:Permission")
          .filter(
            ({ inputs }) =>
              inputs.principal !== "apigateway.amazonaws.com" ||
              !String(inputs.sourceArn).startsWith(`${api?.outputs.executionArn}/`),
          )
          .map(({ name }) => `${name} lets in somebody else`),
        ...all(evaluated, "aws:lambda/functionUrl:FunctionUrl").map(({ name }) => `${name} is a way around`),
      ];
    },
  },
  {
    promise: "every schedule runs its job, and may do nothing else",
    offences: (evaluated) => {
      const schedules = all(evaluated, "aws:scheduler/schedule:Schedule");
      const functions = deployed(evaluated);
      const got = schedules.map(({ inputs }) => {
        const { key } = functions.find(({ fn }) => fn.outputs.arn === inputs.target.arn) ?? {
          key: "nothing",
        };
        return `${key} ${inputs.scheduleExpression} ${inputs.state}`;
      });
      const wanted = Object.entries<Job>(jobs)
        .filter(([, { schedule }]) => schedule)
        .map(([name, { schedule }]) => `${name} ${schedule} ENABLED`);
      const excess = schedules.flatMap(({ name, inputs }) =>
        rights(evaluated)
          .filter(({ owner }) => owner.outputs.arn === inputs.target.roleArn)
          .filter(
            ({ action, resource }) => action !== "lambda:InvokeFunction" || resource !== inputs.target.arn,
          )
          .map((right) => `${name}: ${said(right)}`),
      );
      return [...difference(got, wanted, "a schedule"), ...excess];
    },
  },
  {
    promise:
      "the queue feeds its consumers message by message, hides what is at work, and keeps what nobody can take",
    offences: (evaluated) => {
      const queue = workOf(evaluated);
      const { deadLetterTargetArn: target, maxReceiveCount = 0 } = JSON.parse(
        queue?.inputs.redrivePolicy ?? "{}",
      );
      const dead = all(evaluated, "aws:sqs/queue:Queue").find(({ outputs }) => outputs.arn === target);
      const mappings = all(evaluated, "aws:lambda/eventSourceMapping:EventSourceMapping");
      const functions = deployed(evaluated);
      const got = mappings.map(({ inputs }) => {
        const fn = functions.find(({ fn }) => fn.outputs.name === inputs.functionName);
        const partial = String(inputs.functionResponseTypes) === "ReportBatchItemFailures";
        const from = inputs.eventSourceArn === queue?.outputs.arn ? "the queue" : "elsewhere";
        return `${fn?.key}, ${inputs.batchSize} from ${from}, ${inputs.scalingConfig?.maximumConcurrency} at once, ${partial ? "one by one" : "all or nothing"}`;
      });
      const consuming = functions.filter(({ line }) => line.queue);
      const wanted = consuming.map(
        ({ key, line }) =>
          `${key}, ${line.queue?.batchSize} from the queue, ${line.queue?.concurrency} at once, one by one`,
      );
      return [
        ...difference(got, wanted, "a consumer"),
        ...consuming
          .filter(({ fn }) => !(queue && queue.inputs.visibilityTimeoutSeconds >= 6 * fn.inputs.timeout))
          .map(({ key }) => `a batch may be received again while ${key} is at it`),
        ...(dead?.inputs.messageRetentionSeconds === 14 * 86_400 && maxReceiveCount > 1
          ? []
          : ["what nobody can take would be lost"]),
      ];
    },
  },
  {
    promise:
      "the migrator runs when the migrations change, before any function that reads the database is updated",
    offences: (evaluated) => {
      const functions = deployed(evaluated);
      const migrator = functions.find(({ key }) => key === "migrate");
      const invocations = all(evaluated, "aws:lambda/invocation:Invocation");
      const [run] = invocations;
      if (!run || invocations.length > 1 || run.inputs.functionName !== migrator?.fn.outputs.name)
        return ["the migrator is not invoked exactly once"];
      const hash = createHash("sha256").update(JSON.stringify(migrations)).digest("hex");
      const waiting = functions.filter(({ line }) => line.needs.includes("database") && !line.admin);
      const dsql = all(evaluated, "aws:dsql/cluster:Cluster").length > 0;
      return [
        ...(run.inputs.triggers?.migrations === hash ? [] : ["a changed migration would not run"]),
        ...(run.inputs.triggers?.database ? [] : ["another database would not be migrated"]),
        ...difference(
          JSON.parse(run.inputs.input).functionRoles,
          dsql ? waiting.map(({ fn }) => fn.inputs.role) : [],
          "a role that the database is told",
        ),
        ...waiting
          .filter(({ fn }) => !fn.dependencies.includes(run.urn))
          .map(({ key }) => `${key} does not wait for the migrator`),
      ];
    },
  },
  {
    promise: "nothing but the migrator owns the schema",
    offences: (evaluated) =>
      deployed(evaluated)
        .filter(({ line, fn }) => !line.admin && variables(fn).DSQL_ADMIN)
        .map(({ key }) => `${key} connects as admin`),
  },
  {
    promise: "what was removed in production can be brought back for as long as the database that names it",
    offences: (evaluated) => {
      if (!isProduction(evaluated.stage)) return [];
      const versioned = all(evaluated, "aws:s3/bucketVersioning:BucketVersioning");
      const rules = all(evaluated, "aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration");
      const plans = all(evaluated, "aws:backup/plan:Plan").flatMap(({ inputs }) => list(inputs.rules));
      return [
        ...dataBucketsOf(evaluated).flatMap(({ name, outputs }) => {
          const own = ({ inputs }: Resource) => inputs.bucket === outputs.bucket;
          const kept = versioned.find(own)?.inputs.versioningConfiguration.status === "Enabled";
          const [days] = list<{ noncurrentVersionExpiration?: { noncurrentDays: number } }>(
            rules.find(own)?.inputs.rules,
          ).flatMap(({ noncurrentVersionExpiration: kept }) => kept?.noncurrentDays ?? []);
          return [
            ...(kept ? [] : [`${name} keeps nothing that is removed`]),
            ...(days === backupDays ? [] : [`${name} keeps what is removed for ${days} days`]),
          ];
        }),
        ...plans
          .filter(({ lifecycle }) => lifecycle?.deleteAfter !== backupDays)
          .map(({ lifecycle }) => `the database is kept for ${lifecycle?.deleteAfter} days`),
      ];
    },
  },
  {
    promise:
      "somebody hears when routes fail or are slow, a job fails, rates are stale or a message is given up",
    offences: (evaluated) => {
      const topics = all(evaluated, "aws:sns/topic:Topic").map(({ outputs }) => outputs.arn);
      const alarms = all(evaluated, "aws:cloudwatch/metricAlarm:MetricAlarm");
      const [api] = all(evaluated, "aws:apigatewayv2/api:Api");
      const filters = all(evaluated, "aws:cloudwatch/logMetricFilter:LogMetricFilter");
      const watched = alarms.map(({ inputs }) =>
        [inputs.namespace, inputs.metricName, ...Object.values(inputs.dimensions ?? {})].join(" "),
      );
      const deadLetters = all(evaluated, "aws:sqs/queue:Queue").flatMap(({ inputs }) =>
        inputs.redrivePolicy ? [String(JSON.parse(inputs.redrivePolicy).deadLetterTargetArn)] : [],
      );
      const refresh = deployed(evaluated).find(({ key }) => key === "refresh-rates");
      const wanted = [
        `AWS/ApiGateway 5xx ${api?.outputs.id}`,
        `AWS/ApiGateway Latency ${api?.outputs.id}`,
        "AWS/Lambda Throttles",
        ...Object.keys(jobs).flatMap((name) =>
          ["Errors", "Throttles"].map((what) => `AWS/Lambda ${what} svc-${evaluated.stage}-${name}`),
        ),
        ...filters.map(({ inputs: { metricTransformation } }) =>
          [metricTransformation.namespace, metricTransformation.name].join(" "),
        ),
        ...deadLetters.map(
          (arn) => `AWS/SQS ApproximateNumberOfMessagesVisible ${arn.slice(arn.lastIndexOf(":") + 1)}`,
        ),
      ];
      return [
        ...wanted.filter((one) => !watched.includes(one)).map((one) => `nobody hears of ${one}`),
        ...(filters.some(({ inputs }) => inputs.logGroupName === refresh?.fn.inputs.loggingConfig?.logGroup)
          ? []
          : ["nobody counts stale rates"]),
        ...alarms
          .filter(({ inputs }) => !list(inputs.alarmActions).some((action) => topics.includes(action)))
          .map(({ name }) => `${name} reaches nobody`),
        ...alarms
          .filter(({ inputs }) => !/docs\/operations\.md, /.test(inputs.alarmDescription))
          .map(({ name }) => `${name} does not say what to do`),
      ];
    },
  },
  {
    promise: "the dashboard shows this API and every function of the stage",
    offences: (evaluated) => {
      const [dashboard] = all(evaluated, "aws:cloudwatch/dashboard:Dashboard");
      const [api] = all(evaluated, "aws:apigatewayv2/api:Api");
      if (!dashboard) return ["there is none"];
      const shown = JSON.stringify(JSON.parse(dashboard.inputs.dashboardBody).widgets);
      return [`"${api?.outputs.id}"`, "Errors", "Throttles", "Duration", "p99", `svc ${evaluated.stage}`]
        .filter((one) => !shown.includes(one))
        .map((one) => `it does not show ${one}`);
    },
  },
  {
    promise: "names fit, and no two resources are one",
    offences: ({ resources }) => [
      ...resources
        .map(({ urn }) => urn)
        .filter((urn, index, urns) => urns.indexOf(urn) !== index)
        .map((urn) => `${urn} is registered twice`),
      ...resources
        .filter(({ type, inputs }) => type === "aws:lambda/function:Function" && inputs.name.length > 64)
        .map(({ name }) => `${name} is too long a name`),
    ],
  },
];
