import { Fault, type Violation } from "@svc/core/base/fault";
import { idPattern } from "@svc/core/base/id";
import type * as z from "zod/mini";
import en from "zod/v4/locales/en.js";
import type { Call, Step } from "./api.ts";

/** A JSON body is text that people typed, not files. */
export const maxBodyBytes = 262_144;

/** The JSON body, parsed once. Adds `input`. */
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
    before: ({ event }) => ({ input: parsed(schema, json(event), (path) => ({ pointer: pointer(path) })) }),
  };
}

/** The query. Adds `query`. */
export function query<T>(schema: z.ZodMiniType<T>): Step<Call, { query: T }> {
  return {
    contract: { query: schema, codes: { invalid: ["invalid_input"] } },
    before: ({ event }) => ({
      query: parsed(schema, event.queryStringParameters ?? {}, ([name]) => ({ parameter: String(name) })),
    }),
  };
}

/** A part of the path that is an id. What cannot be one is replaced by an id that nothing has, so that it is not found. */
export function path<Name extends string>(name: Name): Step<Call, Record<Name, string>> {
  return {
    contract: {},
    before: ({ event }) => ({ [name]: idOf(event.pathParameters?.[name]) }) as Record<Name, string>,
  };
}

/** The id that a caller named, or one that nothing has. */
export function idOf(value: string | undefined): string {
  return value !== undefined && idPattern.test(value) ? value : "none";
}

function json({ body = "", isBase64Encoded, headers }: Call["event"]): unknown {
  const text = isBase64Encoded ? Buffer.from(body, "base64").toString() : body;
  if (Buffer.byteLength(text) > maxBodyBytes)
    throw new Fault("too_large", "body_too_large", `The body may have ${maxBodyBytes} bytes at most.`);
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(headers["content-type"] ?? ""))
    throw new Fault("unsupported", "unsupported_media_type", "Send the body as application/json.", {
      accept: "application/json",
    });
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Fault("malformed", "json_malformed", "The body is not JSON.", { cause });
  }
}

function parsed<T>(schema: z.ZodMiniType<T>, value: unknown, place: (path: PropertyKey[]) => ErrorSource): T {
  const result = schema.safeParse(value, { error: english });
  if (result.success) return result.data;
  const errors = result.error.issues.map((issue): Violation => {
    // Of a name that cannot be taken the record alone knows that; why, its schema has said.
    const { message } = (issue.code === "invalid_key" && issue.issues[0]) || issue;
    return { ...place(issue.path), code: issue.code, detail: message };
  });
  throw new Fault("invalid", "invalid_input", "Validation failed. See `errors` for the fields to fix.", {
    errors,
  });
}

// zod/mini comes without words; its index of languages would bring all of them into every bundle.
const english = en().localeError;

type ErrorSource = { pointer: string } | { parameter: string };

/** RFC 6901. */
function pointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
