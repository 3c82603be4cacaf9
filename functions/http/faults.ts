import { Fault, type Kind } from "@svc/core/base/fault";
import type { Reply } from "./reply.ts";

/** The only table from kinds of faults to statuses, each with its reason phrase. */
export const statuses: Record<Kind, readonly [status: number, title: string]> = {
  malformed: [400, "Bad Request"],
  unauthenticated: [401, "Unauthorized"],
  forbidden: [403, "Forbidden"],
  missing: [404, "Not Found"],
  conflict: [409, "Conflict"],
  expired: [410, "Gone"],
  too_large: [413, "Content Too Large"],
  unsupported: [415, "Unsupported Media Type"],
  invalid: [422, "Unprocessable Content"],
  busy: [429, "Too Many Requests"],
  upstream: [502, "Bad Gateway"],
  unavailable: [503, "Service Unavailable"],
};

/** What can happen to any call, whatever it asks for. */
export const internalError = "internal_error";

/** RFC 9457, with `code` for programs and the request's id for our log. A thing that is no Fault tells nothing. */
export function problem(error: unknown, requestId: string, path: string): Reply {
  if (!(error instanceof Fault))
    return answer(500, "Internal Server Error", {
      detail: "Something went wrong on our side. Give us the requestId and we will find it.",
      instance: path,
      code: internalError,
      requestId,
    });
  const [status, title] = statuses[error.kind];
  const { accept, errors, extra, retryAfterSeconds } = error.details;
  const reply = answer(status, title, {
    detail: error.message,
    instance: path,
    code: error.code,
    requestId,
    ...(errors && { errors }),
    ...extra,
  });
  if (error.kind === "unauthenticated") reply.headers["www-authenticate"] = "Bearer";
  if (accept !== undefined) reply.headers.accept = accept;
  if (retryAfterSeconds !== undefined) reply.headers["retry-after"] = String(retryAfterSeconds);
  return reply;
}

/** The same document for what is no Fault of core: 404 and 405 of the URL itself. */
export function answer(status: number, title: string, members: Record<string, unknown>) {
  return {
    status,
    headers: { "content-type": "application/problem+json", "cache-control": "no-store" } as Record<
      string,
      string
    >,
    body: { type: "about:blank", title, status, ...members },
  };
}
