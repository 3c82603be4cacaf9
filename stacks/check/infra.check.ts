import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { runInNewContext } from "node:vm";
import { beforeAll, describe, expect, test } from "vitest";
import { jobs } from "../../functions/jobs.ts";
import { maxStageLength } from "../stage.ts";
import { appOf, evaluate, root } from "./evaluate.ts";
import { permissionsPage } from "./permissions-page.ts";
import type { Evaluated } from "./recorded.ts";
import { deployed, functionsOf, variables } from "./resources.ts";
import { allowsAnalytics, codeOf, routerOf, siteFiles } from "./router.ts";
import { apigatewayRules } from "./rules/apigateway.ts";
import { cloudfrontRules } from "./rules/cloudfront.ts";
import { cloudwatchRules } from "./rules/cloudwatch.ts";
import { dsqlRules } from "./rules/dsql.ts";
import { iamRules } from "./rules/iam.ts";
import { lambdaRules } from "./rules/lambda.ts";
import { s3Rules } from "./rules/s3.ts";
import { schedulerRules } from "./rules/scheduler.ts";
import { sqsRules } from "./rules/sqs.ts";
import { wafv2Rules } from "./rules/wafv2.ts";
import { secrets, settings } from "./settings.ts";

const rules = [
  ...lambdaRules,
  ...iamRules,
  ...s3Rules,
  ...dsqlRules,
  ...apigatewayRules,
  ...schedulerRules,
  ...sqsRules,
  ...cloudwatchRules,
  ...cloudfrontRules,
  ...wafv2Rules,
];
const promises = rules.map((rule) => [rule.promise, rule] as const);

const { APP_URL, ...withoutDomain } = settings;
const { SVC_ALARM_MAIL, ...withoutAlarmMail } = settings;
const { SST_SECRET_SmtpUrl, ...withoutMail } = secrets;
const { SST_SECRET_OriginSecret, ...withoutOrigin } = secrets;
const postgres = { SVC_DATABASE: "url", SST_SECRET_DatabaseUrl: "postgres://svc:password@db.svc.test/svc" };
const ANALYTICS_ID = "G-TEST123456";
const PWNED_PASSWORDS_URL = "https://pwned.svc.test/range";

/** The settings of production while a backup is restored. */
const duringRestore = { SVC_PAUSED: "true", SVC_RESTORED_CLUSTER: "restoredrestoredrestored12" };

/** Limits that differ from the defaults. */
const limits = {
  SVC_THROTTLES: "sign-in=50,upload=5",
  SVC_RESERVED_CONCURRENCY: "upload=5",
  SVC_TRACING: "true",
};

const longestStage = "preview-".padEnd(maxStageLength, "x");

type Invalid = [sentence: string, env: Record<string, string>, stage?: string];

/** Evaluations that must fail, each with the sentence that its error message must contain. */
const invalid: Invalid[] = [
  ["Configuration: MAIL_FROM must be set", { ...secrets, APP_URL }],
  ["Configuration: APP_URL must be an https URL", { ...settings, ...secrets, APP_URL: "http://svc.test" }],
  ["Configuration: SVC_CERTIFICATE_ARN must be", { ...settings, ...secrets, SVC_CERTIFICATE_ARN: "none" }],
  ["Configuration: ANALYTICS_ID must be", { ...settings, ...secrets, ANALYTICS_ID: "UA-1" }],
  [
    "Configuration: PWNED_PASSWORDS_URL must be",
    { ...settings, ...secrets, PWNED_PASSWORDS_URL: "http://pwned.svc.test" },
  ],
  ["Configuration: SVC_DATABASE must be dsql or url", { ...settings, ...secrets, SVC_DATABASE: "mysql" }],
  ["Configuration: SVC_ALARM_MAIL must be set", { ...withoutAlarmMail, ...secrets }, "production"],
  ["SVC_MONTHLY_BUDGET must be whole US dollars", { ...settings, ...secrets, SVC_MONTHLY_BUDGET: "$500" }],
  ["whole US dollars, and needs SVC_ALARM_MAIL", { ...withoutAlarmMail, ...secrets }],
  ["SVC_RESTORED_CLUSTER must be the identifier", { ...settings, ...secrets, SVC_RESTORED_CLUSTER: "arn:x" }],
  [
    "must be the identifier of an Aurora DSQL cluster",
    { ...settings, ...secrets, ...postgres, ...duringRestore },
  ],
  ["AUDIT_RETENTION_DAYS must be a number of days", { ...settings, ...secrets, AUDIT_RETENTION_DAYS: "30" }],
  ["SVC_PAUSED must be true or false", { ...settings, ...secrets, SVC_PAUSED: "1" }],
  ["SVC_THROTTLES must be a list such as", { ...settings, ...secrets, SVC_THROTTLES: "login=20" }],
  ["Set a value for SmtpUrl", { ...settings, ...withoutMail }],
  ["Set a value for OriginSecret", { ...settings, ...withoutOrigin }],
  ["Set a value for DatabaseUrl", { ...settings, ...secrets, SVC_DATABASE: "url" }],
  ["has 28 characters, but its name may have at most 27", { ...settings, ...secrets }, `${longestStage}x`],
];

let production: Evaluated;
let productionAgain: Evaluated;
let restored: Evaluated;
let preview: Evaluated;
let previewClient: string[];
let failures: Record<string, string>;

/**
 * Evaluates each stage once for all tests. Evaluations that run at the same time share one build of dist/ and of the web
 * client. Preview builds both again, inside its program, because its client contains the analytics id.
 */
beforeAll(async () => {
  const { ANALYTICS_ID: _, ...env } = process.env;
  await promisify(execFile)("npm", ["run", "build"], { cwd: root, env: { ...env, NODE_ENV: "production" } });
  const prebuilt = { prebuilt: true };
  [production, productionAgain] = await Promise.all([
    evaluate("production", { ...settings, ...secrets }, prebuilt),
    evaluate("production", { ...settings, ...secrets }, prebuilt),
  ]);
  restored = await evaluate("production", { ...settings, ...secrets, ...duringRestore }, prebuilt);
  const failed = invalid.map(async ([sentence, env, stage = "preview"]) => {
    const message = await evaluate(stage, env, prebuilt).then(
      () => "The program succeeded.",
      (error: Error) => error.message,
    );
    return [sentence, message] as const;
  });
  const optional = { ANALYTICS_ID, PWNED_PASSWORDS_URL, ...limits };
  preview = await evaluate(longestStage, { ...withoutDomain, ...secrets, ...postgres, ...optional });
  previewClient = await Promise.all(siteFiles(preview).map(({ source }) => readFile(source, "utf8")));
  failures = Object.fromEntries(await Promise.all(failed));
});

/** Removes the random suffix of a name. */
const withoutSuffix = (name: string) => name.replace(/-[a-z]{8}$/, "");

/** Serializes the resources in a stable order, without the random suffixes of names and of the working folder. */
function masked({ resources }: Evaluated): string[] {
  return resources
    .map(({ dependencies, ...resource }) =>
      JSON.stringify({ ...resource, dependencies: dependencies.toSorted() }),
    )
    .map((text) =>
      text.replaceAll(/-[a-z]{8}(?=[\\"/:*.])/g, "-~").replaceAll(/svc-infra-\w{6}/g, "svc-infra-~"),
    )
    .sort();
}

/** Returns the S3 key of each function's code, which contains a hash of the code. */
function codeKeys({ resources }: Evaluated): string[] {
  const archives = resources.filter(({ type }) => type === "aws:s3/bucketObjectv2:BucketObjectv2");
  return archives.map(({ inputs }) => inputs.key).sort();
}

test("building the functions twice produces the same code", () => {
  expect(codeKeys(preview)).toEqual(codeKeys(production));
});

describe("stage production, on Aurora DSQL", () => {
  test.each(promises)("%s", (_, { offences }) => expect(offences(production)).toEqual([]));

  test("evaluates to the same resources each time, except for random suffixes", () => {
    expect(masked(productionAgain)).toEqual(masked(production));
  });

  test("matches stacks/PERMISSIONS.md (npm run permissions updates it)", async () => {
    expect(await readFile(join(root, "stacks/PERMISSIONS.md"), "utf8")).toBe(permissionsPage(production));
  });

  test("deploys the upload function with sharp for arm64", async () => {
    const native = join(
      root,
      production.bundles.PostApiUploadAvatar ?? "",
      "node_modules/@img/sharp-linux-arm64/lib",
    );
    const [file = ""] = await readdir(native);
    // ELF header, e_machine: AArch64.
    expect((await readFile(join(native, file))).readUInt16LE(18)).toBe(183);
  });
});

describe("stage production, paused and with a restored cluster", () => {
  test.each(promises)("%s", (_, { offences }) => expect(offences(restored)).toEqual([]));

  test("keeps the resources of the stage, so that the vault with the earlier backups stays in the stack", () => {
    const urns = ({ resources }: Evaluated) => resources.map(({ urn }) => urn).sort();
    expect(urns(restored).map(withoutSuffix)).toEqual(urns(production).map(withoutSuffix));
  });
});

describe("stage preview with the longest name, on an external PostgreSQL database", () => {
  test.each(promises)("%s", (_, { offences }) => expect(offences(preview)).toEqual([]));

  test("can be removed together with its data", async () => {
    expect(await appOf(preview.stage)).toMatchObject({ removal: "remove", protect: false });
    const buckets = preview.resources.filter(({ type }) => type === "aws:s3/bucket:Bucket");
    expect(buckets.map(({ inputs }) => inputs.forceDestroy)).toEqual([true, true, true]);
  });

  test("shortens the names of long routes only", () => {
    const names = functionsOf(preview).map(({ inputs }) => inputs.name.slice(`svc-${preview.stage}-`.length));
    expect(names).toContain("post-v1-webhooks-id-del-efefaff4");
    expect(names).toEqual(expect.arrayContaining(["get-auth-me", ...Object.keys(jobs)]));
  });

  test("searches breached passwords only in the functions that set passwords", () => {
    const searching = deployed(preview).filter(({ fn }) => variables(fn).PWNED_PASSWORDS_URL);
    expect(searching.map(({ key }) => key).sort()).toEqual([
      "POST /auth/password/reset",
      "POST /auth/register",
      "PUT /user/password",
    ]);
  });

  test("has no DSQL cluster, and no permission for one", () => {
    expect(preview.resources.filter(({ type }) => type.includes("dsql"))).toEqual([]);
    expect(JSON.stringify(preview.resources)).not.toContain("dsql:");
  });
});

describe("the web client's URL", () => {
  /** Runs the router's edge function with the site's key-value store, and returns the object that it requests. */
  async function objectFor(path: string): Promise<string | undefined> {
    const table = new Map<string, string>();
    for (const { name, inputs } of production.resources) {
      if (name.endsWith(".KvRoutesUpdate"))
        table.set(`${inputs.namespace}:${inputs.key}`, `["${inputs.entry}"]`);
      if (name.endsWith(".KvKeys"))
        for (const [key, value] of Object.entries<string>(inputs.entries))
          table.set(`${inputs.namespace}:${key}`, value);
    }
    let origin: string | undefined;
    const cf = {
      kvs: () => ({
        get: async (key: string) => table.get(key) ?? Promise.reject(new Error(`There is no key ${key}.`)),
      }),
      updateRequestOrigin: ({ domainName }: { domainName: string }) => {
        origin = domainName;
      },
    };
    const headers = { host: { value: new URL(settings.APP_URL).host } };
    const event = { request: { method: "GET", uri: path, headers, querystring: {}, cookies: {} } };
    const code = codeOf(production, routerOf(production).site).replace('import cf from "cloudfront";', "");
    const { uri } = await runInNewContext(`${code};handler(event)`, { cf, event });
    const bucket = production.resources.find(({ name }) => name === "WebAssetsBucket");
    return origin === bucket?.outputs.bucketRegionalDomainName ? uri : undefined;
  }

  test.each([
    ["/", "/index.html"],
    ["/login", "/index.html"],
    ["/projects/prj_1", "/index.html"],
    ["/icon.svg", "/icon.svg"],
    ["/assets/no-such.js", "/assets/no-such.js"],
  ])("serves %s from the object %s", async (path, object) => expect(await objectFor(path)).toBe(object));

  test("allows and loads Google Analytics only on a stage with ANALYTICS_ID", () => {
    expect([allowsAnalytics(production), allowsAnalytics(preview)]).toEqual([false, true]);
    expect(previewClient.filter((text) => text.includes(ANALYTICS_ID))).toHaveLength(1);
  });

  test("is CloudFront's domain without APP_URL, and has a DNS record and a certificate when APP_URL is set", () => {
    const names = ({ resources }: Evaluated) =>
      resources
        .filter(({ type }) => /^aws:(acm|route53)\//.test(type))
        .map(({ type, inputs }) =>
          `${type.split(":").at(-1)} ${inputs.type ?? ""} ${inputs.name ?? ""}`.trim(),
        );
    expect(names(preview)).toEqual([]);
    expect(names(production)).toEqual(expect.arrayContaining(["Certificate", "Record A app.svc.test"]));
  });
});

describe("a deploy with a missing or malformed setting", () => {
  test.each(invalid)("fails with: %s", (sentence) => {
    expect(failures[sentence]).toContain(sentence);
  });
});

describe.each(promises)("the rule that %s", (_promise, rule) => {
  const { offences, brokenBy, brokenDuringRestoreBy = {} } = rule;

  test.each(Object.entries(brokenBy))("reports %s", (_, mutate) => {
    const mutated = structuredClone(production);
    mutate(mutated.resources, mutated);
    expect(offences(mutated)).not.toEqual([]);
  });

  test.for(Object.entries(brokenDuringRestoreBy))("reports %s during a restore", ([, mutate]) => {
    const mutated = structuredClone(restored);
    mutate(mutated.resources, mutated);
    expect(offences(mutated)).not.toEqual([]);
  });
});

describe("the rules together", () => {
  const watching = [
    "aws:budgets/budget:Budget",
    "aws:cloudwatch/eventRule:EventRule",
    "aws:cloudwatch/eventTarget:EventTarget",
    "aws:cloudwatch/logMetricFilter:LogMetricFilter",
    "aws:cloudwatch/metricAlarm:MetricAlarm",
    "aws:sns/topic:Topic",
    "aws:sns/topicPolicy:TopicPolicy",
    "aws:sns/topicSubscription:TopicSubscription",
    "aws:sqs/queue:Queue",
    "aws:wafv2/webAcl:WebAcl",
  ];

  test.each(watching)("report each missing resource of the type %s", (type) => {
    const { resources } = production;
    const unnoticed = resources
      .filter((one) => one.type === type)
      .filter((missing) => {
        const rest = { ...production, resources: resources.filter((one) => one !== missing) };
        return rules.every(({ offences }) => offences(rest).length === 0);
      });
    expect(unnoticed.map(({ name }) => name)).toEqual([]);
  });
});

test("every rule has a mutation", () => {
  expect(rules.filter(({ brokenBy }) => Object.keys(brokenBy).length === 0)).toEqual([]);
});
