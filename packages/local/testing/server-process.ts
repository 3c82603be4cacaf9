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

export type ServerProcess = { url: string; toolsUrl: string; process: ChildProcess };

/**
 * Starts the server as `npm start` does, on a free port with this data directory, without the configuration of the tests. `more`
 * are further environment variables.
 */
export async function start(data: string, more: Record<string, string> = {}): Promise<ServerProcess> {
  const testVariables =
    /^(?:STORAGE_|TOKEN_|ENCRYPTION_|QUEUE_|APP_|SMTP_|MAIL_|RATE_|DATABASE_|TEST_|POWERTOOLS_|VITEST)/;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !testVariables.test(name)));
  const child = spawn(process.execPath, ["packages/local/start.ts"], {
    cwd: root,
    env: { ...env, ...allocator, PORT: "0", SVC_DATA: data, ...more },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let toolsUrl = "";
  for await (const line of createInterface({ input: child.stdout })) {
    const [, name, url = ""] = /^(tools|ready) (http:\/\/localhost:\d+)$/.exec(line) ?? [];
    if (name === "tools") toolsUrl = url;
    if (name !== "ready") continue;
    child.stdout.resume();
    return { url, toolsUrl, process: child };
  }
  throw new Error("npm start exited before it was ready.");
}

/** Sends a signal and resolves when the process has exited. */
export async function stop({ process: child }: ServerProcess, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal);
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}

export type LoggedIn = {
  token: string;
  user: { id: string; avatar: string; teams: { id: string }[]; workspaces: { id: string; plan: string }[] };
};

const route = matcher(Object.keys(routes));

/** Calls the API and checks the response against the OpenAPI document. */
// biome-ignore lint/suspicious/noExplicitAny: the shape of a body depends on the test.
export async function call(url: string, init: RequestInit = {}): Promise<{ status: number; body: any }> {
  const response = await fetch(url, init);
  const text = await response.text();
  const body = text === "" ? undefined : JSON.parse(text);
  const { routeKey } = route(init.method ?? "GET", new URL(url).pathname) ?? { routeKey: "$default" };
  conforms(routeKey, response.status, Object.fromEntries(response.headers), body);
  return { status: response.status, body };
}

/** Signs in a demo user. */
export async function logIn(url: string, email: string): Promise<LoggedIn> {
  const body = JSON.stringify({ email, password });
  const response = await call(`${url}/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  return response.body;
}

/** Sends a GET request with a token. */
export function get(url: string, token: string): ReturnType<typeof call> {
  return call(url, { headers: { authorization: `Bearer ${token}` } });
}
