import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
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

/** Returns the URL that the process prints when it is ready. */
async function ready(child: ReturnType<typeof start>): Promise<string> {
  let output = "";
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    output += chunk;
    const [, url] = /^ready (http:\/\/localhost:\d+)$/m.exec(output) ?? [];
    if (url) return url;
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
async function register(url: string): Promise<string> {
  await fetch(`${url}/auth/register`, post(person));
  const { data } = (await (await fetch(`${url}/_local/mail`)).json()) as { data: { text: string }[] };
  const [, token] = /verify-email#token=([\w.~-]+)/.exec(data[0]?.text ?? "") ?? [];
  const opened = await fetch(`${url}/auth/email/verify`, post({ token }));
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
  const url = await ready(first);
  const authorization = `Bearer ${await register(url)}`;
  const signedUrl = await uploadAvatar(url, authorization);
  expect((await fetch(signedUrl)).status).toBe(200);
  expect(await failure({})).toBe(
    `Another svc process already uses ${data}. Stop it, or set SVC_DATA to another directory.`,
  );
  first.kill("SIGKILL");
  await once(first, "exit");

  const second = start();
  const me = await fetch(`${await ready(second)}/auth/me`, { headers: { authorization } });
  const { email, avatar } = (await me.json()) as { email: string; avatar: string };
  expect(email).toBe(person.email);
  for (const pictureUrl of [avatar, signedUrl]) expect((await fetch(pictureUrl)).status).toBe(200);
  second.kill("SIGTERM");
  expect(await once(second, "exit")).toEqual([0, null]);
}, 60_000);

test.each([
  [{ PORT: "http" }, "Configuration: PORT must be a number from 0 to 65535."],
  [{ PORT: "65536" }, "Configuration: PORT must be a number from 0 to 65535."],
  [{ SVC_SEED: "all" }, "Configuration: SVC_SEED must be demo or none."],
])("npm start with %j prints an error message and exits with code 1", async (env, message) => {
  expect(await failure(env)).toBe(message);
});
