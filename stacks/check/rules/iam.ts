import { described, keyPermissionsOf, permissionsOf, roleOf, statementsOf } from "../policies.ts";
import type { Resource } from "../recorded.ts";
import { all, asList, bucketsOf, deployed, functionsOf, variables, workQueueOf } from "../resources.ts";
import { add, allow, difference, environmentOf, functionOf, one, type Rule, role } from "./rule.ts";

const bucket = "aws:s3/bucket:Bucket";
const cluster = "aws:dsql/cluster:Cluster";
const logGroup = "aws:cloudwatch/logGroup:LogGroup";
const queue = "aws:sqs/queue:Queue";
const userPolicy = "aws:iam/userPolicy:UserPolicy";

/** The actions of each need's storage key, each with the bucket and the object prefix that it is limited to. */
const keyActions: Record<string, string[]> = {
  "avatars:read": onPictures("s3:GetObject"),
  "avatars:write": onPictures("s3:DeleteObject", "s3:GetObject", "s3:PutObject"),
  "avatars:sweep": [...onPictures("s3:DeleteObject", "s3:GetObject"), "s3:ListBucket avatars: "],
  "files:read": ["s3:GetObject files: reports/*"],
  "files:write": [
    "s3:DeleteObject files: reports/*",
    "s3:GetObject files: reports/*",
    "s3:PutObject files: reports/*",
  ],
  "erasures:record": ["s3:PutObject files: erasures/*"],
  "erasures:reapply": [...onPictures("s3:DeleteObject"), "s3:ListBucket files: "],
};

/** Returns actions on the objects of both sizes, and on no others in their bucket. */
function onPictures(...actions: string[]): string[] {
  return actions.flatMap((action) => [`${action} avatars: avatars/*`, `${action} avatars: avatars-small/*`]);
}

export const iamRules: Rule[] = [
  {
    promise: "no policy allows an action by wildcard",
    offences: (evaluated) =>
      permissionsOf(evaluated)
        .filter(({ effect, action }) => effect !== "Deny" && action.includes("*"))
        .map(described),
    brokenBy: {
      "s3:* for a storage key": (r) =>
        allow(one(r, userPolicy, /AvatarsRead/), "s3:*", one(r, bucket).outputs.arn),
    },
  },
  {
    promise: "no policy allows an action on a resource outside this stack",
    offences: (evaluated) => {
      const arns = evaluated.resources.map(({ outputs }) => outputs.arn).filter((arn) => arn !== undefined);
      const isInStack = (resource: string) =>
        arns.some((arn) => resource === arn || resource.startsWith(`${arn}/`) || resource === `${arn}:*`);
      return (
        permissionsOf(evaluated)
          .filter(({ effect, resource }) => effect !== "Deny" && !isInStack(resource))
          // The actions of X-Ray have no resource. The rule below allows them on stages that trace.
          .filter(({ action, resource }) => !(action.startsWith("xray:") && resource === "*"))
          .map(described)
      );
    },
    brokenBy: {
      "an action on every resource": (r) => allow(role(r, "GetTeam"), "dsql:DbConnect", "*"),
    },
  },
  {
    promise:
      "a function's role may only write to the function's log, to X-Ray if the stage traces, and connect to the database or use the queue if its line requires it",
    offences: (evaluated) => {
      const groups = all(evaluated, logGroup);
      const [database] = all(evaluated, cluster);
      const queueArn = workQueueOf(evaluated)?.outputs.arn;
      return deployed(evaluated).flatMap(({ key, line, fn }) => {
        const role = roleOf(evaluated, fn);
        if (!role) return [`${key} has no role`];
        const log = groups.find(({ outputs }) => outputs.name === fn.inputs.loggingConfig?.logGroup);
        const wanted = [
          `logs:CreateLogStream ${log?.outputs.arn}:*`,
          `logs:PutLogEvents ${log?.outputs.arn}:*`,
        ];
        if (database && line.needs.includes("database"))
          wanted.push(`dsql:${line.admin ? "DbConnectAdmin" : "DbConnect"} ${database.outputs.arn}`);
        if (line.needs.includes("queue")) wanted.push(`sqs:SendMessage ${queueArn}`);
        if (evaluated.settings.tracing) wanted.push("xray:PutTraceSegments *", "xray:PutTelemetryRecords *");
        if (line.queue)
          for (const action of ["ReceiveMessage", "DeleteMessage", "GetQueueAttributes"])
            wanted.push(`sqs:${action} ${queueArn}`);
        const got = permissionsOf(evaluated).filter(({ owner }) => owner.urn === role.urn);
        return difference(
          got.map(({ action, resource }) => `${action} ${resource}`),
          wanted,
          `permission of ${key}`,
        );
      });
    },
    brokenBy: {
      "the queue for a function that sends no messages": (r) =>
        allow(role(r, "GetTeam"), "sqs:SendMessage", one(r, queue, /Work/).outputs.arn),
      "another function's log": (r) =>
        allow(role(r, "GetTeam"), "logs:PutLogEvents", `${one(r, logGroup, /GetAuthMe/).outputs.arn}:*`),
      "X-Ray on a stage that does not trace": (r) => allow(role(r, "GetTeam"), "xray:PutTraceSegments", "*"),
      "a route that may connect as admin": (r) =>
        allow(role(r, "GetTeam"), "dsql:DbConnectAdmin", one(r, cluster).outputs.arn),
    },
  },
  {
    promise: "no two functions share a role or a log group",
    offences: (evaluated) => {
      const shared = (property: (fn: Resource) => string | undefined) => {
        const seen = functionsOf(evaluated).map(property);
        return seen.filter((one, index) => seen.indexOf(one) !== index).map((one) => `${one} is shared`);
      };
      return [
        ...shared(({ inputs }) => inputs.role),
        ...shared(({ inputs }) => inputs.loggingConfig?.logGroup),
      ];
    },
    brokenBy: {
      "two functions with one role": (r) =>
        Object.assign(functionOf(r, "GetTeam").inputs, { role: functionOf(r, "PostTeam").inputs.role }),
    },
  },
  {
    promise: "no role has a permission in S3",
    offences: (evaluated) =>
      permissionsOf(evaluated)
        .filter(({ owner, action }) => owner.type.startsWith("aws:iam/role") && /^(s3:|\*)/i.test(action))
        .map(described),
    brokenBy: {
      "a role that may read objects": (r) =>
        allow(role(r, "GetAuthMe"), "s3:GetObject", `${one(r, bucket).outputs.arn}/x`),
    },
  },
  {
    promise: "no AWS managed policy is attached, except the one for the role of AWS Backup",
    offences: ({ resources }) =>
      resources.flatMap(({ type, name, inputs }) => [
        ...asList<string>(inputs.managedPolicyArns)
          .filter(
            (arn) => !(name === "DatabaseBackupRole" && arn.endsWith("/AWSBackupServiceRolePolicyForBackup")),
          )
          .map((arn) => `${name} has ${arn}`),
        ...(/^aws:iam\/.*Attachment:/.test(type) ? [`${name} attaches ${inputs.policyArn}`] : []),
      ]),
    brokenBy: {
      AdministratorAccess: (r) =>
        role(r, "GetTeam").inputs.managedPolicyArns.push("arn:aws:iam::aws:policy/AdministratorAccess"),
    },
  },
  {
    promise: "every role can be assumed by exactly one AWS service",
    offences: (evaluated) =>
      all(evaluated, "aws:iam/role:Role").flatMap(({ name, inputs }) =>
        statementsOf(inputs.assumeRolePolicy).flatMap(({ Principal }) => {
          const principals = Object.entries(Principal as Record<string, string | string[]>).flatMap(
            ([kind, ids]) => asList(ids).map((id) => `${kind}:${id}`),
          );
          return principals.length === 1 &&
            /^Service:(lambda|scheduler|backup)\.amazonaws\.com$/.test(principals[0] ?? "")
            ? []
            : [`${name} can be assumed by ${principals.join(", ")}`];
        }),
      ),
    brokenBy: {
      "a role that the whole account can assume": (r) => {
        const [statement] = role(r, "GetTeam").inputs.assumeRolePolicy.Statement;
        statement.Principal.AWS = "arn:aws:iam::111111111111:root";
      },
    },
  },
  {
    promise: "every function has the storage key of its need, and the key has exactly the need's permissions",
    offences: (evaluated) => {
      const arns: string[] = bucketsOf(evaluated).map(({ outputs }) => outputs.arn);
      /** Describes an ARN in a bucket of this stack as `keyActions` does. */
      const inBucket = (resource: string) => {
        const arn = arns.find((one) => resource === one || resource.startsWith(`${one}/`));
        const [, name] = /^arn:aws:s3:::svc-(\w+)-/.exec(arn ?? "") ?? [];
        return `${name}: ${resource.slice((arn ?? "").length).replace(/^\//, "")}`;
      };
      return deployed(evaluated).flatMap(({ key, line, fn }) => {
        const needs = line.needs.filter((need) => need in keyActions);
        const got = keyPermissionsOf(evaluated, fn);
        if (needs.length === 0) return got.map(({ action }) => `${key} has a storage key for ${action}`);
        return difference(
          got.map(({ action, resource }) => `${action} ${inBucket(resource)}`),
          needs.flatMap((need) => keyActions[need] ?? []),
          `permission of the storage key of ${key}`,
        );
      });
    },
    brokenBy: {
      "a function with the key of another need": (r) => {
        const { STORAGE_ACCESS_KEY_ID, STORAGE_SECRET_ACCESS_KEY } = environmentOf(r, "PostApiUploadAvatar");
        Object.assign(environmentOf(r, "GetUserProfile"), {
          STORAGE_ACCESS_KEY_ID,
          STORAGE_SECRET_ACCESS_KEY,
        });
      },
      "a key for every object of the bucket": (r) => {
        const { inputs } = one(r, userPolicy, /AvatarsRead/);
        inputs.policy = inputs.policy.replace("/avatars-small/*", "/*");
      },
      "a key without the small objects": (r) => {
        const { inputs } = one(r, userPolicy, /AvatarsWrite/);
        inputs.policy = inputs.policy.replace(/,"[^"]*\/avatars-small\/\*"/, "");
      },
    },
  },
  {
    promise:
      "only uploading an avatar, making its small object and removing an avatar or an account can write avatars, GET /auth/me can only read them, and only the sweep can list them",
    offences: (evaluated) => {
      const holdersOf = (action: string) =>
        deployed(evaluated)
          .filter(({ fn }) =>
            keyPermissionsOf(evaluated, fn).some(
              (permission) => permission.action === action && permission.resource.includes("svc-avatars-"),
            ),
          )
          .map(({ key }) => key);
      const me = deployed(evaluated).find(({ key }) => key === "GET /auth/me");
      const writers = [
        "POST /api/upload/avatar",
        "DELETE /api/upload/avatar",
        "DELETE /user/avatar",
        "DELETE /user",
        "make-small-avatars",
      ];
      return [
        ...difference(holdersOf("s3:PutObject"), writers, "holder of s3:PutObject"),
        ...difference(
          holdersOf("s3:DeleteObject"),
          [...writers, "sweep-avatars", "reapply-erasures"],
          "holder of s3:DeleteObject",
        ),
        ...difference(holdersOf("s3:ListBucket"), ["sweep-avatars"], "holder of s3:ListBucket"),
        ...difference(
          me ? keyPermissionsOf(evaluated, me.fn).map(({ action }) => action) : [],
          ["s3:GetObject"],
          "action of GET /auth/me",
        ),
      ];
    },
    brokenBy: {
      "a reading key that can write": (r) =>
        allow(
          one(r, userPolicy, /AvatarsRead/),
          "s3:PutObject",
          `${one(r, bucket, /Avatars/).outputs.arn}/avatars/*`,
        ),
      "a writing key that can list": (r) =>
        allow(one(r, userPolicy, /AvatarsWrite/), "s3:ListBucket", one(r, bucket, /Avatars/).outputs.arn),
    },
  },
  {
    promise: "listing is limited to the bucket of avatars and to the records of erasures",
    offences: (evaluated) =>
      permissionsOf(evaluated)
        .filter(({ effect, action }) => effect === "Allow" && action === "s3:ListBucket")
        .filter(
          ({ resource, condition }) =>
            !resource.includes("svc-avatars-") &&
            !(resource.includes("svc-files-") && condition === '{"StringLike":{"s3:prefix":"erasures/*"}}'),
        )
        .map(described),
    brokenBy: {
      "a key that can list the bucket of files": (r) =>
        allow(one(r, userPolicy, /AvatarsSweep/), "s3:ListBucket", one(r, bucket, /Files/).outputs.arn),
      "a key that can list reports": (r) => {
        const { inputs } = one(r, userPolicy, /ErasuresReapply/);
        inputs.policy = inputs.policy.replace("erasures/*", "*");
      },
    },
  },
  {
    promise: "every IAM user has a storage key that some function holds",
    offences: (evaluated) => {
      const held = functionsOf(evaluated).map((fn) => variables(fn).STORAGE_ACCESS_KEY_ID);
      const unused = all(evaluated, "aws:iam/user:User").filter(
        ({ outputs }) =>
          !all(evaluated, "aws:iam/accessKey:AccessKey").some(
            (key) => key.inputs.user === outputs.name && held.includes(key.outputs.id),
          ),
      );
      return unused.map(({ name }) => `no function holds a key of ${name}`);
    },
    brokenBy: {
      "a user whose key no function holds": (r) =>
        add(r, "aws:iam/user:User", { name: "svc-production-spare" }),
    },
  },
];
