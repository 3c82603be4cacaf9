import { currentWorkspaceId } from "./cookies.ts";

/** A validation error of one field: `pointer` into the body (RFC 6901), or `parameter` for the query string. */
export type FieldError = { code: string; detail: string; pointer?: string; parameter?: string };

/**
 * A failed request: the API's problem document (RFC 9457), or `status` 0 with `code` `no_answer` when there was no response.
 * `message` can be shown to the user.
 */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly errors: readonly FieldError[];
  readonly requestId: string | undefined;
  /** Seconds to wait before trying again, from `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;
  /** The complete problem document, with its extension members (RFC 9457, section 3.2). */
  readonly extra: Partial<Record<string, unknown>>;

  constructor(status: number, body: Partial<Record<string, unknown>>, retryAfter?: string | null) {
    super(typeof body.detail === "string" ? body.detail : defaultMessage(status));
    this.name = "Problem";
    this.status = status;
    this.code = typeof body.code === "string" ? body.code : "unknown";
    this.errors = Array.isArray(body.errors) ? body.errors : [];
    this.extra = body;
    this.requestId = typeof body.requestId === "string" ? body.requestId : undefined;
    this.retryAfterSeconds = retryAfter && /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined;
  }
}

/** Returns the message followed by the message of each field, for places that do not show the fields. */
export function problemMessage({ message, errors }: Problem): string {
  const details = errors.map(({ detail }) => detail).filter((detail) => detail !== message);
  return [message.replace(" See `errors` for the fields to fix.", ""), ...new Set(details)].join(" ");
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

type Options = { signal?: AbortSignal };

/** Listeners that run when a response says that the session has ended. */
export const onSignedOut = new Set<() => void>();

/** Sends a GET request to this origin, with the session cookie, and returns the JSON response. Throws a `Problem`. */
export function get<T>(path: string, options?: Options): Promise<T> {
  return call("GET", path, undefined, options);
}

/** One part of a text file that the API serves in several parts. `next` is the path of the next part, if there is one. */
export type FilePart = { text: string; next: string | undefined };

/** Downloads one part of a text file, such as CSV. Reads `next` from the `Link` header (RFC 8288). Throws a `Problem`. */
export async function getFilePart(path: string, { signal }: Options = {}): Promise<FilePart> {
  let answer: Response;
  let text: string;
  try {
    answer = await fetch(path, { headers: workspaceHeader(path), ...(signal && { signal }) });
    text = await answer.text();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw noAnswer();
  }
  if (!answer.ok) throw failed(answer.status, parsed(text), answer.headers.get("retry-after"));
  const [, next] = /<([^>]+)>; rel="next"/.exec(answer.headers.get("link") ?? "") ?? [];
  return { text, next };
}

/**
 * Sends a POST request with a JSON body. Throws a `Problem`. Repeating a request that got no response reuses its
 * Idempotency-Key.
 */
export function post<T = void>(path: string, body?: unknown, options?: Options): Promise<T> {
  return call("POST", path, body, options);
}

/** Sends a PUT request with a JSON body. Throws a `Problem`. */
export function put<T = void>(path: string, body?: unknown, options?: Options): Promise<T> {
  return call("PUT", path, body, options);
}

/** Sends a PATCH request with a JSON body. Throws a `Problem`. */
export function patch<T = void>(path: string, body?: unknown, options?: Options): Promise<T> {
  return call("PATCH", path, body, options);
}

/** Sends a DELETE request. Throws a `Problem`. */
export function remove<T = void>(path: string, options?: Options): Promise<T> {
  return call("DELETE", path, undefined, options);
}

/** Appends the parameters that have a value: `query("/x", { a: 1, b: undefined })` returns `/x?a=1`. */
export function query(
  path: string,
  parameters: Record<string, string | number | boolean | undefined>,
): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== "");
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text ? `${path}?${text}` : path;
}

/**
 * Uploads a form with a file and reports the share that was sent (0 to 1). Uses XMLHttpRequest, because fetch reports no
 * upload progress. Throws a `Problem`, or the signal's reason when aborted.
 */
export function upload<T>(
  path: string,
  form: FormData,
  { onProgress, signal }: Options & { onProgress?: (share: number) => void } = {},
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const request = new XMLHttpRequest();
  request.open("POST", path);
  for (const [name, value] of Object.entries(workspaceHeader(path))) request.setRequestHeader(name, value);
  request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0);
  request.onerror = () => reject(noAnswer());
  request.onabort = () => reject(signal?.reason);
  request.onload = () => {
    const body = parsed(request.responseText);
    if (request.status >= 200 && request.status < 300) resolve(body as T);
    else reject(failed(request.status, body, request.getResponseHeader("retry-after")));
  };
  signal?.addEventListener("abort", () => request.abort());
  request.send(form);
  return promise;
}

/** Idempotency keys of POST requests that got no response, by path and body. The server may have processed them. */
const unanswered = new Map<string, string>();

async function call<T>(method: Method, path: string, body: unknown, { signal }: Options = {}): Promise<T> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const request = `${path} ${text ?? ""}`;
  const key = method === "POST" ? (unanswered.get(request) ?? crypto.randomUUID()) : undefined;
  let answer: Response;
  try {
    answer = await fetch(path, {
      method,
      headers: {
        accept: "application/json",
        ...(text !== undefined && { "content-type": "application/json" }),
        ...(key && { "idempotency-key": key }),
        ...workspaceHeader(path),
      },
      ...(text !== undefined && { body: text }),
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    if (key) unanswered.set(request, key);
    throw noAnswer();
  }
  unanswered.delete(request);
  const content = parsed(await answer.text());
  if (!answer.ok) throw failed(answer.status, content, answer.headers.get("retry-after"));
  return content as T;
}

function workspaceHeader(path: string): Record<string, string> {
  const id = path.startsWith("/api/v1/") ? currentWorkspaceId() : undefined;
  return id ? { "x-workspace-id": id } : {};
}

/** Codes of a 401 that mean that the session has ended. A 401 for a wrong password is shown by its form instead. */
const sessionEnded = new Set(["token_missing", "token_invalid", "token_expired", "session_ended"]);

function failed(status: number, body: unknown, retryAfter: string | null): Problem {
  const problem = new Problem(status, (body ?? {}) as Record<string, unknown>, retryAfter);
  if (status === 401 && sessionEnded.has(problem.code)) for (const listener of onSignedOut) listener();
  return problem;
}

function noAnswer(): Problem {
  return new Problem(0, {
    code: "no_answer",
    detail: "The server did not respond. Check your connection and try again.",
  });
}

function parsed(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The message for responses without `detail`, such as those that the gateway sends itself. */
function defaultMessage(status: number): string {
  if (status === 413) return "The request is too large.";
  if (status === 429) return "Too many requests. Wait a moment and try again.";
  return "Something went wrong. Try again in a moment.";
}
