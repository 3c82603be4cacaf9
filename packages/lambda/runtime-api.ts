import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** The report of the runtime client when a handler threw or a bundle did not load. */
export type Failure = { errorType: string; errorMessage: string; trace?: string[] };

/** The result of an invocation. */
export type Outcome = { result: unknown } | { failure: Failure };

/** A running runtime API. */
export type RuntimeApi = {
  /** Host and port, for AWS_LAMBDA_RUNTIME_API. */
  address: string;
  /** Resolves when the function requests its first event, and rejects with the client's error if it fails to start. */
  initialised: Promise<void>;
  /** Passes an event to the function when it requests one, and returns the result. */
  invoke(event: unknown): Promise<Outcome>;
  close(): void;
};

const prefix = "/2018-06-01/runtime";

/** Serves the Lambda runtime API (version 2018-06-01) for one function on 127.0.0.1. */
export async function openRuntimeApi(functionArn: string, timeoutSeconds: number): Promise<RuntimeApi> {
  const initialised = Promise.withResolvers<void>();
  // The caller awaits this promise. If the process dies first, the caller learns that from the process.
  initialised.promise.catch(() => {});
  const outcomes = new Map<string, (outcome: Outcome) => void>();
  let nextRequest = Promise.withResolvers<ServerResponse>();

  const server = createServer(async (request, response) => {
    const path = request.url ?? "";
    if (request.method === "GET" && path === `${prefix}/invocation/next`) {
      initialised.resolve();
      return nextRequest.resolve(response);
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
      const response = await nextRequest.promise;
      nextRequest = Promise.withResolvers();
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
