import { jobs } from "../../../functions/jobs.ts";
import { groupOf, type Route, routes } from "../../../functions/routes.ts";
import { bundleName } from "../../../packages/bundle/units.ts";
import { allocator } from "../../../packages/core/avatar/allocator.ts";
import { type Need, validate } from "../../../packages/core/platform/config/config.ts";
import { heap } from "../../../packages/core/report/heap.ts";
import { component, deployed, functionsOf, variables } from "../resources.ts";
import { routerOf } from "../router.ts";
import { add, difference, drop, environmentOf, functionOf, one, type Rule, role } from "./rule.ts";

const lambdaFunction = "aws:lambda/function:Function";

/** 1769 MB is the smallest size with a whole vCPU. */
const wholeProcessorMb = 1769;

const storageVariables = [
  "STORAGE_ACCESS_KEY_ID",
  "STORAGE_SECRET_ACCESS_KEY",
  "STORAGE_REGION",
  "STORAGE_ENDPOINT",
  "STORAGE_BUCKET",
  "STORAGE_BUCKET_AVATARS",
];

/** The variables that each need allows. */
const variablesOf: Record<Need, readonly string[]> = {
  database: ["DATABASE_URL", "DSQL_ENDPOINT"],
  tokens: ["TOKEN_KEYS"],
  encryption: ["ENCRYPTION_KEYS"],
  checkpoints: ["AUDIT_KEYS"],
  webauthn: [],
  documents: Object.keys(heap),
  passwords: ["PWNED_PASSWORDS_URL"],
  mail: ["SMTP_URL", "MAIL_FROM"],
  queue: ["QUEUE_URL"],
  places: ["COUNTRY_FILE"],
  "avatars:read": storageVariables,
  "avatars:write": storageVariables,
  "avatars:sweep": storageVariables,
  "files:read": storageVariables,
  "files:write": storageVariables,
  "erasures:record": storageVariables,
  "erasures:reapply": storageVariables,
};

/** The variables that every function may have. */
export const commonVariables = [
  "APP_URL",
  "ALLOWED_ORIGINS",
  "RATE_LIMITS",
  "AUDIT_RETENTION_DAYS",
  "ORIGIN_SECRET",
  "SST_KEY",
  "SST_KEY_FILE",
  "SST_RESOURCE_App",
];

/** The input that names a resource of each type, and its longest value. */
const nameLimits: Record<string, [field: string, limit: number]> = {
  [lambdaFunction]: ["name", 64],
  "aws:iam/role:Role": ["name", 64],
  "aws:iam/user:User": ["name", 64],
  "aws:s3/bucket:Bucket": ["bucket", 63],
  "aws:scheduler/schedule:Schedule": ["name", 64],
  "aws:sqs/queue:Queue": ["name", 80],
};

/** Describes the items that a list contains more than once. */
function twice(items: readonly string[]): string[] {
  return items.filter((item, at) => items.indexOf(item) !== at).map((item) => `${item} exists twice`);
}

export const lambdaRules: Rule[] = [
  {
    promise: "every route and every job has exactly one function, which runs the handler's bundle",
    offences: (evaluated) => {
      const found = deployed(evaluated);
      const wanted = [...Object.keys(routes), ...Object.keys(jobs)];
      const keys = found.map(({ key }) => key);
      const known = new Set(found.map(({ fn }) => fn.urn));
      return [
        ...difference(keys, wanted, "function"),
        ...functionsOf(evaluated)
          .filter(({ urn }) => !known.has(urn))
          .map(({ name }) => `${name} belongs to no route and no job`),
        ...(known.size < found.length ? ["two routes or jobs share a function"] : []),
        ...(new Set(keys).size < keys.length ? ["a route or job has two functions"] : []),
        ...found
          .filter(({ fn, line }) => evaluated.bundles[component(fn)] !== `dist/${bundleName(line.handler)}`)
          .map(({ key, fn }) => `${key} runs ${evaluated.bundles[component(fn)]}`),
      ];
    },
    brokenBy: {
      "a function that belongs to no route and no job": (r) =>
        add(r, lambdaFunction, { name: "svc-production-extra" }),
      "a route without a function": (r) => drop(r, lambdaFunction, /^GetAuthMeFunction$/),
      "two routes that share a function": (r) => {
        const arn = functionOf(r, "GetTeamId").outputs.arn;
        const other = r.find(({ inputs }) => inputs.integrationUri === arn);
        Object.assign(other?.inputs ?? {}, { integrationUri: functionOf(r, "GetTeam").outputs.arn });
      },
    },
  },
  {
    promise:
      "every function runs Node 24 on arm64, with a whole vCPU if it decodes images or generates files",
    offences: (evaluated) =>
      deployed(evaluated).flatMap(({ key, line, fn: { inputs } }) => [
        ...(String(inputs.architectures) === "arm64" ? [] : [`${key} runs on ${inputs.architectures}`]),
        ...(inputs.runtime === "nodejs24.x" ? [] : [`${key} runs on ${inputs.runtime}`]),
        ...(inputs.memorySize === (line.sharp || line.heavy ? wholeProcessorMb : 512)
          ? []
          : [`${key} has ${inputs.memorySize} MB`]),
      ]),
    brokenBy: {
      "a function on x86_64": (r) =>
        Object.assign(functionOf(r, "GetHealth").inputs, { architectures: ["x86_64"] }),
      "512 MB for a function that decodes images": (r) =>
        Object.assign(functionOf(r, "PostApiUploadAvatar").inputs, { memorySize: 512 }),
      "512 MB for a function that generates files": (r) =>
        Object.assign(functionOf(r, "PostV1ReportsGenerate").inputs, { memorySize: 512 }),
    },
  },
  {
    promise: "functions have reserved concurrency and X-Ray tracing where the settings require it",
    offences: (evaluated) =>
      deployed(evaluated).flatMap(({ key, fn: { inputs } }) => {
        const { reservedConcurrency, tracing } = evaluated.settings;
        const route = (routes as Record<string, Route>)[key];
        const reserved = route && reservedConcurrency[groupOf(key, route)];
        return [
          ...(inputs.reservedConcurrentExecutions === reserved
            ? []
            : [`${key} reserves ${inputs.reservedConcurrentExecutions}`]),
          ...((inputs.tracingConfig?.mode === "Active") === tracing
            ? []
            : [`X-Ray traces ${key} or does not`]),
        ];
      }),
    brokenBy: {
      "a function with reserved concurrency": (r) =>
        Object.assign(functionOf(r, "GetTeam").inputs, { reservedConcurrentExecutions: 10 }),
      "a function that X-Ray traces": (r) =>
        Object.assign(functionOf(r, "GetTeam").inputs, { tracingConfig: { mode: "Active" } }),
    },
  },
  {
    promise: "every function has the environment variables that its needs require, and no others",
    offences: (evaluated) =>
      deployed(evaluated).flatMap(({ key, line, fn }) => {
        const given = variables(fn);
        const allowed = [
          ...commonVariables,
          ...line.needs.flatMap((need) => variablesOf[need]),
          ...(line.admin ? ["DSQL_ADMIN"] : []),
          ...(line.sharp ? Object.keys(allocator) : []),
        ];
        const required = [
          ...(line.sharp ? Object.keys(allocator) : []),
          ...(line.needs.includes("documents") ? Object.keys(heap) : []),
        ];
        const missing = required.filter((name) => !given[name]);
        const surplus = Object.keys(given).filter((name) => !allowed.includes(name));
        try {
          validate(line.needs, given);
        } catch (error) {
          return [`${key} would not start: ${(error as Error).message}`];
        }
        return [
          ...surplus.map((name) => `${key} must not have ${name}`),
          ...missing.map((name) => `${key} lacks ${name}`),
        ];
      }),
    brokenBy: {
      "a missing variable": (r) => delete environmentOf(r, "GetAuthMe").TOKEN_KEYS,
      "a function that decodes images without the allocator's settings": (r) =>
        delete environmentOf(r, "PostApiUploadAvatar").MALLOC_ARENA_MAX,
      "a function that writes report files without the limit of its heap": (r) =>
        delete environmentOf(r, "PostV1ReportsGenerate").NODE_OPTIONS,
      "a variable that the function does not need": (r) =>
        Object.assign(environmentOf(r, "GetTeam"), { SMTP_URL: "smtp://mail.svc.test" }),
    },
  },
  {
    promise: "every function's environment is marked as a secret, so that the state encrypts it",
    offences: (evaluated) =>
      functionsOf(evaluated)
        .filter(({ secrets }) => !secrets.includes("environment"))
        .map(({ name }) => `the environment of ${name} is plain text`),
    brokenBy: {
      "an environment in plain text": (r) => Object.assign(functionOf(r, "GetTeam"), { secrets: [] }),
    },
  },
  {
    promise: "every function's APP_URL is the URL of the router",
    offences: (evaluated) => {
      const { inputs, outputs } = routerOf(evaluated).resource;
      const url = `https://${inputs.aliases?.[0] ?? outputs.domainName}`;
      return deployed(evaluated)
        .filter(({ fn }) => variables(fn).APP_URL !== url)
        .map(({ key, fn }) => `${key} has ${variables(fn).APP_URL} instead of ${url}`);
    },
    brokenBy: {
      "another URL in APP_URL": (r) =>
        Object.assign(environmentOf(r, "PostAuthRegister"), { APP_URL: "https://elsewhere.test" }),
    },
  },
  {
    promise: "no name is longer than AWS allows or used twice, and every resource has its own URN",
    offences: ({ resources }) => [
      ...twice(resources.map(({ urn }) => urn)),
      ...Object.entries(nameLimits).flatMap(([type, [field, limit]]) => {
        const names = resources.filter((one) => one.type === type).map(({ inputs }) => inputs[field]);
        return [
          ...twice(names.map((name) => `${type} ${name}`)),
          ...names.filter((name) => name.length > limit).map((name) => `${name} is too long for ${type}`),
        ];
      }),
    ],
    brokenBy: {
      "two resources with one URN": (r) => r.push({ ...functionOf(r, "GetTeam"), type: "another" }),
      "two functions with one name": (r) =>
        Object.assign(functionOf(r, "GetTeam").inputs, { name: functionOf(r, "GetTeamId").inputs.name }),
      "a function's name of 65 characters": (r) =>
        Object.assign(functionOf(r, "GetTeam").inputs, { name: "a".repeat(65) }),
      "a role's name of 65 characters": (r) =>
        Object.assign(role(r, "GetTeam").inputs, { name: "a".repeat(65) }),
      "a bucket's name of 64 characters": (r) =>
        Object.assign(one(r, "aws:s3/bucket:Bucket").inputs, { bucket: "a".repeat(64) }),
    },
  },
];
