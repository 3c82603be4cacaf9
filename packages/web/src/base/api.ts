import { currentWorkspaceId } from "./cookies.ts";

/** One wrong value, as the server names it: `pointer` into the body (RFC 6901) or the `parameter` of the query. */
export type Violation = { code: string; detail: string; pointer?: string; parameter?: string };

/** An answer that is no success, RFC 9457, or no answer at all (`status` 0, `code` `no_answer`). `message` is for people. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly errors: readonly Violation[];
  readonly requestId: string | undefined;
  /** Whole seconds until another try makes sense. */
  readonly retryAfterSeconds: number | undefined;
  /** The whole problem document, for its further members (RFC 9457, section 3.2). */
  readonly extra: Partial<Record<string, unknown>>;

  constructor(status: number, body: Partial<Record<string, unknown>>, retryAfter?: string | null) {
    super(typeof body.detail === "string" ? body.detail : wordsFor(status));
    this.name = "Problem";
    this.status = status;
    this.code = typeof body.code === "string" ? body.code : "unknown";
    this.errors = Array.isArray(body.errors) ? body.errors : [];
    this.extra = body;
    this.requestId = typeof body.requestId === "string" ? body.requestId : undefined;
    this.retryAfterSeconds = retryAfter && /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined;
  }
}

/** What went wrong, with what is wrong about each value, where no field stands by to say so. */
export function problemMessage({ message, errors }: Problem): string {
  const details = errors.map(({ detail }) => detail).filter((detail) => detail !== message);
  return [message.replace(" See errors.", ""), ...new Set(details)].join(" ");
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

type Options = { signal?: AbortSignal };

/** Called when the server says that nobody is signed in any more. The app shows the sign-in page then. */
export const onSignedOut = new Set<() => void>();

/** GET a JSON answer. Throws a Problem. Every path is of our own origin; the cookie goes with it. */
export function get<T>(path: string, options?: Options): Promise<T> {
  return call("GET", path, undefined, options);
}

/** A part of a file that is written as it is fetched, and the path of the next one; the last has none. */
export type FilePart = { text: string; next: string | undefined };

/** GET a part of a file in text, such as CSV; `Link` (RFC 8288) says where it goes on. Throws a Problem. */
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

/** POST a JSON body. Sent again after it got no answer, it carries the same Idempotency-Key. Throws a Problem. */
export function post<T = void>(path: string, body?: unknown, options?: Options): Promise<T> {
  return call("POST", path, body, options);
}

/** PUT a JSON body. Throws a Problem. */
export function put<T = void>(path: string, body?: unknown, options?: Options): Promise<T> {
  return call("PUT", path, body, options);
}

/** PATCH with a JSON body. Throws a Problem. */
export function patch<T = void>(path: string, body?: unknown, options?: Options): Promise<T> {
  return call("PATCH", path, body, options);
}

/** DELETE. Throws a Problem. */
export function remove<T = void>(path: string, options?: Options): Promise<T> {
  return call("DELETE", path, undefined, options);
}

/** `query("/x", { a: 1, b: undefined })` is `/x?a=1`. */
export function query(
  path: string,
  parameters: Record<string, string | number | boolean | undefined>,
): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== "");
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text ? `${path}?${text}` : path;
}

/**
 * POST a form with a file, telling how much of it went out (0 to 1). fetch cannot tell, so this is an XMLHttpRequest.
 * Throws a Problem, and the signal's reason when it is aborted.
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

/** POSTs that got no answer, by what they asked, with the key they carried: the server may have done the work. */
const unanswered = new Map<string, string>();

async function call<T>(method: Method, path: string, body: unknown, { signal }: Options = {}): Promise<T> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const asked = `${path} ${text ?? ""}`;
  const key = method === "POST" ? (unanswered.get(asked) ?? crypto.randomUUID()) : undefined;
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
    if (key) unanswered.set(asked, key);
    throw noAnswer();
  }
  unanswered.delete(asked);
  const content = parsed(await answer.text());
  if (!answer.ok) throw failed(answer.status, content, answer.headers.get("retry-after"));
  return content as T;
}

function workspaceHeader(path: string): Record<string, string> {
  const id = path.startsWith("/api/v1/") ? currentWorkspaceId() : undefined;
  return id ? { "x-workspace-id": id } : {};
}

/** 401 for a wrong password is the form's to show; 401 for the token means that the session is over. */
const sessionOver = new Set(["token_missing", "token_invalid", "token_expired", "session_ended"]);

function failed(status: number, body: unknown, retryAfter: string | null): Problem {
  const problem = new Problem(status, (body ?? {}) as Record<string, unknown>, retryAfter);
  if (status === 401 && sessionOver.has(problem.code)) for (const listener of onSignedOut) listener();
  return problem;
}

function noAnswer(): Problem {
  return new Problem(0, {
    code: "no_answer",
    detail: "The server did not answer. Check your connection and try again.",
  });
}

function parsed(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The gateway's own answers carry no words for people. */
function wordsFor(status: number): string {
  if (status === 413) return "This is too large to be sent.";
  if (status === 429) return "Too many requests. Wait a moment and try again.";
  return "Something went wrong on our side. Try again in a moment.";
}
