import type { Contract } from "../http/contract.ts";
import type { Components } from "./components.ts";

/** The response headers that clients can use, besides those of every response. */
const headers = {
  "Content-Disposition": {
    description: "The name of the file.",
    schema: { type: "string" },
    example: 'attachment; filename="audit-log.csv"',
  },
  Deprecation: {
    description: "The time since which the operation is deprecated (RFC 9745).",
    schema: { type: "string", pattern: "^@\\d+$" },
    example: "@1769817600",
  },
  ETag: {
    description:
      "The version of the content. For a resource with `version`, it is that in quotes, and If-Match takes it.",
    schema: { type: "string" },
  },
  "Idempotency-Replayed": {
    description:
      "Sent if the response repeats the result of an earlier request with the same Idempotency-Key.",
    schema: { type: "string", const: "true" },
  },
  Link: {
    description:
      'Related URLs (RFC 8288): `rel="next"` is the next page, `rel="successor-version"` the operation that replaces a deprecated one.',
    schema: { type: "string" },
    example: '</api/v1/time-entries>; rel="successor-version"',
  },
  Location: {
    description: "The path of the new resource.",
    required: true,
    schema: { type: "string", format: "uri-reference" },
  },
  "Preference-Applied": {
    description: "The preference that was applied (RFC 7240).",
    schema: { type: "string", const: "handling=strict" },
  },
  RateLimit: {
    description:
      "The requests that are left (`r`), and the seconds until all are available again (`t`). IETF draft.",
    schema: { type: "string" },
    example: '"login";r=9;t=60',
  },
  "RateLimit-Policy": {
    description: "The number of requests (`q`) that are possible in a number of seconds (`w`). IETF draft.",
    schema: { type: "string" },
    example: '"login";q=10;w=60',
  },
  "Retry-After": {
    description: "The seconds to wait before the request is repeated.",
    schema: { type: "integer", format: "int32", minimum: 0, maximum: 86_400 },
  },
  Sunset: {
    description: "The time at which the operation is removed, once it is known (RFC 8594).",
    schema: { type: "string" },
    example: "Sat, 31 Jan 2027 00:00:00 GMT",
  },
  "WWW-Authenticate": {
    description: "How to authenticate (RFC 9110).",
    required: true,
    schema: { type: "string", const: "Bearer" },
  },
} as const;

type HeaderName = keyof typeof headers;

export const headerNames = Object.keys(headers) as HeaderName[];

/** Returns the headers of a successful response. */
export function successHeaders(status: number, { steps, versioned, headers = [] }: Contract): HeaderName[] {
  const accepted = new Set(steps.flatMap((step) => step.headers ?? []).map(({ name }) => name));
  return [
    ...(status === 201 ? (["Location"] as const) : []),
    ...(versioned ? (["ETag"] as const) : []),
    ...(accepted.has("Prefer") ? (["Preference-Applied"] as const) : []),
    ...(accepted.has("Idempotency-Key") ? (["Idempotency-Replayed"] as const) : []),
    ...(steps.some((step) => step.rateLimited) ? (["RateLimit", "RateLimit-Policy"] as const) : []),
    ...(steps.some((step) => step.deprecated) ? (["Deprecation", "Sunset", "Link"] as const) : []),
    ...headers,
  ];
}

/** Returns the headers of error responses with a status. A counted request also has those of its limit. */
export function errorHeaders(status: number): HeaderName[] {
  if (status === 401) return ["WWW-Authenticate"];
  if (status === 429) return ["Retry-After", "RateLimit", "RateLimit-Policy"];
  return status === 409 || status === 503 ? ["Retry-After"] : [];
}

/** Returns the member `headers` of a response, or nothing without any. */
export function headersMember(names: readonly HeaderName[], named: Components): { headers?: object } {
  if (names.length === 0) return {};
  return {
    headers: Object.fromEntries(
      names.map((name) => [name, named.shared("headers", name.replaceAll("-", ""), headers[name])]),
    ),
  };
}
