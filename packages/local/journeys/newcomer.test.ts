import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { password } from "../demo.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const node = process.execPath;

/** What a newcomer starts: the program itself, on a free port, with data of its own. */
async function start(data: string): Promise<{ url: string; process: ChildProcess }> {
  const { DATABASE_URL, TEST_DATABASE_URL, POWERTOOLS_LOG_LEVEL, ...inherited } = process.env;
  const given = Object.fromEntries(
    Object.entries(inherited).filter(
      ([name]) => !/^(STORAGE_|TOKEN_|APP_|SMTP_|MAIL_|RATE_|VITEST)/.test(name),
    ),
  );
  const child = spawn(node, ["packages/local/start.ts"], {
    cwd: root,
    env: { ...given, PORT: "0", SVC_DATA: data },
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^ready (http:\/\/localhost:\d+)$/.exec(line)?.[1];
    if (!url) continue;
    child.stdout.resume();
    return { url, process: child };
  }
  throw new Error("npm start ended before it was ready");
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal);
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}

const logIn = async (url: string, email: string) => {
  const answer = await fetch(`${url}/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
  });
  return (await answer.json()) as {
    token: string;
    user: { avatar: string; teams: { id: string }[]; workspaces: { plan: string }[] };
  };
};
// biome-ignore lint/suspicious/noExplicitAny: the test says itself what it expects of a body.
const get = async (url: string, token: string): Promise<{ status: number; body: any }> => {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  return { status: answer.status, body: await answer.json() };
};

test("npm start serves the demo people, the README's walk works as pasted, and a restart keeps accounts and pictures", {
  timeout: 180_000,
}, async () => {
  const data = await mkdtemp(join(tmpdir(), "svc-newcomer-"));
  let server = await start(data);
  try {
    const owner = await logIn(server.url, "owner@demo.test");
    expect(owner.user.workspaces).toMatchObject([{ plan: "ENTERPRISE", role: "owner" }]);
    const members = await get(`${server.url}/team/${owner.user.teams[0]?.id}/members`, owner.token);
    const shown = members.body.data as { name: string; avatar: string }[];
    expect(shown).toHaveLength(25);
    expect(shown.filter(({ avatar }) => avatar === "").map(({ name }) => name)).toEqual([
      "Uma Patel",
      "Viktor Horváth",
    ]);
    for (const { avatar } of shown.filter(({ avatar }) => avatar !== ""))
      expect((await fetch(avatar)).status).toBe(200);
    expect((await logIn(server.url, "owner@free.test")).user.workspaces).toMatchObject([{ plan: "FREE" }]);

    const entries = await get(`${server.url}/api/v1/time-entries?limit=200`, owner.token);
    const currencies = (entries.body.data as { currency: string }[]).map(({ currency }) => currency);
    expect(new Set(currencies)).toEqual(new Set(["EUR", "GBP", "JPY", "USD"]));
    expect((await get(`${server.url}/api/v1/time-entries?running=true`, owner.token)).body.data).toEqual([]);
    expect((await get(`${server.url}/api/v1/projects?archived=true`, owner.token)).body.meta.total).toBe(1);

    const walk =
      /## A walk with curl[\s\S]*?```sh\n([\s\S]*?)```/.exec(
        await readFile(join(root, "README.md"), "utf8"),
      )?.[1] ?? "";
    if (spawnSync("curl", ["--version"]).status === 0) {
      const script = walk.replace("http://localhost:4000", server.url);
      expect(script).toContain(server.url);
      const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", script], { cwd: data });
      expect(stdout).toMatch(/"url":"objstore:avatars\//);
      expect(stdout).toMatch(/^200 image\/webp$/m);
      expect(stdout).toMatch(/^403$/m);
      expect(stdout).toMatch(/^204\n$/m);
    }

    // Killed, not stopped: what was answered is kept.
    const before = (await get(`${server.url}/auth/me`, owner.token)).body.avatar as string;
    await stop(server.process, "SIGKILL");
    server = await start(data);
    const again = await get(`${server.url}/auth/me`, owner.token);
    expect(again.status).toBe(200);
    const picture = await fetch(again.body.avatar);
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/webp"]);
    expect((await fetch(before)).status).toBe(200);
  } finally {
    await stop(server.process, "SIGTERM");
    await rm(data, { recursive: true, force: true });
  }
});
