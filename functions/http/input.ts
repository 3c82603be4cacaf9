import type { Violation } from "@svc/core/base/fault";
import { idPattern } from "@svc/core/base/id";
import { type ErrorSource, invalid, validationFailed } from "@svc/core/base/invalid";
import { findUnstorable } from "@svc/core/base/text";
import type * as z from "zod/mini";
import type { Call, Step } from "./api.ts";
import { jsonCodes, jsonOf } from "./body.ts";
import { isStrict, preferHeader } from "./prefer.ts";
import { maxUnknown, unknownMembers } from "./unknown-members.ts";
import { fieldName, validationDetail, validationMessage } from "./validation-message.ts";

/** Parses and validates the JSON body. Adds `input`. */
export function input<T>(schema: z.ZodMiniType<T>): Step<Call, { input: T }> {
  return {
    contract: {
      body: schema,
      codes: { ...jsonCodes, invalid: ["invalid_input"] },
      headers: [preferHeader],
    },
    before: (call) => ({ input: validInput(schema, jsonOf(call), isStrict(call)) }),
  };
}

/** An object, so that its names are those of the parameters. */
export type QuerySchema<T> = z.ZodMiniObject & z.ZodMiniType<T>;

/** Validates the query parameters. Adds `query`. */
export function query<T>(schema: QuerySchema<T>): Step<Call, { query: T }> {
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

/** Returns the query parameters, not yet validated. */
export function queryOf({ queryStringParameters = {} }: Call["event"]): Record<string, unknown> {
  return queryStringParameters;
}

/**
 * Validates a body. Throws 422 `invalid_input` with a JSON pointer for each violation. `strict` makes a violation of each field
 * that the schema does not name.
 */
export function validInput<T>(schema: z.ZodMiniType<T>, body: unknown, strict: boolean): T {
  const unknown = strict ? unknownMembers(schema, body).slice(0, maxUnknown).map(unknownField) : [];
  return valid(schema, body, (path) => ({ pointer: pointer(path) }), unknown);
}

function unknownField(path: readonly PropertyKey[]): Violation {
  const detail = `Unknown field \`${String(path.at(-1))}\`.`;
  return { pointer: pointer(path), code: "unknown_field", detail };
}

/** Validates a query. Throws 422 `invalid_input` with the parameter of each violation. */
export function validQuery<T>(schema: z.ZodMiniType<T>, query: unknown): T {
  return valid(schema, query, ([name]) => ({ parameter: String(name) }));
}

function valid<T>(
  schema: z.ZodMiniType<T>,
  value: unknown,
  sourceOf: (path: PropertyKey[]) => ErrorSource,
  unknown: readonly Violation[] = [],
): T {
  const result = schema.safeParse(value, { error: validationMessage });
  const issues = result.error?.issues.map(
    (issue): Violation => ({ ...sourceOf(issue.path), code: issue.code, detail: validationDetail(issue) }),
  );
  if (!result.success || unknown.length > 0) throw validationFailed([...(issues ?? []), ...unknown]);
  const path = findUnstorable(result.data);
  if (path)
    throw invalid(
      sourceOf(path),
      "invalid_text",
      `${fieldName(path)} contains characters that are not valid text.`,
    );
  return result.data;
}

/** Formats a path as a JSON pointer (RFC 6901). */
function pointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
