import * as Config from "@svc/core/platform/config/config";

/** What scripts of another origin may read of an answer. */
const exposed = [
  "x-request-id",
  "location",
  "retry-after",
  "ratelimit",
  "ratelimit-policy",
  "deprecation",
  "sunset",
  "link",
  "idempotency-replayed",
].join(", ");

/** Headers for a browser of an allow-listed origin, none for another. Errors carry them too, or scripts could not read them. */
export function cors(origin: string | undefined): Record<string, string> {
  if (!origin || !Config.allowedOrigins().includes(origin)) return { vary: "Origin" };
  return {
    vary: "Origin",
    "access-control-allow-origin": origin,
    "access-control-allow-credentials": "true",
    "access-control-expose-headers": exposed,
  };
}

/** The answer to a preflight, for the methods that the path has. */
export function preflight(origin: string | undefined, methods: readonly string[]): Record<string, string> {
  const headers = cors(origin);
  if (!headers["access-control-allow-origin"]) return headers;
  return {
    ...headers,
    "access-control-allow-methods": methods.join(", "),
    "access-control-allow-headers": "authorization, content-type, idempotency-key, x-workspace-id",
    "access-control-max-age": "7200",
  };
}
