import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { get, logIn, root, start, stop } from "../testing/server-process.ts";

test("npm start creates the demo users, the commands of README and API guide work as pasted, and a restart keeps accounts and avatars", {
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

    const logs = await get(`${server.url}/api/v1/audit-logs?action=report.`, owner.token);
    const [{ target }] = logs.body.data as [{ target: { id: string; name: string } }];
    expect(target.name).toBe("summary.pdf");
    const report = await get(`${server.url}/api/v1/reports/${target.id}`, owner.token);
    expect(
      Buffer.from(await (await fetch(report.body.signedUrl)).arrayBuffer()).toString("latin1", 0, 5),
    ).toBe("%PDF-");

    if (spawnSync("curl", ["--version"]).status === 0) {
      const short = await runWalk("README.md", server.url, data);
      expect(short).toMatch(/"url":"objstore:avatars\//);
      expect(short).toMatch(/^200 image\/webp$/m);
      expect(short).toMatch(/"groups":\[/);

      const guide = await runWalk("docs/api-guide.md", server.url, data);
      expect(guide).toMatch(/"url":"objstore:avatars\//);
      expect(guide).toMatch(/^200 image\/webp$/m);
      expect(guide).toMatch(/^403$/m);
      expect(guide).toMatch(/^200 text\/csv/m);
      expect(guide).toMatch(/^204\n/m);
      const [first, second] = guide.trim().split("\n").slice(-2);
      expect(first).toMatch(/^prj_/);
      expect(second).toBe(first);
    }

    const operator = (...args: string[]) =>
      promisify(execFile)(process.execPath, ["packages/local/operator.ts", ...args], {
        cwd: root,
        env: { ...process.env, SVC_TOOLS_PORT: new URL(server.toolsUrl).port },
      });
    const free = await logIn(server.url, "owner@free.test");
    await operator("set-plan", JSON.stringify({ workspaceId: free.user.workspaces[0]?.id, plan: "PRO" }));
    expect((await get(`${server.url}/auth/me`, free.token)).body.workspaces).toMatchObject([{ plan: "PRO" }]);
    expect(JSON.parse((await operator("sweep-avatars", '{"dryRun":true}')).stdout)).toMatchObject({
      dryRun: true,
      orphans: [],
    });

    // Killed instead of stopped: everything acknowledged must be on disk.
    const before = (await get(`${server.url}/auth/me`, owner.token)).body.avatar as string;
    await stop(server, "SIGKILL");
    server = await start(data);
    const again = await get(`${server.url}/auth/me`, owner.token);
    expect(again.status).toBe(200);
    const picture = await fetch(again.body.avatar);
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/webp"]);
    expect((await fetch(before)).status).toBe(200);
  } finally {
    await stop(server, "SIGTERM");
    await rm(data, { recursive: true, force: true });
  }
});

/** Runs all shell commands of a document that call the demo server, as pasted. Returns what they print. */
async function runWalk(document: string, url: string, cwd: string): Promise<string> {
  const text = await readFile(join(root, document), "utf8");
  const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = ""]) => block);
  const script = blocks
    .filter((block) => block.includes("http://localhost:4000"))
    .filter((block) => block.includes("curl"))
    .join("\n")
    .replaceAll("http://localhost:4000", url)
    .replaceAll("docs/screenshots/", `${root}/docs/screenshots/`);
  expect(script).toContain(url);
  const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", script], { cwd });
  return stdout;
}
