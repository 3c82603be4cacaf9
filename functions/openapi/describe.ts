import { scopes } from "@svc/core/base/token-scope";
import { apiVersion, catalog, type WebhookEventType, webhookEventTypes } from "@svc/core/event/catalog";
import type { $ZodType } from "zod/v4/core";
import type { Handler } from "../http/api.ts";
import type { Codes, Contract } from "../http/contract.ts";
import { rejectsUnknownParameters } from "../http/known-parameters.ts";
import { type Caller, needsOf, type Route } from "../routes.ts";
import { type Components, components } from "./components.ts";
import { type Example, examples } from "./examples.ts";
import { headersMember, successHeaders } from "./headers.ts";
import { eventTag, operationOf, tagGroups, tags } from "./operations.ts";
import { parametersOf } from "./parameters.ts";
import { type Problems, problems } from "./problems.ts";
import { payloadName, schemas } from "./schemas.ts";

/** Codes that any endpoint with a database can return. */
const databaseCodes: Codes = {
  unavailable: ["database_unavailable", "database_conflict", "commit_unknown", "timed_out"],
};

/** Builds the OpenAPI 3.1 document of these routes from the contracts of their handlers. */
export function describe(routes: Record<string, Route>, handlers: Record<string, Handler>): object {
  const contracts = Object.entries(routes).flatMap(([key, route]) => {
    const contract = handlers[key]?.contract;
    return contract && key.includes(" ")
      ? [{ key, route, contract, codes: codesOf(key, route, contract) }]
      : [];
  });
  const named = components();
  const errors = problems(
    contracts.map(({ codes }) => codes),
    named,
  );
  const paths: Record<string, Record<string, object>> = {};
  for (const one of contracts) {
    const [method = "", path = ""] = one.key.split(" ");
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(one, named, errors) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "svc",
      version: apiVersion,
      summary: "The avatar and account API of a time-tracking workspace",
      description:
        "Time tracking with projects, budgets, reports, currencies and webhooks, and the accounts, teams and avatars of a workspace. Avatars have URLs that are signed for each response and valid for seven days. Errors are problem documents (RFC 9457) with a stable code. Every response has X-Request-Id, which names the request to support, and CORS headers for the web client.",
      contact: { name: "The operator of this service" },
      license: { name: "Proprietary", identifier: "LicenseRef-Proprietary" },
    },
    servers: [
      {
        url: "/",
        description: "The production, staging or local service that returns this document",
        "x-internal": false,
      },
    ],
    tags: [...tags.map(({ name, description }) => ({ name, description })), eventTag],
    "x-tagGroups": tagGroups,
    paths,
    webhooks: Object.fromEntries(webhookEventTypes.map((type) => [type, { post: webhook(type, named) }])),
    components: {
      ...named.all(errors.schemas),
      responses: errors.shared,
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description: "The session token that signing in returns: a JWT, validated as RFC8725 recommends.",
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
        webhookSignature: {
          type: "apiKey",
          in: "header",
          name: "webhook-signature",
          description:
            "Proves to a receiver that the service sent a request (Standard Webhooks): `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`. Several signatures, separated by spaces, while a secret is being rotated.",
        },
      },
    },
  };
}

type Described = { key: string; route: Route; contract: Contract; codes: readonly Codes[] };

/** Returns all codes that an endpoint can give: its own, those of its steps, and those that follow from its route. */
function codesOf(key: string, route: Route, { codes = {}, steps }: Contract): Codes[] {
  return [
    codes,
    ...steps.map((step) => step.codes ?? {}),
    signInCodes(route.caller),
    ...(needsOf(route).includes("database") ? [databaseCodes] : []),
    ...(rejectsUnknownParameters(key, steps) ? [{ invalid: ["unknown_parameter"] }] : []),
  ];
}

function operation({ key, route, contract, codes }: Described, named: Components, errors: Problems): object {
  const { summary, description, returns, files = [], versioned, steps } = contract;
  const [method, path = ""] = key.split(" ");
  const body = steps.find((step) => step.body)?.body;
  const content = steps.find((step) => step.content)?.content;
  const example = examples[key];
  const success = Object.entries(returns).map(([status, schema]) => [
    status,
    {
      ...(method === "HEAD"
        ? { description: "The headers of the response to GET" }
        : response(Number(status), schema, status === "200" ? files : [], named, example)),
      ...headersMember(successHeaders(Number(status), contract), named),
    },
  ]);
  return {
    ...operationOf(key),
    summary,
    ...described(description, route.caller),
    ...(steps.some((step) => step.deprecated) && { deprecated: true }),
    security: security(route.caller),
    parameters: parametersOf(path, contract, named, example),
    ...((body || content) && {
      requestBody: {
        required: true,
        content: content ?? {
          "application/json": json(body && named.schemaOf(body, "input"), example?.request),
        },
      },
    }),
    responses: Object.fromEntries([
      ...success,
      ...(versioned && versioned !== "never-stored" ? [notModified(named)] : []),
      ...errors.responses(codes),
    ]),
  };
}

function notModified(named: Components): [string, object] {
  return ["304", { description: "Not modified", ...headersMember(["ETag"], named) }];
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
function webhook(type: WebhookEventType, named: Components): object {
  const name = payloadName(type);
  const headers = {
    "webhook-id":
      "The id of the event, the same in all attempts. Ignore an id that you have already processed.",
    "webhook-timestamp": "The time of this attempt, in seconds since 1970-01-01 UTC.",
    traceparent:
      "W3C Trace Context: the trace of the request that caused the event, and a new span for this attempt.",
  };
  return {
    operationId: `receive${name}`,
    tags: [eventTag.name],
    summary: type,
    description: catalog[type].description,
    security: [{ webhookSignature: [] }],
    parameters: Object.entries(headers).map(([name, description]) => ({
      name,
      in: "header",
      required: true,
      description,
      schema: { type: "string" },
    })),
    requestBody: {
      required: true,
      content: {
        "application/json": json(schemas[name] && named.schemaOf(schemas[name], "output"), {
          id: "evt_example",
          type,
          timestamp: "2026-01-31T12:00:00.000Z",
          apiVersion,
          workspaceId: "wsp_example",
          data: catalog[type].example,
        }),
      },
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

function response(
  status: number,
  schema: $ZodType | null | undefined,
  files: readonly string[],
  named: Components,
  example?: Example,
): object {
  const description = { 200: "OK", 201: "Created", 202: "Accepted", 204: "No content" }[status] ?? "Response";
  if (status === 204) return { description };
  return {
    description,
    content: {
      "application/json": json(
        schema ? named.schemaOf(schema, "output") : {},
        example?.status === status ? example.response : undefined,
      ),
      ...Object.fromEntries(files.map((type) => [type, { schema: { type: "string" } }])),
    },
  };
}

/** An OpenAPI media type object, with an example if there is one. */
function json(schema: object | undefined, example: unknown): object {
  return { schema, ...(example !== undefined && { example }) };
}
