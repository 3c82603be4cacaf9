import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { beforeAll, describe, expect, test } from "vitest";
import { appOf, evaluate, root } from "./evaluate.ts";
import { mistakes } from "./mistakes.ts";
import { permissionsPage } from "./permissions-page.ts";
import type { Evaluated } from "./recorded.ts";
import { codeOf, reportsVisits, routerOf, routerRules, siteFiles } from "./router-rules.ts";
import { rules as otherRules } from "./rules.ts";
import { secrets, settings } from "./settings.ts";

const rules = [...otherRules, ...routerRules];
const postgres = { SVC_DATABASE: "url", SST_SECRET_DatabaseUrl: "postgres://svc:password@db.svc.test/svc" };

/** No domain of its own, and somebody who counts visits. */
const { APP_URL, ...withoutDomain } = settings;
const ANALYTICS_ID = "G-TEST123456";

let production: Evaluated;
let preview: Evaluated;
let clientOfPreview: string[];

beforeAll(async () => {
  // One after the other: each builds dist/ and the client.
  production = await evaluate("production", { ...settings, ...secrets });
  preview = await evaluate("preview", { ...withoutDomain, ...secrets, ...postgres, ANALYTICS_ID });
  const sources = siteFiles(preview).map(({ source }) => source);
  clientOfPreview = await Promise.all(sources.map((source) => readFile(source, "utf8")));
});

/** Everything that would be made, in one order, without the random ends of names and of the folder that it was made in. */
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

const promises = rules.map(({ promise, offences }) => [promise, offences] as const);

describe("production, on Aurora DSQL", () => {
  test.each(promises)("%s", (_, offences) => expect(offences(production)).toEqual([]));
});

test("the same version evaluates to the same, but for what the components make up by lot", async () => {
  const again = await evaluate("production", { ...settings, ...secrets });
  expect(masked(again)).toEqual(masked(production));
});

test("stacks/PERMISSIONS.md is what production evaluates to: npm run permissions writes it", async () => {
  expect(await readFile(join(root, "stacks/PERMISSIONS.md"), "utf8")).toBe(permissionsPage(production));
});

test("the upload function is given sharp for its own processor", async () => {
  const native = join(
    root,
    production.bundles.PostApiUploadAvatar ?? "",
    "node_modules/@img/sharp-linux-arm64/lib",
  );
  const [file = ""] = await readdir(native);
  // ELF header, e_machine: AArch64.
  expect((await readFile(join(native, file))).readUInt16LE(18)).toBe(183);
});

describe("another stage, on a PostgreSQL of one's own", () => {
  test.each(promises)("%s", (_, offences) => expect(offences(preview)).toEqual([]));

  test("can be removed, with all its data", async () => {
    expect(await appOf("preview")).toMatchObject({ removal: "remove", protect: false });
    const buckets = preview.resources.filter(({ type }) => type === "aws:s3/bucket:Bucket");
    expect(buckets.map(({ inputs }) => inputs.forceDestroy)).toEqual([true, true, true]);
  });

  test("has no cluster, and its functions no right to one", () => {
    expect(preview.resources.filter(({ type }) => type.includes("dsql"))).toEqual([]);
    expect(JSON.stringify(preview.resources)).not.toContain("dsql:");
  });
});

describe("the client at its address", () => {
  /** What the router asks the bucket for, by its own code and the table that the site writes for it. */
  async function asked(path: string): Promise<string | undefined> {
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
        get: async (key: string) => table.get(key) ?? Promise.reject(new Error(`There is no ${key}.`)),
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
  ])("%s is %s", async (path, file) => expect(await asked(path)).toBe(file));

  test("is built for Google Analytics where a property is set, and only then may load its script", () => {
    expect([reportsVisits(production), reportsVisits(preview)]).toEqual([false, true]);
    expect(clientOfPreview.filter((text) => text.includes(ANALYTICS_ID))).toHaveLength(1);
  });

  test("is CloudFront's own where no other is set, and a domain of one's own has its names and certificate", () => {
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

const { SST_SECRET_SmtpUrl, ...withoutMail } = secrets;
const { SST_SECRET_OriginSecret, ...withoutOrigin } = secrets;

describe("a deploy stops by the name of what is missing", () => {
  test.each<[string, Record<string, string>]>([
    ["Configuration: MAIL_FROM must be set", { ...secrets, APP_URL }],
    [
      "Configuration: APP_URL must be an https address",
      { ...settings, ...secrets, APP_URL: "http://svc.test" },
    ],
    ["Configuration: SVC_CERTIFICATE_ARN must be", { ...settings, ...secrets, SVC_CERTIFICATE_ARN: "none" }],
    ["Configuration: ANALYTICS_ID must be", { ...settings, ...secrets, ANALYTICS_ID: "UA-1" }],
    ["Configuration: SVC_DATABASE must be dsql or url", { ...settings, ...secrets, SVC_DATABASE: "mysql" }],
    ["Set a value for SmtpUrl", { ...settings, ...withoutMail }],
    ["Set a value for OriginSecret", { ...settings, ...withoutOrigin }],
    ["Set a value for DatabaseUrl", { ...settings, ...secrets, SVC_DATABASE: "url" }],
  ])("%s", async (sentence, env) => {
    await expect(evaluate("preview", env)).rejects.toThrow(sentence);
  });
});

describe("a mistake is noticed", () => {
  test.each(Object.entries(mistakes))("%s", (_, { promise, change }) => {
    const mistaken = structuredClone(production);
    change(mistaken.resources);
    const [rule, ...others] = rules.filter((candidate) => promise.test(candidate.promise));
    expect(others).toEqual([]);
    expect(rule?.offences(mistaken)).not.toEqual([]);
  });

  test("and every promise has its mistake", () => {
    const broken = Object.values(mistakes).map(({ promise }) => promise);
    expect(rules.filter(({ promise }) => !broken.some((pattern) => pattern.test(promise)))).toEqual([]);
  });
});
