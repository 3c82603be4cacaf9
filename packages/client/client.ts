import { idempotentPaths } from "./generated.ts";
import { type ClientCode, Problem } from "./problem.ts";
import { encodeBody, etags, fillPath, type QueryValue, queryString } from "./request.ts";
import { type Answer, nextPage, readResponse } from "./response.ts";
import { retryDelayMs } from "./retry.ts";
import { hasProgress, sendWithProgress } from "./transport.ts";
import type {
  Arguments,
  CommonOptions,
  Conditional,
  ConditionalResult,
  Item,
  ListPath,
  MediaType,
  Method,
  Operation,
  Path,
  Result,
} from "./types.ts";

export type * from "./generated.ts";
export { type ClientCode, type FieldError, Problem, type ProblemBody } from "./problem.ts";
export type { Answer } from "./response.ts";
export type {
  Arguments,
  CommonOptions,
  Item,
  ListPath,
  MediaType,
  Method,
  Operation,
  Path,
  Result,
} from "./types.ts";

export type ClientOptions = {
  /** The URL of the API, such as `https://api.example.com`. In browsers, the origin of the page by default. */
  baseUrl?: string | undefined;
  /** A session token or an API token. Without one, requests of pages on the origin of the API carry the session cookie. */
  token?: string | (() => string | undefined | Promise<string | undefined>) | undefined;
  /** The workspace of requests that act in one. By default the API takes the first one that the user joined. */
  workspaceId?: string | (() => string | undefined) | undefined;
  /** Limit of each attempt: by default 35 seconds, which is longer than the API takes, and none for uploads. */
  timeoutMs?: number;
  /** Further attempts after failures that may be temporary, 2 by default. */
  retries?: number;
  /** The longest wait for another attempt, 60 seconds by default. A request that would have to wait longer fails at once. */
  maxWaitMs?: number;
  /** Called with each problem before it is thrown. */
  onProblem?: (problem: Problem) => void;
  /**
   * Called with a problem before `onProblem`, for example to sign in again. If it returns true, the request is sent once more, with
   * the same idempotency key.
   */
  recover?: (problem: Problem, request: { method: string; path: string }) => boolean | Promise<boolean>;
  /** Sends a request. `fetch` by default. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Waits before another attempt, by default with a timer. Rejects when the signal is aborted. */
  wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
};

type Call<M extends Method> = <P extends Path<M>>(
  path: P,
  ...options: Arguments<Operation<M, P>>
) => Promise<Result<Operation<M, P>>>;

/**
 * Calls operations of the API by their path. Paths, options and results have the types of the OpenAPI document. All functions
 * throw `Problem`, and the reason of `signal` when it is aborted.
 */
export type Client = { [M in Method]: Call<M> } & {
  /** Sends a request and returns status and headers with the data. A HEAD request returns only those. */
  send<M extends Method | "head", P extends Path<M>>(
    method: M,
    path: P,
    ...options: Arguments<Operation<M, P>, Conditional<Operation<M, P>>>
  ): Promise<Answer<ConditionalResult<Operation<M, P>>>>;
  /** Iterates over the items of a list. Loads each page when the previous one is used up. */
  each<P extends ListPath>(
    path: P,
    ...options: Arguments<Operation<"get", P>>
  ): AsyncGenerator<Item<P>, void, undefined>;
  /** Iterates over the pages of a list, or over the parts of a file if `accept` names its media type. */
  pages<P extends Path<"get">, Accept extends MediaType<Operation<"get", P>> = never>(
    path: P,
    ...options: Arguments<Operation<"get", P>, { accept?: Accept }>
  ): AsyncGenerator<
    Result<Operation<"get", P>, [Accept] extends [never] ? "application/json" : Accept>,
    void,
    undefined
  >;
};

/** The options of a request whose operation is not known. */
type AnyOptions = CommonOptions & {
  path?: Record<string, unknown>;
  query?: Record<string, QueryValue>;
  body?: unknown;
  accept?: string;
  ifMatch?: string | readonly string[];
  ifNoneMatch?: string;
  workspaceId?: string;
  idempotencyKey?: string;
  onProgress?: (share: number) => void;
};

type Outgoing = { method: string; headers: Record<string, string>; body: string | FormData | undefined };

/** How long a key is reused for the same request after its outcome stayed unknown. */
const unansweredMs = 120_000;

/** Returns a client of the API. Sends nothing by itself. */
export function createClient(config: ClientOptions = {}): Client {
  const { timeoutMs = 35_000, retries = 2, maxWaitMs = 60_000, wait = waitFor } = config;
  const baseUrl = config.baseUrl?.replace(/\/$/, "") ?? "";
  /** Idempotency keys of requests whose outcome is unknown: the API may have processed them. */
  const unanswered = new Map<string, { key: string; at: number }>();

  async function send(
    method: string,
    path: string,
    options: AnyOptions = {},
    recovered = false,
  ): Promise<Answer<unknown>> {
    const url = baseUrl + fillPath(path, options.path) + queryString(options.query);
    const body = encodeBody(options.body);
    const workspaceId = options.workspaceId ?? (await valueFrom(config.workspaceId));
    const token = await valueFrom(config.token);
    const keyed = method === "POST" && idempotentPaths.has(path);
    const request = `${workspaceId} ${url} ${typeof body === "string" ? body : ""}`;
    const key = options.idempotencyKey ?? (keyed ? (recall(request) ?? crypto.randomUUID()) : undefined);
    const headers = defined({
      accept: options.accept ?? "application/json",
      "content-type": typeof body === "string" ? "application/json" : undefined,
      authorization: token && `Bearer ${token}`,
      "x-workspace-id": workspaceId,
      "idempotency-key": key,
      "if-match": options.ifMatch && etags(options.ifMatch),
      "if-none-match": options.ifNoneMatch && etags(options.ifNoneMatch),
      ...options.headers,
    });
    for (let earlier = 0; ; earlier++) {
      const result = await attempt(url, { method, headers, body }, options);
      if (!(result instanceof Problem)) {
        // An equal request after another change is a new one.
        if (method !== "GET") unanswered.clear();
        return result;
      }
      const { status, code, retryAfterSeconds } = result;
      const failed = { method, keyed, status, code, retryAfterSeconds, earlier };
      const delayMs = retryDelayMs(failed, Math.random());
      if (delayMs === undefined || delayMs > maxWaitMs || earlier >= (options.retries ?? retries)) {
        if (keyed && key && isUnanswered(result) && !(body instanceof FormData))
          unanswered.set(request, { key, at: Date.now() });
        if (!recovered && (await config.recover?.(result, { method, path }))) {
          const same = defined({ workspaceId, idempotencyKey: key });
          return send(method, path, { ...options, ...same }, true);
        }
        config.onProblem?.(result);
        throw result;
      }
      await wait(delayMs, options.signal);
    }
  }

  function recall(request: string): string | undefined {
    const earlier = unanswered.get(request);
    return earlier && Date.now() - earlier.at < unansweredMs ? earlier.key : undefined;
  }

  /** Sends a request once. Returns the problem of a failure, and throws only the reason of the caller's signal. */
  async function attempt(
    url: string,
    { method, headers, body }: Outgoing,
    { signal, keepalive, onProgress, ...options }: AnyOptions,
  ): Promise<Answer<unknown> | Problem> {
    signal?.throwIfAborted();
    const idempotencyKey = headers["idempotency-key"];
    const controller = new AbortController();
    const abort = () => controller.abort(signal?.reason);
    signal?.addEventListener("abort", abort);
    // Not AbortSignal.any with AbortSignal.timeout: Node 20 may collect them before they fire.
    const limitMs = options.timeoutMs ?? (body instanceof FormData ? 0 : timeoutMs);
    let code: ClientCode = "no_answer";
    const expire = () => {
      code = "timeout";
      controller.abort();
    };
    const timer = limitMs > 0 ? setTimeout(expire, limitMs) : undefined;
    const init = { method, headers, signal: controller.signal, ...(keepalive && { keepalive }) };
    const request = body === undefined ? init : { ...init, body };
    try {
      const response =
        onProgress && hasProgress && !config.fetch
          ? await sendWithProgress(url, request, onProgress)
          : await (config.fetch ?? fetch)(url, request);
      return await readResponse(response, headers.accept ?? "", idempotencyKey);
    } catch (cause) {
      signal?.throwIfAborted();
      const detail = "The server did not respond. Check your connection and try again.";
      return new Problem(0, { code, detail }, { cause, idempotencyKey });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    }
  }

  async function* pages(path: string, options: AnyOptions = {}): AsyncGenerator<unknown, void, undefined> {
    let next: AnyOptions["query"] = {};
    while (next) {
      const page = await send("GET", path, { ...options, query: { ...options.query, ...next } });
      yield page.data;
      next = nextPage(page);
    }
  }

  async function* each(path: string, options?: AnyOptions): AsyncGenerator<unknown, void, undefined> {
    for await (const page of pages(path, options)) yield* (page as { data: unknown[] }).data;
  }

  const call = (method: string) => async (path: string, options?: AnyOptions) =>
    (await send(method, path, options)).data;

  return {
    get: call("GET"),
    post: call("POST"),
    put: call("PUT"),
    patch: call("PATCH"),
    delete: call("DELETE"),
    send: (method: string, path: string, options?: AnyOptions) => send(method.toUpperCase(), path, options),
    pages,
    each,
  } as unknown as Client;
}

/** Tells whether the API may have processed the request nevertheless, or may still be processing it. */
function isUnanswered({ status, code }: Problem): boolean {
  return [0, 502, 503, 504].includes(status) || code === "idempotency_in_progress";
}

async function valueFrom<T extends string | undefined>(
  source: T | (() => T | Promise<T>) | undefined,
): Promise<T | undefined> {
  return typeof source === "function" ? source() : source;
}

function defined(headers: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value)) as Record<string, string>;
}

function waitFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", abort);
    if (signal?.aborted) abort();
  });
}
