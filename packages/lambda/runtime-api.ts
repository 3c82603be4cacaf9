import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** What the runtime client reports when a handler threw, or a bundle did not load. */
export type Failure = { errorType: string; errorMessage: string; trace?: string[] };

/** What a function made of an event. */
export type Outcome = { result: unknown } | { failure: Failure };

export type RuntimeApi = {
  /** Host and port, for AWS_LAMBDA_RUNTIME_API. */
  address: string;
  /** Done when the function asks for its first event; rejected with the client's own words when it did not get there. */
  initialised: Promise<void>;
  /** Hand the function its next event, as soon as it asks for one. */
  invoke(event: unknown): Promise<Outcome>;
  close(): void;
};

const prefix = "/2018-06-01/runtime";

/**
 * The Lambda runtime API (version 2018-06-01) for one function, on 127.0.0.1: the four calls that a runtime client makes.
 */
export async function openRuntimeApi(functionArn: string, timeoutSeconds: number): Promise<RuntimeApi> {
  const initialised = Promise.withResolvers<void>();
  // Whoever boots a function waits for it; a function that dies before that is reported by its process.
  initialised.promise.catch(() => {});
  const outcomes = new Map<string, (outcome: Outcome) => void>();
  let asking = Promise.withResolvers<ServerResponse>();

  const server = createServer(async (request, response) => {
    const path = request.url ?? "";
    if (request.method === "GET" && path === `${prefix}/invocation/next`) {
      initialised.resolve();
      return asking.resolve(response);
    }
    const [, id = "", what] = /\/invocation\/([\w-]+)\/(response|error)$/.exec(path) ?? [];
    const body = await json(request).catch((error: Error) => ({ unreadable: error.message }));
    const done = outcomes.get(id);
    if (path === `${prefix}/init/error`) {
      const { errorType, errorMessage } = body as Failure;
      initialised.reject(new Error(`${errorType}: ${errorMessage}`));
    } else if (done) {
      outcomes.delete(id);
      done(what === "response" ? { result: body } : { failure: body as Failure });
    } else {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(202).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");

  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    initialised: initialised.promise,
    async invoke(event) {
      const response = await asking.promise;
      asking = Promise.withResolvers();
      const id = randomUUID();
      const { promise, resolve } = Promise.withResolvers<Outcome>();
      outcomes.set(id, resolve);
      response.writeHead(200, {
        "content-type": "application/json",
        "lambda-runtime-aws-request-id": id,
        "lambda-runtime-deadline-ms": Date.now() + timeoutSeconds * 1000,
        "lambda-runtime-invoked-function-arn": functionArn,
      });
      response.end(JSON.stringify(event));
      return promise;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
