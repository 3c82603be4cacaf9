import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { allocator } from "@svc/core/avatar/allocator";
import { routes } from "@svc/functions/routes";
import { conforms } from "@svc/functions/testing/conforms";
import { password } from "../demo.ts";
import { matcher } from "../gateway/match.ts";

export const root = fileURLToPath(new URL("../../..", import.meta.url));

export type Program = { url: string; process: ChildProcess };

/** What `npm start` starts, as a process of its own on a free port with this data; nothing of the tests' configuration. */
export async function start(data: string): Promise<Program> {
  const ours =
    /^(?:STORAGE_|TOKEN_|ENCRYPTION_|QUEUE_|APP_|SMTP_|MAIL_|RATE_|DATABASE_|TEST_|POWERTOOLS_|VITEST)/;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)));
  const child = spawn(process.execPath, ["packages/local/start.ts"], {
    cwd: root,
    env: { ...env, ...allocator, PORT: "0", SVC_DATA: data },
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

/** Resolves when the process is gone. */
export async function stop({ process: child }: Program, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal);
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}

export type LoggedIn = {
  token: string;
  user: { id: string; avatar: string; teams: { id: string }[]; workspaces: { id: string; plan: string }[] };
};

const route = matcher(Object.keys(routes));

/** One call of the API, whose answer is held against the OpenAPI document. */
// biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects of a body.
export async function call(url: string, init: RequestInit = {}): Promise<{ status: number; body: any }> {
  const answer = await fetch(url, init);
  const text = await answer.text();
  const body = text === "" ? undefined : JSON.parse(text);
  const { routeKey } = route(init.method ?? "GET", new URL(url).pathname) ?? { routeKey: "$default" };
  conforms(routeKey, answer.status, answer.headers.get("content-type") ?? undefined, body);
  return { status: answer.status, body };
}

/** Log a demo person in. */
export async function logIn(url: string, email: string): Promise<LoggedIn> {
  const body = JSON.stringify({ email, password });
  const answer = await call(`${url}/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  return answer.body;
}

/** GET with a token. */
export function get(url: string, token: string): ReturnType<typeof call> {
  return call(url, { headers: { authorization: `Bearer ${token}` } });
}
