import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { runInNewContext } from "node:vm";
import { beforeAll, describe, expect, test } from "vitest";
import { appOf, evaluate, root } from "./evaluate.ts";
import { permissionsPage } from "./permissions-page.ts";
import type { Evaluated } from "./recorded.ts";
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
];
const promises = rules.map((rule) => [rule.promise, rule] as const);

const { APP_URL, ...withoutDomain } = settings;
const { SST_SECRET_SmtpUrl, ...withoutMail } = secrets;
const { SST_SECRET_OriginSecret, ...withoutOrigin } = secrets;
const postgres = { SVC_DATABASE: "url", SST_SECRET_DatabaseUrl: "postgres://svc:password@db.svc.test/svc" };
const ANALYTICS_ID = "G-TEST123456";

/** Environments with a missing or malformed setting, by the error message that each must cause. */
const invalid: Record<string, Record<string, string>> = {
  "Configuration: MAIL_FROM must be set": { ...secrets, APP_URL },
  "Configuration: APP_URL must be an https URL": { ...settings, ...secrets, APP_URL: "http://svc.test" },
  "Configuration: SVC_CERTIFICATE_ARN must be": { ...settings, ...secrets, SVC_CERTIFICATE_ARN: "none" },
  "Configuration: ANALYTICS_ID must be": { ...settings, ...secrets, ANALYTICS_ID: "UA-1" },
  "Configuration: SVC_DATABASE must be dsql or url": { ...settings, ...secrets, SVC_DATABASE: "mysql" },
  "Set a value for SmtpUrl": { ...settings, ...withoutMail },
  "Set a value for OriginSecret": { ...settings, ...withoutOrigin },
  "Set a value for DatabaseUrl": { ...settings, ...secrets, SVC_DATABASE: "url" },
};

let production: Evaluated;
let productionAgain: Evaluated;
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
  const failed = Object.entries(invalid).map(async ([sentence, env]) => {
    const message = await evaluate("preview", env, prebuilt).then(
      () => "The program succeeded.",
      (error: Error) => error.message,
    );
    return [sentence, message] as const;
  });
  preview = await evaluate("preview", { ...withoutDomain, ...secrets, ...postgres, ANALYTICS_ID });
  previewClient = await Promise.all(siteFiles(preview).map(({ source }) => readFile(source, "utf8")));
  failures = Object.fromEntries(await Promise.all(failed));
});

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

describe("stage preview, on an external PostgreSQL database", () => {
  test.each(promises)("%s", (_, { offences }) => expect(offences(preview)).toEqual([]));

  test("can be removed together with its data", async () => {
    expect(await appOf("preview")).toMatchObject({ removal: "remove", protect: false });
    const buckets = preview.resources.filter(({ type }) => type === "aws:s3/bucket:Bucket");
    expect(buckets.map(({ inputs }) => inputs.forceDestroy)).toEqual([true, true, true]);
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
  test.each(Object.keys(invalid))("fails with: %s", (sentence) => {
    expect(failures[sentence]).toContain(sentence);
  });
});

describe.each(promises)("the rule that %s", (_promise, { offences, brokenBy }) => {
  test.each(Object.entries(brokenBy))("reports %s", (_, mutate) => {
    const mutated = structuredClone(production);
    mutate(mutated.resources, mutated);
    expect(offences(mutated)).not.toEqual([]);
  });
});

test("every rule has a mutation", () => {
  expect(rules.filter(({ brokenBy }) => Object.keys(brokenBy).length === 0)).toEqual([]);
});
