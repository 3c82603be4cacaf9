import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { afterEach, beforeEach, expect, test } from "vitest";

const entry = fileURLToPath(new URL("start.ts", import.meta.url));

let data: string;
let children: ChildProcessByStdio<null, Readable, Readable>[];

beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), "svc-start-"));
  children = [];
});

afterEach(async () => {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  await rm(data, { recursive: true, force: true });
});

function start(env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [entry], {
    env: { PATH: process.env.PATH ?? "", PORT: "0", SVC_DATA: data, SVC_SEED: "none", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  return child;
}

/** Returns the URLs that the process prints when it is ready. */
async function ready(child: ReturnType<typeof start>): Promise<{ url: string; toolsUrl: string }> {
  let output = "";
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    output += chunk;
    const [, toolsUrl, url] = /^tools (http:\S+)\nready (http:\/\/localhost:\d+)$/m.exec(output) ?? [];
    if (toolsUrl && url) return { url, toolsUrl };
  }
  throw new Error(`not ready: ${output} ${await text(child.stderr)}`);
}

async function failure(env: Record<string, string>): Promise<string> {
  const child = start(env);
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  expect(code).toBe(1);
  return errors.trim();
}

const post = (body: unknown) => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

const person = { email: "ada@start.test", password: "an unlikely pass phrase", name: "Ada" };

/** Registers a user and verifies the email. Returns the token. */
async function register({ url, toolsUrl }: { url: string; toolsUrl: string }): Promise<string> {
  await fetch(`${url}/auth/register`, post(person));
  const { data } = (await (await fetch(`${toolsUrl}/_local/mail`)).json()) as { data: { text: string }[] };
  const [, token] = /verify-email#token=([\w.~-]+)/.exec(data[0]?.text ?? "") ?? [];
  const opened = await fetch(`${url}/auth/email/verify`, post({ token, password: person.password }));
  return ((await opened.json()) as { token: string }).token;
}

/** Uploads an avatar. Returns its signed URL. */
async function uploadAvatar(url: string, authorization: string): Promise<string> {
  const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  const body = new FormData();
  body.set("avatar", new Blob([new Uint8Array(picture)]), "a.png");
  const answer = await fetch(`${url}/api/upload/avatar`, {
    method: "POST",
    headers: { authorization },
    body,
  });
  return ((await answer.json()) as { signedUrl: string }).signedUrl;
}

test("npm start keeps accounts, sessions, avatars and signed URLs after SIGKILL, rejects a second process, and exits cleanly", async () => {
  const first = start();
  const urls = await ready(first);
  const authorization = `Bearer ${await register(urls)}`;
  const signedUrl = await uploadAvatar(urls.url, authorization);
  expect((await fetch(signedUrl)).status).toBe(200);
  expect(await failure({})).toBe(
    `Another svc process already uses ${data}. Stop it, or set SVC_DATA to another directory.`,
  );
  first.kill("SIGKILL");
  await once(first, "exit");

  const second = start();
  const me = await fetch(`${(await ready(second)).url}/auth/me`, { headers: { authorization } });
  const { email, avatar } = (await me.json()) as { email: string; avatar: string };
  expect(email).toBe(person.email);
  for (const pictureUrl of [avatar, signedUrl]) expect((await fetch(pictureUrl)).status).toBe(200);
  second.kill("SIGTERM");
  expect(await once(second, "exit")).toEqual([0, null]);
}, 60_000);

test.each([
  [{ PORT: "http" }, "Configuration: PORT must be a number from 0 to 65535."],
  [{ PORT: "65536" }, "Configuration: PORT must be a number from 0 to 65535."],
  [{ PORT: "65535" }, "Configuration: SVC_TOOLS_PORT must be a number from 0 to 65535."],
  [{ PORT: "4190" }, "Port 4190 is blocked by browsers. Set PORT to another port."],
  [{ SVC_TOOLS_PORT: "6000" }, "Port 6000 is blocked by browsers. Set SVC_TOOLS_PORT to another port."],
  [{ SVC_SEED: "all" }, "Configuration: SVC_SEED must be demo or none."],
  [
    { DATABASE_URL: "postgres://svc:secret@127.0.0.1:1/svc" },
    "The database of DATABASE_URL cannot be used (connect ECONNREFUSED 127.0.0.1:1). Start it, or correct DATABASE_URL.",
  ],
  [
    { SVC_DATA: entry },
    `The data folder ${entry} cannot be used (EEXIST: file already exists, mkdir '${entry}'). Make it writable, or set SVC_DATA to another folder.`,
  ],
])("npm start with %j prints an error message and exits with code 1", async (env, message) => {
  expect(await failure(env)).toBe(message);
});

test.each([
  [
    "keys.json",
    /^The data folder \S+ cannot be used \(EISDIR: .+\)\. Make it writable, or set SVC_DATA to another folder\.$/,
  ],
  [
    "lock",
    /^The data folder \S+ cannot be used \(.+\)\. Make it writable, or set SVC_DATA to another folder\.$/,
  ],
  [
    "database/PG_VERSION",
    /^The database in \S+ cannot be opened \(.+\)\. Restore the folder, or set SVC_DATA to another one\.$/,
  ],
])(
  "npm start names the problem in one line when %s in its data folder is a folder",
  async (name, message) => {
    await mkdir(join(data, name), { recursive: true });
    expect(await failure({})).toMatch(message);
  },
);

test.skipIf(process.platform !== "linux")(
  "npm start names a data folder in /proc, for which mkdir with its option recursive never returns",
  async () => {
    expect(await failure({ SVC_DATA: "/proc/svc/data" })).toMatch(
      /^The data folder \/proc\/svc\/data cannot be used \(ENOENT: .+\)\. Make it writable/,
    );
  },
);

test("npm start creates its data folder with its parents", async () => {
  await ready(start({ SVC_DATA: join(data, "a", "b") }));
});

test("npm start names the port that is in use", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  expect(await failure({ SVC_TOOLS_PORT: String(port) })).toBe(
    `Port ${port} is already in use. Set SVC_TOOLS_PORT to another port.`,
  );
  other.close();
});

test.each(["SIGINT", "SIGTERM"] as const)("%s ends a start that waits for its database", async (signal) => {
  // Accepts connections and never answers, so that the start cannot finish.
  const database = createServer().listen(0, "127.0.0.1");
  await once(database, "listening");
  const { port } = database.address() as AddressInfo;
  const child = start({ DATABASE_URL: `postgres://svc@127.0.0.1:${port}/svc` });
  await once(database, "connection");
  child.kill(signal);
  expect(await once(child, "exit")).toEqual([null, signal]);
  database.close();
});

test("npm run dev serves the sources of the client, and no other file of the repository", async () => {
  const { url } = await ready(start({ SVC_DEV: "1" }));
  const status = async (path: string) => (await fetch(url + path)).status;
  const root = fileURLToPath(new URL("../..", import.meta.url));
  expect(await status("/src/main.tsx")).toBe(200);
  expect(await status(`/@fs${root}packages/core/base/fault.ts`)).toBe(200);
  for (const query of ["", "?raw", "?url", "?import"])
    expect([query, await status(`/@fs${root}package.json${query}`)]).toEqual([query, 403]);
});
