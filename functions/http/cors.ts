import * as Config from "@svc/core/platform/config/config";

/** Response headers that scripts of another origin may read. */
const exposedHeaders = [
  "x-request-id",
  "etag",
  "location",
  "retry-after",
  "ratelimit",
  "ratelimit-policy",
  "deprecation",
  "sunset",
  "link",
  "idempotency-replayed",
  "preference-applied",
].join(", ");

/** Returns the CORS headers for an allow-listed origin. Errors need them too, or scripts could not read them. */
export function cors(origin: string | undefined): Record<string, string> {
  if (!origin || !Config.allowedOrigins().includes(origin)) return { vary: "Origin" };
  return {
    vary: "Origin",
    "access-control-allow-origin": origin,
    "access-control-allow-credentials": "true",
    "access-control-expose-headers": exposedHeaders,
  };
}

/** Returns the response headers of a preflight request for a path with these methods. */
export function preflight(origin: string | undefined, methods: readonly string[]): Record<string, string> {
  const headers = cors(origin);
  if (!headers["access-control-allow-origin"]) return headers;
  return {
    ...headers,
    "access-control-allow-methods": methods.join(", "),
    "access-control-allow-headers":
      "authorization, content-type, idempotency-key, if-match, if-none-match, prefer, traceparent, x-workspace-id",
    "access-control-max-age": "7200",
  };
}
