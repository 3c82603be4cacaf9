import type { IncomingMessage, ServerResponse } from "node:http";
import * as Clock from "@svc/core/base/clock";
import { log } from "@svc/core/platform/log/log";
import * as z from "zod/mini";
import { drained, readBody } from "./gateway/body.ts";
import type { CapturedMail } from "./mail-box.ts";
import type { Depth } from "./queue.ts";

/** The parts of the local server that the control endpoints read and change. */
export type Controls = {
  mails(): readonly CapturedMail[];
  /** Runs everything that is due after the clock was moved. Returns the names of the jobs that ran. */
  wake(): Promise<string[]>;
  jobs: readonly string[];
  runJob(name: string, payload: unknown): Promise<unknown>;
  state(): State | Promise<State>;
};

export type State = {
  /** Object keys by bucket. */
  buckets: Record<string, readonly string[]>;
  queue: Depth & { deadLetters: number };
};

type Reply = { status: number; body: unknown; headers?: Record<string, string> };

type Endpoint = { method: string; path: RegExp; handle(json: unknown, name: string): Promise<Reply> };

const maxBodyBytes = 1024 * 1024;

const Move = z.object({ advanceSeconds: z.number().check(z.gte(-3.2e9), z.lte(3.2e9)) });

/**
 * Returns a listener for the control endpoints under `/_local`. They need no token, so they accept only requests to localhost
 * from localhost pages. This rejects requests by pages of other sites, also with DNS rebinding.
 */
export function control(controls: Controls): (request: IncomingMessage, response: ServerResponse) => void {
  const endpoints = endpointTable(controls);

  async function reply(request: IncomingMessage, response: ServerResponse): Promise<Reply | undefined> {
    if (!isLocal(request)) return failure(403, "These endpoints accept only requests from localhost.");
    const path = (request.url ?? "").replace(/\?.*$/s, "");
    const candidates = endpoints.filter((endpoint) => endpoint.path.test(path));
    if (candidates.length === 0) return failure(404, "No endpoint has this path.");
    const endpoint = candidates.find(({ method }) => method === request.method);
    if (!endpoint) {
      const allow = candidates.map(({ method }) => method).join(", ");
      return { ...failure(405, `This path supports only ${allow}.`), headers: { allow } };
    }
    const body = await readBody(request, response, maxBodyBytes);
    if (body === "disconnected") return undefined;
    if (body === "too_large") return failure(413, "The body is too large.");
    const json = parseJson(body.toString());
    if (!json) return failure(400, "The body is not valid JSON.");
    return endpoint.handle(json.value, endpoint.path.exec(path)?.[1] ?? "");
  }

  async function exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const result = await reply(request, response);
    if (!result || response.destroyed) return;
    const text = JSON.stringify(result.body) ?? "null";
    response.writeHead(result.status, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(text),
      "cache-control": "no-store",
      ...result.headers,
    });
    response.write(text);
    await drained(request);
    response.end();
  }

  return (request, response) => {
    exchange(request, response).catch((error) => {
      log.error("control failed", { error });
      response.destroy();
    });
  };
}

function endpointTable({ mails, wake, jobs, runJob, state }: Controls): Endpoint[] {
  return [
    {
      method: "GET",
      path: /^\/_local\/mail$/,
      handle: async () => ({ status: 200, body: { data: mails() } }),
    },
    {
      method: "POST",
      path: /^\/_local\/clock$/,
      async handle(json) {
        const move = Move.safeParse(json);
        if (!move.success)
          return failure(
            400,
            'The body must be {"advanceSeconds":n}, where n is a number of seconds within a century.',
          );
        Clock.advance(move.data.advanceSeconds);
        return { status: 200, body: { now: Clock.now().toISOString(), ran: await wake() } };
      },
    },
    {
      method: "POST",
      path: /^\/_local\/jobs\/([^/]+)$/,
      async handle(json, name) {
        if (!jobs.includes(name))
          return failure(404, `No job has this name. The jobs are ${jobs.join(", ")}.`);
        try {
          return { status: 200, body: (await runJob(name, json)) ?? null };
        } catch (error) {
          // The format in which Lambda reports errors.
          const { name: errorType, message: errorMessage } = error as Error;
          return { status: 500, body: { errorType, errorMessage } };
        }
      },
    },
    {
      method: "GET",
      path: /^\/_local\/state$/,
      handle: async () => ({ status: 200, body: { now: Clock.now().toISOString(), ...(await state()) } }),
    },
  ];
}

function failure(status: number, message: string): Reply {
  return { status, body: { message } };
}

/** Parses a JSON body. An empty body is an empty object. Returns undefined for invalid JSON. */
function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: text.trim() === "" ? {} : JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Returns whether the path of a request belongs to the control endpoints. */
export function isTool({ url = "" }: IncomingMessage): boolean {
  return /^\/_local(?:[/?]|$)/.test(url);
}

function isLocal({ headers }: IncomingMessage): boolean {
  const localhost = /^(?:localhost|127\.0\.0\.1)(?::\d{1,5})?$/i;
  const { host = "", origin } = headers;
  return localhost.test(host) && (origin === undefined || localhost.test(origin.replace(/^https?:\/\//, "")));
}
