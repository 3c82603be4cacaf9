import type { Kind } from "@svc/core/base/fault";
import { scopes } from "@svc/core/base/token-scope";
import { catalog, payload, webhookEventTypes } from "@svc/core/event/catalog";
import * as z from "zod/mini";
import type { $ZodType } from "zod/v4/core";
import type { Handler } from "../http/api.ts";
import type { Codes, Contract } from "../http/contract.ts";
import { internalError, statuses } from "../http/faults.ts";
import { type Caller, needsOf, type Route } from "../routes.ts";

/** Codes that any endpoint with a database can return. */
const databaseCodes: Codes = {
  unavailable: ["database_unavailable", "database_conflict", "commit_unknown", "timed_out"],
};

const problem = {
  type: "object",
  description: "A problem document (RFC 9457). Switch on `code`, which is stable; show `detail` to people.",
  required: ["type", "title", "status", "detail", "instance", "code", "requestId"],
  properties: {
    type: { type: "string" },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string" },
    instance: { type: "string" },
    code: { type: "string" },
    requestId: { type: "string" },
    requiredPlan: { type: "string" },
    errors: {
      type: "array",
      items: {
        type: "object",
        required: ["code", "detail"],
        properties: {
          pointer: { type: "string", description: "A JSON pointer into the body (RFC 6901)." },
          parameter: { type: "string" },
          code: { type: "string" },
          detail: { type: "string" },
        },
      },
    },
  },
};

/** Builds the OpenAPI 3.1 document of these routes from the contracts of their handlers. */
export function describe(routes: Record<string, Route>, handlers: Record<string, Handler>): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const [key, route] of Object.entries(routes)) {
    const [method = "", path] = key.split(" ");
    const contract = handlers[key]?.contract;
    if (!path || !contract) continue;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(key, route, contract) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "svc",
      version: "1.4.0",
      description:
        "Time tracking with projects, budgets, reports, currencies and webhooks, and the accounts, teams and avatars of a workspace. Avatars have URLs that are signed for each response and valid for seven days.",
    },
    paths,
    webhooks: Object.fromEntries(webhookEventTypes.map((type) => [type, { post: webhook(type) }])),
    components: {
      schemas: { Problem: problem },
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description: "The session token that signing in returns.",
        },
        cookie: {
          type: "apiKey",
          in: "cookie",
          name: "svc_token",
          description: "The session token, as the web client sends it.",
        },
        apiToken: {
          type: "http",
          scheme: "bearer",
          description: `An API token. Each scope includes the ones before it: ${scopes.join(", ")}.`,
        },
      },
    },
  };
}

function operation(key: string, route: Route, contract: Contract): object {
  const { summary, description, returns, files = [], steps } = contract;
  const [method = "", path = ""] = key.split(" ");
  const all = [contract.codes ?? {}, ...steps.map((step) => step.codes ?? {}), signInCodes(route.caller)];
  if (needsOf(route).includes("database")) all.push(databaseCodes);
  const body = steps.find((step) => step.body)?.body;
  const content = steps.find((step) => step.content)?.content;
  const success = Object.entries(returns).map(([status, schema]) => [
    status,
    response(Number(status), schema, status === "200" ? files : []),
  ]);
  return {
    operationId: `${method.toLowerCase()}${path.replace(/[^A-Za-z]+(\w?)/g, (_, next: string) => next.toUpperCase())}`,
    tags: [tag(path)],
    summary,
    ...described(description, route.caller),
    ...(steps.some((step) => step.deprecated) && { deprecated: true }),
    security: security(route.caller),
    parameters: parameters(path, steps),
    ...((body || content) && {
      requestBody: {
        required: true,
        content: content ?? { "application/json": { schema: schemaOf(body, "input") } },
      },
    }),
    responses: Object.fromEntries([...success, ...failures(all)]),
  };
}

/** The alternatives of authentication. `{}` means no authentication. */
function security(caller: Caller): Record<string, string[]>[] {
  const session = [{ bearer: [] }, { cookie: [] }];
  if (caller === "anyone") return [];
  if (caller === "optional") return [{}, ...session];
  if (caller === "session") return session;
  return [...session, { apiToken: [caller.token] }];
}

function signInCodes(caller: Caller): Codes {
  if (caller === "anyone") return {};
  return { forbidden: [typeof caller === "object" ? "insufficient_scope" : "session_required"] };
}

/** The endpoint's description, followed by the scope that an API token needs. */
function described(description: string | undefined, caller: Caller): { description?: string } {
  const tokens =
    typeof caller === "object"
      ? `API tokens need the scope \`${caller.token}\`.`
      : caller !== "anyone" && "API tokens cannot call this endpoint.";
  const paragraphs = [description, tokens].filter((paragraph) => paragraph);
  return paragraphs.length > 0 ? { description: paragraphs.join("\n\n") } : {};
}

/** Describes the request that a receiver gets and the responses that affect the delivery. */
function webhook(type: (typeof webhookEventTypes)[number]): object {
  const headers = {
    "webhook-id":
      "The id of the event, the same in all attempts. Ignore an id that you have already processed.",
    "webhook-timestamp": "The time of this attempt, in seconds since 1970-01-01 UTC.",
    "webhook-signature":
      "Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`. Several signatures, separated by spaces, while a secret is being rotated.",
  };
  return {
    operationId: `webhook${type.replace(/(?:^|[^a-z])([a-z])/g, (_, next: string) => next.toUpperCase())}`,
    tags: ["webhooks"],
    summary: type,
    description: catalog[type].description,
    parameters: Object.entries(headers).map(([name, description]) => ({
      name,
      in: "header",
      required: true,
      description,
      schema: { type: "string" },
    })),
    requestBody: {
      required: true,
      content: { "application/json": { schema: schemaOf(payload(type), "output") } },
    },
    responses: {
      "2XX": {
        description:
          "Received. After any other status, or without a response within 15 seconds, the delivery is retried.",
      },
      410: { description: "The receiver is gone. The webhook is disabled." },
    },
  };
}

function parameters(path: string, steps: Contract["steps"]): object[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const inQuery = steps.flatMap(({ query }) =>
    Object.entries(query ? (schemaOf(query, "input").properties ?? {}) : {}).map(([name, schema]) => ({
      name,
      in: "query",
      schema,
    })),
  );
  const inHeader = steps
    .flatMap(({ headers = [] }) => headers)
    .map(({ name, description }) => ({ name, in: "header", description, schema: { type: "string" } }));
  return [...inPath, ...inQuery, ...inHeader];
}

function response(status: number, schema: $ZodType | null | undefined, files: readonly string[]): object {
  const description = { 200: "OK", 201: "Created", 202: "Accepted", 204: "No content" }[status] ?? "Response";
  if (status === 204) return { description };
  return {
    description,
    content: {
      "application/json": { schema: schema ? schemaOf(schema, "output") : {} },
      ...Object.fromEntries(files.map((type) => [type, { schema: { type: "string" } }])),
    },
  };
}

function failures(all: readonly Codes[]): [string, object][] {
  const byStatus = new Map<number, Set<string>>([[500, new Set([internalError])]]);
  for (const codes of all)
    for (const [kind, list] of Object.entries(codes)) {
      const [status] = statuses[kind as Kind];
      byStatus.set(status, new Set([...(byStatus.get(status) ?? []), ...list]));
    }
  return [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, codes]) => [
      String(status),
      {
        description: [...codes].join(", "),
        content: {
          "application/problem+json": {
            schema: {
              allOf: [{ $ref: "#/components/schemas/Problem" }],
              properties: { code: { enum: [...codes] } },
            },
          },
        },
      },
    ]);
}

function schemaOf(
  schema: $ZodType | undefined,
  io: "input" | "output",
): { properties?: Record<string, object> } {
  if (!schema) return {};
  const {
    $schema,
    "~standard": standard,
    ...rest
  } = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Record<string, unknown>;
  return rest;
}

function tag(path: string): string {
  const [, first = "", second = ""] = path.split("/");
  return first === "api" ? second : first;
}
