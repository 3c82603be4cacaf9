import type { IncomingMessage, ServerResponse } from "node:http";
import * as Clock from "@svc/core/base/clock";
import { log } from "@svc/core/platform/log/log";
import * as z from "zod/mini";
import { drained, readBody } from "./gateway/body.ts";
import type { CapturedMail } from "./mail-box.ts";
import type { Depth } from "./queue.ts";

/** What these endpoints show and move. */
export type Controlled = {
  mails(): readonly CapturedMail[];
  /** The clock was moved: whatever became due runs. Answers the names of the jobs that ran. */
  wake(): Promise<string[]>;
  jobs: readonly string[];
  runJob(name: string, payload: unknown): Promise<unknown>;
  state(): State | Promise<State>;
};

export type State = {
  /** Keys of each bucket. */
  buckets: Record<string, readonly string[]>;
  queue: Depth & { deadLetters: number };
};

type Reply = { status: number; body: unknown; headers?: Record<string, string> };

type Endpoint = { method: string; path: RegExp; answer(json: unknown, name: string): Promise<Reply> };

const maxBodyBytes = 1024 * 1024;

const Move = z.object({ advanceSeconds: z.number().check(z.gte(-3.2e9), z.lte(3.2e9)) });

/**
 * The endpoints under `/_local`: they ask for no token, so they answer to nobody but this machine. A page of another
 * site cannot reach them either, whether it calls localhost or has its own name point here.
 */
export function control(
  controlled: Controlled,
): (request: IncomingMessage, response: ServerResponse) => void {
  const endpoints = table(controlled);

  async function reply(request: IncomingMessage, response: ServerResponse): Promise<Reply | undefined> {
    if (!isLocal(request)) return refusal(403, "These endpoints answer only to localhost.");
    const path = (request.url ?? "").replace(/\?.*$/s, "");
    const there = endpoints.filter((endpoint) => endpoint.path.test(path));
    if (there.length === 0) return refusal(404, "There is nothing at this path.");
    const endpoint = there.find(({ method }) => method === request.method);
    if (!endpoint) {
      const allow = there.map(({ method }) => method).join(", ");
      return { ...refusal(405, `This path takes ${allow}.`), headers: { allow } };
    }
    const body = await readBody(request, response, maxBodyBytes);
    if (body === "gone") return undefined;
    if (body === "too_large") return refusal(413, "The body is too large.");
    const json = parsed(body.toString());
    if (!json) return refusal(400, "The body is not JSON.");
    return endpoint.answer(json.value, endpoint.path.exec(path)?.[1] ?? "");
  }

  async function exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = await reply(request, response);
    if (!answer || response.destroyed) return;
    const text = JSON.stringify(answer.body) ?? "null";
    response.writeHead(answer.status, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(text),
      "cache-control": "no-store",
      ...answer.headers,
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

function table({ mails, wake, jobs, runJob, state }: Controlled): Endpoint[] {
  return [
    {
      method: "GET",
      path: /^\/_local\/mail$/,
      answer: async () => ({ status: 200, body: { data: mails() } }),
    },
    {
      method: "POST",
      path: /^\/_local\/clock$/,
      async answer(json) {
        const move = Move.safeParse(json);
        if (!move.success)
          return refusal(400, 'The body must be {"advanceSeconds":n}, a number of seconds within a century.');
        Clock.advance(move.data.advanceSeconds);
        return { status: 200, body: { now: Clock.now().toISOString(), ran: await wake() } };
      },
    },
    {
      method: "POST",
      path: /^\/_local\/jobs\/([^/]+)$/,
      async answer(json, name) {
        if (!jobs.includes(name))
          return refusal(404, `There is no job of this name; there are ${jobs.join(", ")}.`);
        try {
          return { status: 200, body: (await runJob(name, json)) ?? null };
        } catch (error) {
          // As Lambda words it for the operator of a deployment.
          const { name: errorType, message: errorMessage } = error as Error;
          return { status: 500, body: { errorType, errorMessage } };
        }
      },
    },
    {
      method: "GET",
      path: /^\/_local\/state$/,
      answer: async () => ({ status: 200, body: { now: Clock.now().toISOString(), ...(await state()) } }),
    },
  ];
}

function refusal(status: number, message: string): Reply {
  return { status, body: { message } };
}

/** No body is an empty object: most calls need none. */
function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: text.trim() === "" ? {} : JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function isLocal({ headers }: IncomingMessage): boolean {
  const here = /^(?:localhost|127\.0\.0\.1)(?::\d{1,5})?$/i;
  const { host = "", origin } = headers;
  return here.test(host) && (origin === undefined || here.test(origin.replace(/^https?:\/\//, "")));
}
