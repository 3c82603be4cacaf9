import * as z from "zod/mini";
import type { $ZodType, $ZodUnionDef } from "zod/v4/core";
import type { RequestOptions } from "./request.ts";

/** A position in a JSON body. */
export type Path = readonly (string | number)[];

export type Field = { path: Path; isText: boolean };

type JsonSchema = {
  type?: string;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
};

/**
 * Returns the fields that a schema describes, at every depth, and the first item of each list. If the schema is a union, only
 * those of the variants that accept `valid`, because the others are ignored.
 */
export function fieldsOf(schema: $ZodType | undefined, valid?: unknown): Field[] {
  if (!schema) return [];
  const found = new Map<string, Field>();
  for (const variant of variantsOf(schema, valid))
    collect(z.toJSONSchema(variant, { io: "input", unrepresentable: "any" }) as JsonSchema, []);
  return [...found.values()];

  function collect(node: JsonSchema, path: Path): void {
    const key = JSON.stringify(path);
    const isText = node.type === "string" || found.get(key)?.isText === true;
    if (path.length > 0) found.set(key, { path, isText });
    for (const [name, property] of Object.entries(node.properties ?? {})) collect(property, [...path, name]);
    if (node.items) collect(node.items, [...path, 0]);
    for (const variant of [...(node.anyOf ?? []), ...(node.oneOf ?? []), ...(node.allOf ?? [])])
      collect(variant, path);
  }
}

function variantsOf(schema: $ZodType, valid: unknown): readonly $ZodType[] {
  const { def } = schema._zod;
  const options = def.type === "union" ? (def as $ZodUnionDef).options : [schema];
  return options.length > 1 ? options.filter((option) => z.safeParse(option, valid).success) : options;
}

/** Returns whether a body has a value at this position. */
export function has(body: unknown, path: Path): boolean {
  let at = body;
  for (const key of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return false;
    at = (at as Record<string | number, unknown>)[key];
  }
  return true;
}

const placeholder = "a hostile value";

/** Returns the JSON of a body in which `json` replaces the value at this position. An empty path replaces the whole body. */
export function withJson(body: unknown, path: Path, json: string): string {
  return JSON.stringify(replaced(body, path)).replace(JSON.stringify(placeholder), () => json);
}

function replaced(body: unknown, [key, ...rest]: Path): unknown {
  if (key === undefined) return placeholder;
  const member = (container: Record<string | number, unknown>) => replaced(container[key], rest);
  if (typeof key === "number") {
    const list = Array.isArray(body) ? [...body] : [];
    list[key] = member(list as never);
    return list;
  }
  const object = typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
  return { ...object, [key]: member(object) };
}

const long = 100_000;
const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);

/** Text as JSON literals. Queries and paths get it decoded. */
export const hostileTexts: Record<string, string> = {
  "half a surrogate pair": '"a\\ud83d"',
  "the other half": '"\\udcf7b"',
  NUL: '"a\\u0000b"',
  "100,000 characters": `"${"x".repeat(long)}"`,
  "100,000 line breaks": `"${"\\n".repeat(long / 2)}"`,
  "100,000 digits": `"${"9".repeat(long)}"`,
  "400 digits": `"${"9".repeat(400)}"`,
  "an empty text": '""',
  blanks: '"   "',
  __proto__: '"__proto__"',
  constructor: '"constructor"',
  "a quote": '"\'; SELECT 1 --"',
  wildcards: '"%_\\\\"',
  "a wrong escape": '"%ff%"',
  "a huge number": '"1e400"',
  "a negative number": '"-1"',
  "not a number": '"NaN"',
  "a day that does not exist": '"2026-02-30"',
  "a day before all days": '"-271822-01-01"',
  "the year 275760": '"275760-09-13T00:00:00Z"',
  "the year 0": '"0000-01-01T00:00:00Z"',
  "a second that does not exist": '"2026-01-01T23:59:60Z"',
  "an emoji of several characters": '"👩‍👩‍👧‍👦"',
  "directions of text": '"\\u202egpj\\u2066"',
  "characters that grow when normalized": `"${"\\ufdfa".repeat(200)}"`,
  "a cursor with NUL": `"${Buffer.from('["\\u0000"]').toString("base64url")}"`,
  "a cursor with half a surrogate pair": `"${Buffer.from('["\\ud800",1,"\\ud800"]').toString("base64url")}"`,
  "a cursor with a huge number": `"${Buffer.from('["-started_at",1e400,"x"]').toString("base64url")}"`,
  "a cursor of nested lists": `"${Buffer.from(nested("[", "]", 300)).toString("base64url")}"`,
};

/** Values that are not text, as JSON. */
const hostileValues: Record<string, string> = {
  null: "null",
  true: "true",
  "a negative integer": "-1",
  "a fraction": "0.1",
  "more than a safe integer": "9007199254740993",
  "the largest number": "1.7976931348623157e308",
  "a number beyond the largest": "1e400",
  "a number of 100,000 digits": "9".repeat(long),
  "a number close to zero": "1e-400",
  "an empty list": "[]",
  "a list of lists": "[[[]]]",
  "a list of 50,000 values": `[${"1,".repeat(long / 2)}1]`,
  "lists nested 100,000 deep": nested("[", "]", long),
  "objects nested 30,000 deep": `${'{"a":'.repeat(30_000)}1${"}".repeat(30_000)}`,
  "an empty object": "{}",
  "an object with __proto__": '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{}}}',
  "an object with a hostile key": '{"\\ud800\\u0000":"\\ud800"}',
  "an object like a date": '{"toString":1,"valueOf":1,"toJSON":1}',
};

const text = (json: string): string => JSON.parse(json);

/** A request with one hostile value, and where the value is. */
export type HostileRequest = { name: string; options: RequestOptions };

/** Returns requests that differ from a valid one in one value: in the body, query, path or a header. */
export function hostileRequests(
  valid: RequestOptions,
  bodyFields: readonly Field[],
  parameters: readonly string[],
): HostileRequest[] {
  const values = Object.entries({ ...hostileTexts, ...hostileValues });
  const found: HostileRequest[] = [];
  if (!valid.form)
    for (const path of [[], ...bodyFields.map(({ path }) => path), ["__proto__"], ["unknown"]])
      for (const [what, json] of values)
        found.push({
          name: `${what} at /${path.join("/")}`,
          options: jsonBody(valid, withJson(valid.body ?? {}, path, json)),
        });
  for (const [what, json] of Object.entries(hostileTexts)) {
    for (const name of [...parameters, "__proto__", "constructor"])
      found.push({
        name: `${what} in the query parameter ${name}`,
        options: { ...valid, query: { ...valid.query, ...own(name, text(json)) } },
      });
    for (const name of Object.keys(valid.path ?? {}))
      found.push({
        name: `${what} in the path parameter ${name}`,
        // A URL cannot contain half of a surrogate pair.
        options: { ...valid, path: { ...valid.path, [name]: text(json).toWellFormed() } },
      });
  }
  for (const name of [
    "x-workspace-id",
    "idempotency-key",
    "user-agent",
    "content-type",
    "cookie",
    "authorization",
  ])
    for (const value of [
      "",
      " ",
      "\xff\xfe",
      "%00",
      "x".repeat(8000),
      "__proto__",
      `Bearer ${"e.".repeat(3000)}`,
    ])
      found.push({
        name: `${value.slice(0, 10)} in the header ${name}`,
        options:
          name === "cookie"
            ? { ...valid, cookies: [`svc_current_workspace=${value}`, `svc_token=${value}`, value] }
            : { ...valid, headers: { ...valid.headers, [name]: value } },
      });
  for (const body of ["", "{", "{}", '"', "\ud800", "\0", nested("[", "]", long), '{"a":1}{"a":2}'])
    found.push({ name: `the body ${JSON.stringify(body.slice(0, 10))}`, options: jsonBody(valid, body) });
  return found;
}

/** Returns an object with one property, also if it is named `__proto__`. */
function own(name: string, value: string): Record<string, string> {
  return Object.fromEntries([[name, value]]);
}

function jsonBody({ form, ...valid }: RequestOptions, body: string): RequestOptions {
  return { ...valid, body };
}
