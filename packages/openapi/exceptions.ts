import type { Finding } from "./lint.ts";

type Operation = {
  security?: Record<string, unknown>[];
  responses: Record<string, unknown>;
};
export type Document = Record<"paths" | "webhooks", Record<string, Record<string, Operation>>>;

/** A rule that does not apply: everywhere, or where `when` says so. */
type Exception = {
  rule: string;
  reason: string;
  when?: (finding: Finding, operation: Operation | undefined) => boolean;
};

/** Operations without authentication, and those that work without. */
const isPublic = (_: Finding, { security = [] }: Partial<Operation> = {}) =>
  security.length === 0 || security.some((alternative) => Object.keys(alternative).length === 0);
const hasNoLimit = (_: Finding, operation?: Operation) => operation?.responses["429"] === undefined;
const isWebhook = ({ path }: Finding) => path[0] === "webhooks";

const ofRequests =
  "Responses have no limits that the service promises. A unit test requires limits for everything in a request.";

/** The only list of rules that the document may violate. A check fails for an exception that is no longer needed. */
export const exceptions: readonly Exception[] = [
  {
    rule: "array-items",
    reason: "The coordinates of GeoJSON are a tuple: prefixItems, and no further items.",
    when: ({ path }) => path.includes("coordinates"),
  },
  {
    rule: "contact-properties",
    reason: "Each deployment has another operator, whom the document cannot know.",
  },
  {
    rule: "license-url",
    reason: "OpenAPI 3.1 allows an identifier or a URL of the licence, not both.",
  },
  {
    rule: "oas3-operation-security-defined",
    reason:
      "Since 3.1, schemes other than OAuth can name the roles that an operation requires, here the scope.",
    when: ({ path }) => path.at(-2) === "apiToken",
  },
  {
    rule: "oas3-valid-schema-example",
    reason: "The rule takes the field `example` of an event type for a keyword.",
    when: ({ path }) => path[1] === "/api/v1/webhooks/events",
  },
  { rule: "openapi-tags-alphabetical", reason: "Tags have the order in which people read about them." },

  {
    rule: "owasp:api2:2023-read-restricted",
    reason: "These operations are public. A unit test of the routes lists them.",
    when: isPublic,
  },
  {
    rule: "owasp:api2:2023-write-restricted",
    reason:
      "Signing in, registering and links in emails need no session. A unit test of the routes lists them.",
    when: isPublic,
  },
  { rule: "owasp:api4:2023-array-limit", reason: ofRequests },
  { rule: "owasp:api4:2023-integer-limit", reason: ofRequests },
  { rule: "owasp:api4:2023-string-limit", reason: ofRequests },
  { rule: "owasp:api4:2023-string-restricted", reason: ofRequests },
  {
    rule: "owasp:api4:2023-rate-limit",
    reason:
      "Requests have the headers once they are counted: those that fail before do not, nor those without a limit in the application. Tests require the headers to be described where they are sent.",
  },
  {
    rule: "owasp:api4:2023-rate-limit-responses-429",
    reason: "These operations have no limit in the application. The gateway and AWS WAF limit them.",
    when: hasNoLimit,
  },
  {
    rule: "owasp:api8:2023-define-cors-origin",
    reason:
      "Every response has CORS headers for the origins of the service, as the description of the API says.",
  },
  {
    rule: "owasp:api8:2023-define-error-responses-401",
    reason:
      "Public operations need no authentication, and the receiver of a webhook decides what it responds.",
    when: (finding, operation) => isWebhook(finding) || isPublic(finding, operation),
  },
];

/** Returns the findings that no exception allows, and the exceptions that no finding needs. */
export function classify(
  findings: readonly Finding[],
  document: Document,
): { violations: Finding[]; unneeded: string[] } {
  const needed = new Set<Exception>();
  const violations = findings.filter((finding) => {
    const [section = "", path = "", method = ""] = finding.path;
    const operation =
      section === "paths" || section === "webhooks" ? document[section][path]?.[method] : undefined;
    const exception = exceptions.find(
      ({ rule, when }) => rule === finding.rule && (!when || when(finding, operation)),
    );
    if (exception) needed.add(exception);
    return !exception;
  });
  return { violations, unneeded: exceptions.filter((one) => !needed.has(one)).map(({ rule }) => rule) };
}
