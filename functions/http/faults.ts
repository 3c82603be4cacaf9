import { Fault, type Kind } from "@svc/core/base/fault";
import type { Reply } from "./reply.ts";

/** The HTTP status and reason phrase of each kind of fault. No other code maps kinds to statuses. */
export const statuses: Record<Kind, readonly [status: number, title: string]> = {
  malformed: [400, "Bad Request"],
  unauthenticated: [401, "Unauthorized"],
  forbidden: [403, "Forbidden"],
  missing: [404, "Not Found"],
  conflict: [409, "Conflict"],
  expired: [410, "Gone"],
  stale: [412, "Precondition Failed"],
  too_large: [413, "Content Too Large"],
  unsupported: [415, "Unsupported Media Type"],
  invalid: [422, "Unprocessable Content"],
  busy: [429, "Too Many Requests"],
  upstream: [502, "Bad Gateway"],
  unavailable: [503, "Service Unavailable"],
};

/** The code of a 500, which any request can return. */
export const internalError = "internal_error";

/** Turns an error into a problem document (RFC 9457). An error that is not a Fault becomes a 500 without details. */
export function problem(error: unknown, requestId: string, path: string): Reply {
  if (!(error instanceof Fault))
    return problemReply(500, "Internal Server Error", {
      detail: "Something went wrong on our side. Contact support and include the requestId.",
      instance: path,
      code: internalError,
      requestId,
    });
  const [status, title] = statuses[error.kind];
  const { accept, errors, extra, retryAfterSeconds } = error.details;
  const reply = problemReply(status, title, {
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

/**
 * Builds a problem document. Use it directly for 404 and 405 of the URL, for which core has no Fault. `instance` is the path as
 * the gateway gives it: decoded.
 */
export function problemReply(
  status: number,
  title: string,
  members: Record<string, unknown> & { instance: string },
): Reply & { headers: Record<string, string> } {
  return {
    status,
    headers: { "content-type": "application/problem+json" },
    body: { type: "about:blank", title, status, ...members, instance: encodedPath(members.instance) },
  };
}

/** Percent-encodes a decoded path, so that it is a URI reference (RFC 3986). Its slashes may have been encoded before. */
function encodedPath(path: string): string {
  return encodeURI(path.toWellFormed()).replace(/[?#]/g, encodeURIComponent);
}
