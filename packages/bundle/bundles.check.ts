import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Need } from "@svc/core/platform/config/config";
import { deployedCountryFile } from "@svc/core/platform/location/installed-file";
import { type JobName, jobs } from "@svc/functions/jobs";
import { type RouteKey, routes } from "@svc/functions/routes";
import { event, form, type RequestOptions } from "@svc/functions/testing/request";
import { listen } from "@svc/local/bucket/bucket";
import { openMailBox } from "@svc/local/mail-box";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { boot, type Outcome } from "./boot.ts";
import { type Built, bundle, root } from "./bundle.ts";
import { fontFolder } from "./fonts.ts";
import type { Lock } from "./lock.ts";
import { openWire } from "./postgres-wire.ts";
import { budgetKiB, violations } from "./rules.ts";
import { bundleName, units } from "./units.ts";

/** Status of an empty request to each route without authentication. All other routes return 401. */
const publicStatus: Partial<Record<RouteKey, number>> = {
  "GET /health": 200,
  "HEAD /health": 200,
  "GET /openapi.json": 200,
  "HEAD /openapi.json": 200,
  "POST /auth/register": 422,
  "POST /auth/email/verify": 422,
  "POST /auth/email/confirm": 422,
  "POST /auth/email/undo": 422,
  "POST /auth/login": 422,
  "POST /auth/login/2fa": 422,
  "POST /auth/login/2fa/webauthn-options": 422,
  "POST /auth/passkey/options": 200,
  "POST /auth/passkey": 422,
  "POST /auth/emergency-bypass": 422,
  "POST /auth/password/forgot": 422,
  "POST /auth/password/reset": 422,
  "GET /auth/session": 200,
  "GET /api/v1/consents/policy": 200,
  "POST /api/v1/consents": 422,
  $default: 404,
};

const all = units();
const close: (() => unknown)[] = [];
const variables: Record<string, Record<string, string>> = {};
let built: Built[];
let lock: Lock;
let mails: Awaited<ReturnType<typeof openMailBox>>;

beforeAll(async () => {
  // The bundles are built outside the repository, so that they cannot use its node_modules.
  const outside = await mkdtemp(join(tmpdir(), "svc-bundles-"));
  close.push(() => rm(outside, { recursive: true, force: true }));
  lock = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8"));
  built = await bundle(all, outside);
  console.log(table(built));

  const database = await openWire();
  mails = await openMailBox({ capacity: 10 });
  const key = { accessKeyId: "AKIACHECK", secretAccessKey: "a secret of the check" };
  const bucket = await listen({
    directory: join(outside, "bucket"),
    region: "eu-central-2",
    buckets: ["svc-avatars", "svc-files"],
    credentials: [key],
  });
  close.push(database.close, mails.close, bucket.close);
  variables.database = { DATABASE_URL: database.url };
  variables.checkpoints = { AUDIT_KEYS: `check:${Buffer.alloc(32, 9).toString("base64url")}` };
  variables.encryption = { ENCRYPTION_KEYS: `check:${Buffer.alloc(32, 8).toString("base64url")}` };
  variables.tokens = { TOKEN_KEYS: `check:${Buffer.alloc(32, 7).toString("base64url")}` };
  variables.queue = { QUEUE_URL: "https://sqs.eu-central-1.amazonaws.com/111111111111/work" };
  variables.mail = { SMTP_URL: mails.url, MAIL_FROM: "svc <no-reply@svc.test>" };
  variables.places = { COUNTRY_FILE: deployedCountryFile };
  variables.storage = {
    STORAGE_ACCESS_KEY_ID: key.accessKeyId,
    STORAGE_SECRET_ACCESS_KEY: key.secretAccessKey,
    STORAGE_REGION: "eu-central-2",
    STORAGE_ENDPOINT: bucket.url,
    STORAGE_FORCE_PATH_STYLE: "true",
  };
});

afterAll(async () => {
  for (const end of close.reverse()) await end();
});

/** Returns only the variables that these needs require. */
function environment(needs: readonly Need[]): Record<string, string> {
  const given = needs.map((need) => variables[/^(avatars|files):/.test(need) ? "storage" : need]);
  return Object.assign({ APP_URL: "http://localhost:4000" }, ...given);
}

function table(bundles: readonly Built[]): string {
  const rows = bundles.map(({ name, bytes, sharp, needs }) => {
    const size = String(Math.round(bytes / 1024)).padStart(5);
    return `${name.padEnd(22)} ${size}  ${sharp ? "sharp" : "     "}  ${needs.join(" ")}`;
  });
  return ["bundle                   KiB         needs", ...rows].join("\n");
}

function unit(handler: string): Built {
  const found = built.find((one) => one.handler === handler);
  if (!found) throw new Error(`No bundle of ${handler}.`);
  return found;
}

async function call(key: RouteKey, ask: RequestOptions = {}): Promise<Outcome> {
  const { dir, needs } = unit(routes[key].handler);
  return boot(dir, environment(needs), await event(key, ask));
}

async function run(name: JobName, input: unknown = {}): Promise<Outcome> {
  const { dir, needs } = unit(jobs[name].handler);
  return boot(dir, environment(needs), input);
}

describe("a bundle", () => {
  test("violates no rule", () => {
    expect(built.flatMap((one) => violations(one, lock))).toEqual([]);
  });

  test("is built once for each handler in routes.ts and jobs.ts", () => {
    const handlers = [...Object.values(routes), ...Object.values(jobs)].map(({ handler }) =>
      bundleName(handler),
    );
    expect(built.map(({ name }) => name).sort()).toEqual([...new Set(handlers)].sort());
  });

  test("has the country file only if its function needs it", async () => {
    const withFile = await Promise.all(
      built.map(async ({ dir, name }) => ((await readdir(dir)).includes(deployedCountryFile) ? [name] : [])),
    );
    const needing = built.filter(({ needs }) => needs.includes("places")).map(({ name }) => name);
    expect(withFile.flat().sort()).toEqual(needing.sort());
    expect(needing).toContain("auth-login");
  });

  test("has the fonts only if its function writes documents, and at most 12 MB of them", async () => {
    const sizes = await Promise.all(
      built.map(async ({ dir, needs }) => {
        const files = await readdir(join(dir, fontFolder), { recursive: true, withFileTypes: true }).catch(
          () => [],
        );
        const fonts = files.filter((file) => file.isFile());
        const bytes = await Promise.all(
          fonts.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
        );
        return { writes: needs.includes("documents"), bytes: bytes.reduce((sum, size) => sum + size, 0) };
      }),
    );
    for (const { writes, bytes } of sizes) expect(bytes > 0).toBe(writes);
    expect(Math.max(...sizes.map(({ bytes }) => bytes))).toBeLessThan(12_000_000);
  });

  test("fails to build if the handler does not exist", async () => {
    const missing = { ...unit("health"), name: "no-such", handler: "no/such" };
    await expect(bundle([missing], join(tmpdir(), "svc-no-such"))).rejects.toThrow(/functions\/no\/such/);
  });

  const plain = {
    name: "x",
    handler: "x",
    needs: [],
    sharp: false,
    dir: "",
    bytes: 0,
    inputs: [],
    externals: [],
  };
  test.each<[string, Partial<Built>, RegExp]>([
    ["a file of the local server", { inputs: ["packages/local/server.ts"] }, /packages\/local/],
    ["a test file", { inputs: ["packages/core/testing/people.ts"] }, /testing/],
    ["the embedded database", { inputs: ["node_modules/@electric-sql/pglite/dist/index.js"] }, /pglite/],
    ["a development dependency", { inputs: ["node_modules/vitest/dist/index.js"] }, /vitest/],
    [
      "the S3 client without a need for it",
      { inputs: ["node_modules/@aws-sdk/client-s3/x.js"] },
      /client-s3/,
    ],
    [
      "shared parts of the AWS SDK without a need for them",
      { inputs: ["node_modules/@smithy/core/dist-es/index.js"] },
      /@smithy\/core, but none/,
    ],
    [
      "the reader of the country file without a need for it",
      { inputs: ["node_modules/mmdb-lib/lib/index.js"] },
      /mmdb-lib/,
    ],
    [
      "the PDF writer, although it only deletes reports",
      { needs: ["files:write"], inputs: ["node_modules/pdfkit/js/pdfkit.es.js"] },
      /pdfkit but needs none of documents/,
    ],
    ["an undeclared sharp", { externals: ["sharp"] }, /does not declare it/],
    [
      "the publishing of events without a need for the queue",
      { needs: ["database"], inputs: ["packages/core/event/outbox.ts"] },
      /does not need queue/,
    ],
    ["sharp without an import of it", { sharp: true, needs: ["avatars:write"] }, /does not import/],
    ["sharp, although it stores no images", { sharp: true, externals: ["sharp"] }, /stores no images/],
    ["more bytes than the size limit", { bytes: 1024 * (budgetKiB + 1) }, /are allowed/],
    ["an import of a missing package", { externals: ["left-pad"] }, /left-pad/],
  ])("violates a rule if it contains %s", (_, change, sentence) => {
    expect(violations({ ...plain, ...change }, lock)).toEqual([expect.stringMatching(sentence)]);
  });
});

describe("start without a required variable", () => {
  test.each(all)("$name fails and names APP_URL", async ({ handler }) => {
    const { startError } = await boot(unit(handler).dir, {}, {});
    expect(startError).toBe("Configuration: APP_URL must be set.");
  });

  test.each<[Need, string]>([
    ["database", "DATABASE_URL or DSQL_ENDPOINT"],
    ["tokens", "TOKEN_KEYS"],
    ["encryption", "ENCRYPTION_KEYS"],
    ["mail", "SMTP_URL"],
    ["places", "COUNTRY_FILE"],
    ["avatars:read", "STORAGE_ACCESS_KEY_ID"],
    ["avatars:write", "STORAGE_ACCESS_KEY_ID"],
    ["avatars:sweep", "STORAGE_ACCESS_KEY_ID"],
    ["files:read", "STORAGE_ACCESS_KEY_ID"],
    ["files:write", "STORAGE_ACCESS_KEY_ID"],
    ["erasures:record", "STORAGE_ACCESS_KEY_ID"],
    ["erasures:reapply", "STORAGE_ACCESS_KEY_ID"],
  ])("a function that needs %s fails and names %s", async (need, name) => {
    const one = built.find(({ needs }) => needs.includes(need));
    const others = one?.needs.filter((other) => other !== need) ?? [];
    const { startError } = await boot(one?.dir ?? "", environment(others), {});
    expect(startError).toBe(`Configuration: ${name} must be set.`);
  });
});

describe("all bundles on one database", () => {
  let token = "";

  test("migrate applies all migrations once", async () => {
    expect((await run("migrate")).result.applied).not.toEqual([]);
    expect((await run("migrate")).result).toEqual({ applied: [] });
  });

  test.each(Object.keys(routes) as RouteKey[])(
    "%s returns the expected status for an empty request",
    async (key) => {
      const { result, log } = await call(key, { body: {}, path: { id: "team_1", userId: "user_1" } });
      expect(result?.statusCode, log).toBe(publicStatus[key] ?? 401);
    },
  );

  test("purge-expired and set-plan run", async () => {
    expect((await run("purge-expired")).result).toMatchObject({ sessions: 0 });
    expect((await run("set-plan", { workspaceId: "ws_1", plan: "PRO" })).error?.code).toBe(
      "workspace_not_found",
    );
  });

  test("a user can register, verify the email address and log in", async () => {
    const body = { email: "ada@svc.test", password: "a long enough password", name: "Ada" };
    const registered = await call("POST /auth/register", { body });
    expect(registered.result?.statusCode, registered.log).toBe(202);
    const mailed = /#token=([\w-]+)/.exec(mails.mails()[0]?.text ?? "")?.[1];
    const { result, log } = await call("POST /auth/email/verify", { body: { ...body, token: mailed } });
    expect(result?.statusCode, log).toBe(200);
    token = JSON.parse(result.body).token;
    expect((await call("POST /auth/login", { body })).result?.statusCode).toBe(200);
  });

  test("an uploaded avatar is processed by the bundled sharp and can be downloaded", async () => {
    const photo = await sharp({ create: { width: 500, height: 300, channels: 3, background: "#c33" } })
      .jpeg()
      .toBuffer();
    const uploaded = await call("POST /api/upload/avatar", { token, form: form(photo) });
    expect(uploaded.result?.statusCode, uploaded.log).toBe(200);
    const me = await call("GET /auth/me", { token });
    const shown = await fetch(JSON.parse(me.result.body).avatar);
    const { format, width, height } = await sharp(Buffer.from(await shown.arrayBuffer())).metadata();
    expect({ format, width, height }).toEqual({ format: "webp", width: 400, height: 400 });
  });

  test.each(["json", "csv", "xlsx", "pdf"])(
    "a %s report is generated without files from outside the bundle",
    async (format) => {
      const body = {
        startedAt: "2026-11-20T09:00:00Z",
        endedAt: "2026-11-20T10:00:00Z",
        description: "Ω 李雷 محمد דוד 한글",
      };
      expect((await call("POST /api/v1/time-entries", { token, body })).result?.statusCode).toBe(201);
      const made = await call("POST /api/v1/reports/generate", {
        token,
        body: { type: "detailed", format, from: "2026-11-20", to: "2026-11-20" },
      });
      expect(made.result?.statusCode, made.log).toBe(201);
      const { id, size } = JSON.parse(made.result.body);
      const got = await call("GET /api/v1/reports/{id}", { token, path: { id } });
      const file = await fetch(JSON.parse(got.result.body).signedUrl);
      expect([file.status, (await file.arrayBuffer()).byteLength]).toEqual([200, size]);
    },
  );

  test("a removed avatar leaves no objects for the sweep", async () => {
    expect((await call("DELETE /user/avatar", { token })).result?.statusCode).toBe(204);
    expect((await run("sweep-avatars")).result).toMatchObject({ examined: 0, orphans: [] });
  });
});
