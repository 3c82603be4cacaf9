import { setTimeout as after } from "node:timers/promises";
import { type Answer, Mismatch, send } from "./http.ts";

/** The server under test. */
export type Stage = {
  /** URL without a trailing slash. */
  url: string;
  /** Undefined for a deployed stage. */
  tools: Tools | undefined;
  /** API token of a deployed stage, with the scope admin. */
  token: string | undefined;
  /** URL of the gateway behind the router of a deployed stage. */
  originUrl: string | undefined;
  /** The operations of the server's OpenAPI document, such as `GET /team/{id}`. */
  operations: readonly string[];
};

/** The tools of `npm start` that a deployed stage does not have. */
export type Tools = {
  /** Returns the token of the newest link to this page of the client that was emailed to `to`, and the link's origin. */
  link(to: string, page: string): Promise<{ token: string; origin: string }>;
  runJob(name: string, payload: unknown): Promise<void>;
  /** Advances the clock of the server. */
  advance(seconds: number): Promise<void>;
  /** Returns the time of the server's clock. */
  now(): Promise<Date>;
};

/** Reads the OpenAPI document of a server and finds the tools of a local one. Throws if something that the checks need is missing. */
export async function openStage(url: URL, env: NodeJS.ProcessEnv): Promise<Stage> {
  // npm start has no TLS, and a token must not be sent without it.
  const local = url.protocol === "http:" && ["localhost", "127.0.0.1"].includes(url.hostname);
  if (!local && url.protocol !== "https:")
    throw new Error("The URL of a deployed stage must begin with https://.");
  const { SMOKE_TOKEN, SMOKE_ORIGIN_URL, SVC_TOOLS_PORT } = env;
  if (!local && !SMOKE_TOKEN)
    throw new Error(
      "Set SMOKE_TOKEN to an API token with the scope admin. docs/deploy.md says how to create it.",
    );
  const tools = local ? toolsAt(`http://localhost:${SVC_TOOLS_PORT || Number(url.port) + 1}`) : undefined;
  await tools?.now().catch((error: Error) => {
    throw new Error(`${error.message}. Set SVC_TOOLS_PORT to the port that npm start prints after "tools".`);
  });
  const { status, body } = await send(`${url.origin}/openapi.json`);
  if (status !== 200 || typeof body?.paths !== "object")
    throw new Error(`GET ${url.origin}/openapi.json: expected an OpenAPI document, got ${status}`);
  return {
    url: url.origin,
    tools,
    token: local ? undefined : SMOKE_TOKEN,
    originUrl: SMOKE_ORIGIN_URL?.replace(/\/$/, ""),
    operations: operationsOf(body),
  };
}

/** Returns the operations of an OpenAPI document. */
function operationsOf({ paths }: { paths: Record<string, object> }): string[] {
  const methods = new Set(["get", "put", "post", "delete", "patch", "head"]);
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((method) => methods.has(method))
      .map((method) => `${method.toUpperCase()} ${path}`),
  );
}

/** Returns the tools of the local server. Throws on a deployed stage: checks that use them are skipped there. */
export function toolsOf({ tools }: Stage): Tools {
  if (!tools) throw new Error("A deployed stage has no tools.");
  return tools;
}

/** Returns the tools at this URL. */
function toolsAt(url: string): Tools {
  async function call(path: string, body?: unknown) {
    const headers = { "content-type": "application/json" };
    const answer = await send(
      `${url}/_local/${path}`,
      body === undefined ? {} : { method: "POST", headers, body: JSON.stringify(body) },
    );
    if (answer.status !== 200)
      throw new Mismatch(`${url}/_local/${path}: expected 200, got ${answer.status} ${answer.body?.message}`);
    return answer.body;
  }
  return {
    async link(to, page) {
      const { data } = (await call("mail")) as { data: { to: string; text: string }[] };
      const pattern = new RegExp(`(https?://\\S+)/${page}#token=([\\w.~-]+)`);
      for (const mail of data) {
        const [, origin, token] = (mail.to === to && pattern.exec(mail.text)) || [];
        if (origin && token) return { origin, token };
      }
      throw new Mismatch(`mail: expected an email to ${to} with a link to ${page}, got none`);
    },
    async runJob(name, payload) {
      await call(`jobs/${name}`, payload);
    },
    async advance(seconds) {
      await call("clock", { advanceSeconds: seconds });
    },
    now: async () => new Date((await call("state")).now),
  };
}

/** Longest Retry-After that is waited for. All rate limits that the checks meet have a window of a minute. */
const longestWaitSeconds = 60;

/**
 * Sends a request. If it is rate limited although `limited` is not set, waits as long as Retry-After says and sends it once more:
 * the checks share the limits of one IP address.
 */
export async function request(
  stage: Stage,
  path: string,
  init: RequestInit,
  limited = false,
): Promise<Answer> {
  const answer = await send(stage.url + path, init);
  const seconds = Number(answer.headers.get("retry-after"));
  if (answer.status !== 429 || limited || !(seconds > 0 && seconds <= longestWaitSeconds)) return answer;
  if (stage.tools) await stage.tools.advance(seconds);
  else await after(seconds * 1000);
  return send(stage.url + path, init);
}
