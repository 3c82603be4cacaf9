import { type ChildProcess, execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { long } from "@svc/core/testing/sample";
import { type ServerProcess, start, stop } from "@svc/local/testing/server-process";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import * as Account from "./account.ts";
import { checks } from "./checks.ts";
import { openStage, toolsOf } from "./stage.ts";
import { coverage, runSuite } from "./suite.ts";
import { answers, faults } from "./testing/faults.ts";
import { openProxy } from "./testing/proxy.ts";
import { openRouter } from "./testing/router.ts";

const nowhere = "http://127.0.0.1:1";

let data: string;
let proxy: Awaited<ReturnType<typeof openProxy>>;
let router: Awaited<ReturnType<typeof openRouter>>;
let certificateFile: string;
let server: ServerProcess;
let env: Record<string, string>;

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), "svc-smoke-"));
  certificateFile = join(data, "certificate.pem");
  proxy = await openProxy();
  router = await openRouter(proxy.handle);
  server = await start(data, {
    SVC_SEED: "none",
    SVC_ALLOW_LOOPBACK_WEBHOOKS: "1",
    ALLOWED_ORIGINS: `${proxy.url},${router.url}`,
    RATES_ECB_URL: nowhere,
    RATES_NBP_URL: nowhere,
  });
  proxy.target = server.url;
  env = { SVC_TOOLS_PORT: new URL(server.toolsUrl).port };
}, 60_000);

afterAll(async () => {
  proxy.close();
  router.close();
  await stop(server, "SIGKILL");
  await rm(data, { recursive: true, force: true });
});

beforeEach(() => {
  proxy.fault = {};
});

/** Runs `npm run smoke`. Returns its output and its exit code. */
function smoke(
  args: readonly string[],
  more: Record<string, string> = env,
  started: (child: ChildProcess) => void = () => {},
): Promise<{ code: number; output: string }> {
  const command = fileURLToPath(new URL("run.ts", import.meta.url));
  const options = { env: { PATH: process.env.PATH ?? "", ...more } };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [command, ...args], options, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
    );
    started(child);
  });
}

/** Returns the environment for a run against the router as a deployed stage, with an API token of a new account. */
async function stageEnv(): Promise<Record<string, string>> {
  const stage = await openStage(new URL(server.url), env);
  // Begins a new window of the limit for sign-ins, which a run against a deployed stage would wait for.
  await toolsOf(stage).advance(60);
  const { call, workspaceId } = await Account.register(stage);
  const body = { name: "Smoke", scopes: ["admin"], workspaceId };
  const created = await call("POST /user/tokens", { expect: 201, body });
  return {
    SMOKE_TOKEN: created.body.token,
    SMOKE_ORIGIN_URL: `${proxy.url}/gateway/`,
    NODE_EXTRA_CA_CERTS: certificateFile,
  };
}

describe("npm run smoke", () => {
  it("passes against npm start behind a proxy, calls every operation with success, and leaves nothing", async () => {
    const { code, output } = await smoke([proxy.url]);
    expect(output).toMatch(/^(\d+) operations: \1 called with success, 0 skipped\npassed$/m);
    expect(output).not.toMatch(/^(?:LEFT|FAIL)|deliveries do not arrive/m);
    expect(code).toBe(0);
  }, 120_000);

  it("exits with 1, and prints the check, what was expected and what came, when the server has a defect", async () => {
    proxy.fault = { after: ({ answer }) => answer.delete("x-content-type-options") };
    const { code, output } = await smoke([proxy.url, "--only", "security-headers", "--only", "health"]);
    expect(output).toMatch(/^ok {4}health: /m);
    expect(output).toMatch(
      /^FAIL {2}security-headers: .+\n {6}GET \/health: x-content-type-options: expected \/\^nosniff\$\/, got null$/m,
    );
    expect(output).toMatch(/^FAILED 1: security-headers$/m);
    expect(code).toBe(1);
  });

  it("passes against a deployed stage with an API token, skips what needs a session, and leaves nothing", async () => {
    // Deliveries cannot reach the router's self-signed certificate, so they go to the proxy behind it.
    proxy.fault = {
      before(exchange) {
        if (exchange.path === "/api/v1/webhooks")
          exchange.content = Buffer.from(String(exchange.content).replace(router.url, proxy.url));
      },
      after(exchange) {
        if (exchange.path.startsWith("/gateway/")) exchange.status = 403;
      },
    };
    await writeFile(certificateFile, router.cert);
    const { code, output } = await smoke([router.url], await stageEnv());
    expect(output).toMatch(/^skip {2}\d+ operations, needs the mailbox: .*\bPOST \/auth\/register\b/m);
    expect(output).toMatch(/^ok {4}tls: /m);
    expect(output).toMatch(/^ok {4}router-only: /m);
    expect(output).toMatch(/^passed$/m);
    expect(output).not.toMatch(/^(?:LEFT|FAIL)|deliveries do not arrive/m);
    expect(code).toBe(0);
  });

  it("fails for a stage with TLS 1.1 and without a redirect, whose gateway answers everyone", async () => {
    const tls = { minVersion: "TLSv1.1", ciphers: "DEFAULT:@SECLEVEL=0" } as const;
    const old = await openRouter(proxy.handle, { tls, plain: proxy.handle });
    await writeFile(certificateFile, old.cert);
    const { code, output } = await smoke(
      [old.url, "--only", "tls", "--only", "router-only"],
      await stageEnv(),
    );
    old.close();
    expect(output).toMatch(/TLS 1\.1: version: expected undefined, got "TLSv1\.1"/);
    expect(output).toMatch(/^FAILED 2: tls, router-only$/m);
    expect(code).toBe(1);
  });

  it.each(["SIGINT", "SIGTERM"] as const)(
    "deletes what the running check has created after %s",
    async (signal) => {
      let child: ChildProcess | undefined;
      const deleted: string[] = [];
      proxy.fault = {
        before({ method, path }) {
          if (method === "POST" && path === "/api/v1/projects") child?.kill(signal);
          if (method === "DELETE") deleted.push(path);
        },
      };
      const args = [proxy.url, "--only", "pagination", "--only", "health"];
      const { code, output } = await smoke(args, env, (started) => {
        child = started;
      });
      expect(deleted).toEqual([expect.stringMatching(/^\/api\/v1\/projects\/prj_/), "/user"]);
      expect(output).toMatch(new RegExp(`^FAIL {2}pagination: .+\\n {6}interrupted by ${signal}$`, "m"));
      expect(output).not.toMatch(/^LEFT/m);
      expect(code).toBe(1);
    },
  );

  it("exits with 2 and says what is missing when it cannot start", async () => {
    const results = await Promise.all([
      smoke([]),
      smoke([proxy.url, "--only", "nothing"]),
      smoke(["https://smoke.invalid"]),
      smoke(["http://smoke.invalid"]),
      smoke([proxy.url], { SVC_TOOLS_PORT: "1" }),
    ]);
    expect(results.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2]);
    const [usage, name, token, plain, tools] = results.map(({ output }) => output);
    expect(usage).toContain("Usage: npm run smoke -- URL");
    expect(name).toContain("No check is named nothing. The checks are health, ");
    expect(token).toContain("Set SMOKE_TOKEN to an API token");
    expect(plain).toContain("must begin with https://");
    expect(tools).toContain("Set SVC_TOOLS_PORT to the port");
  });
});

/** Runs checks in this process. Returns whether they passed, and the printed lines. */
async function run(only: readonly string[], change: Partial<Awaited<ReturnType<typeof openStage>>> = {}) {
  const lines: string[] = [];
  const stage = { ...(await openStage(new URL(proxy.url), env)), ...change };
  const passed = await runSuite(stage, { only, print: (line) => lines.push(line) });
  return { passed, output: lines.join("\n") };
}

describe("a server that", () => {
  test.each(faults.slice(0, long ? faults.length : 4))(
    "%s fails the check %s",
    async (_defect, check, fault) => {
      proxy.fault = fault;
      const { passed, output } = await run([check]);
      expect(output).toMatch(new RegExp(`^FAIL  ${check}: `, "m"));
      expect(passed).toBe(false);
    },
  );
});

test("the run names what could not be deleted, and fails", async () => {
  proxy.fault = answers(/^DELETE /, 204, 500);
  const { passed, output } = await run(["pagination"]);
  expect(output).toMatch(/^ok {4}pagination: /m);
  expect(output).toMatch(
    /^LEFT {2}the project prj_\w+ could not be removed: DELETE .+: expected 204, got 500/m,
  );
  expect(passed).toBe(false);
});

test.each([
  [
    "a new operation has no check",
    (known: string[]) => [...known, "GET /new"],
    /^FAIL {2}GET \/new is in \/openapi.json/m,
  ],
  [
    "the document lacks an operation",
    (known: string[]) => known.slice(1),
    /^FAIL {2}.+, and \/openapi.json does not have it$/m,
  ],
])("the run fails when %s", async (_case, change, line) => {
  const stage = await openStage(new URL(server.url), env);
  const lines: string[] = [];
  const failures = coverage({ ...stage, operations: change([...stage.operations]) }, new Set(), (text) =>
    lines.push(text),
  );
  expect(failures).toEqual(["operations"]);
  expect(lines.join("\n")).toMatch(line);
});

test("a server has a defect for every check that runs over plain HTTP", () => {
  const elsewhere = ["tls", "router-only"];
  const names = checks.map(({ name }) => name).filter((name) => !elsewhere.includes(name));
  expect(faults.map(([, check]) => check).sort()).toEqual(names.sort());
});
