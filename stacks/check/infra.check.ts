import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { appOf, evaluate, root } from "./evaluate.ts";
import { mistakes } from "./mistakes.ts";
import { permissionsPage } from "./permissions-page.ts";
import type { Evaluated } from "./recorded.ts";
import { rules } from "./rules.ts";
import { secrets, settings } from "./settings.ts";

const postgres = { SVC_DATABASE: "url", SST_SECRET_DatabaseUrl: "postgres://svc:password@db.svc.test/svc" };

let production: Evaluated;
let preview: Evaluated;

beforeAll(async () => {
  // One after the other: each builds dist/.
  production = await evaluate("production", { ...settings, ...secrets });
  preview = await evaluate("preview", { ...settings, ...secrets, ...postgres });
});

/** Everything that would be made, in one order, without the random ends of names and of the folder that it was made in. */
function masked({ resources }: Evaluated): string[] {
  return resources
    .map(({ dependencies, ...resource }) =>
      JSON.stringify({ ...resource, dependencies: dependencies.toSorted() }),
    )
    .map((text) =>
      text.replaceAll(/-[a-z]{8}(?=[\\"/:*])/g, "-~").replaceAll(/svc-infra-\w{6}/g, "svc-infra-~"),
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
    expect(buckets.map(({ inputs }) => inputs.forceDestroy)).toEqual([true, true]);
  });

  test("has no cluster, and its functions no right to one", () => {
    expect(preview.resources.filter(({ type }) => type.includes("dsql"))).toEqual([]);
    expect(JSON.stringify(preview.resources)).not.toContain("dsql:");
  });
});

const { SST_SECRET_SmtpUrl, ...withoutMail } = secrets;

describe("a deploy stops by the name of what is missing", () => {
  test.each<[string, Record<string, string>]>([
    ["Configuration: APP_URL must be set", { ...secrets, MAIL_FROM: settings.MAIL_FROM }],
    ["Configuration: MAIL_FROM must be set", { ...secrets, APP_URL: settings.APP_URL }],
    ["Configuration: SVC_DATABASE must be dsql or url", { ...settings, ...secrets, SVC_DATABASE: "mysql" }],
    ["Set a value for SmtpUrl", { ...settings, ...withoutMail }],
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
