import { Fault, type Violation } from "@svc/core/base/fault";
import { idPattern } from "@svc/core/base/id";
import { type ErrorSource, validationFailed } from "@svc/core/base/invalid";
import type * as z from "zod/mini";
import type { Call, Step } from "./api.ts";
import { validationDetail, validationMessage } from "./validation-message.ts";

/** The largest JSON body, in bytes. Bodies carry text that people type, not files. */
export const maxBodyBytes = 262_144;

/** Parses and validates the JSON body. Adds `input`. */
export function input<T>(schema: z.ZodMiniType<T>): Step<Call, { input: T }> {
  return {
    contract: {
      body: schema,
      codes: {
        malformed: ["json_malformed"],
        too_large: ["body_too_large"],
        unsupported: ["unsupported_media_type"],
        invalid: ["invalid_input"],
      },
    },
    before: ({ event }) => ({ input: validInput(schema, jsonOf(event)) }),
  };
}

/** Validates the query parameters. Adds `query`. */
export function query<T>(schema: z.ZodMiniType<T>): Step<Call, { query: T }> {
  return {
    contract: { query: schema, codes: { invalid: ["invalid_input"] } },
    before: ({ event }) => ({ query: validQuery(schema, queryOf(event)) }),
  };
}

/** Reads an id from the path and adds it under its name. A malformed id becomes "none", which no resource has. */
export function path<Name extends string>(name: Name): Step<Call, Record<Name, string>> {
  return {
    contract: {},
    before: ({ event }) => ({ [name]: idOf(event.pathParameters?.[name]) }) as Record<Name, string>,
  };
}

/** Returns the id that the caller sent, or "none", which no resource has, if it is missing or malformed. */
export function idOf(value: string | undefined): string {
  return value !== undefined && idPattern.test(value) ? value : "none";
}

/** Returns the parsed JSON body, not yet validated. */
export function jsonOf({ body = "", isBase64Encoded, headers }: Call["event"]): unknown {
  const text = isBase64Encoded ? Buffer.from(body, "base64").toString() : body;
  if (Buffer.byteLength(text) > maxBodyBytes)
    throw new Fault("too_large", "body_too_large", `The body must have at most ${maxBodyBytes} bytes.`);
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(headers["content-type"] ?? ""))
    throw new Fault("unsupported", "unsupported_media_type", "Send the body as application/json.", {
      accept: "application/json",
    });
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Fault("malformed", "json_malformed", "The body is not valid JSON.", { cause });
  }
}

/** Returns the query parameters, not yet validated. */
export function queryOf({ queryStringParameters = {} }: Call["event"]): Record<string, unknown> {
  return queryStringParameters;
}

/** Validates a body. Throws 422 `invalid_input` with a JSON pointer for each violation. */
export function validInput<T>(schema: z.ZodMiniType<T>, body: unknown): T {
  return valid(schema, body, (path) => ({ pointer: pointer(path) }));
}

/** Validates a query. Throws 422 `invalid_input` with the parameter of each violation. */
export function validQuery<T>(schema: z.ZodMiniType<T>, query: unknown): T {
  return valid(schema, query, ([name]) => ({ parameter: String(name) }));
}

function valid<T>(
  schema: z.ZodMiniType<T>,
  value: unknown,
  sourceOf: (path: PropertyKey[]) => ErrorSource,
): T {
  const result = schema.safeParse(value, { error: validationMessage });
  if (result.success) return result.data;
  throw validationFailed(
    result.error.issues.map(
      (issue): Violation => ({ ...sourceOf(issue.path), code: issue.code, detail: validationDetail(issue) }),
    ),
  );
}

/** Formats a path as a JSON pointer (RFC 6901). */
function pointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
