import { isDeepStrictEqual } from "node:util";
import * as z from "zod/mini";
import type { $ZodType } from "zod/v4/core";
import { describeFields } from "./fields.ts";
import { schemas } from "./schemas.ts";

type JsonSchema = Record<string, unknown>;

/** Collects what has a name in the document. Converts zod schemas to JSON Schema. */
export type Components = {
  /** Returns a schema for its place in the document: a reference if it has a name. */
  schemaOf: (schema: $ZodType, io: "input" | "output") => JsonSchema;
  /** Makes a parameter or a header a component, and returns a reference to it. Throws for another one of the same name. */
  shared: (section: "parameters" | "headers", name: string, value: object) => { $ref: string };
  /** Returns the components so far and more schemas, by name in alphabetical order. Throws for a schema of schemas.ts that nothing uses. */
  all: (more: Record<string, object>) => Record<"schemas" | "parameters" | "headers", object>;
};

// zod refers to a schema with an id instead of repeating it.
for (const [id, schema] of Object.entries(schemas))
  z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), id });

/** Starts a collection. */
export function components(): Components {
  const found: Record<string, JsonSchema> = {};
  const others: Record<"parameters" | "headers", Record<string, object>> = { parameters: {}, headers: {} };

  return {
    schemaOf(schema, io) {
      const {
        $schema,
        "~standard": standard,
        $defs = {},
        ...rest
      } = z.toJSONSchema(schema, { io, unrepresentable: "any", override }) as {
        $defs?: JsonSchema;
      } & JsonSchema;
      for (const [name, definition] of Object.entries(withComponentRefs($defs))) {
        // A schema that transforms its input, or has a default, differs between requests and responses.
        if (found[name] && !isDeepStrictEqual(found[name], definition))
          throw new Error(`The schema ${name} differs between requests and responses. Give each its name.`);
        found[name] = definition as JsonSchema;
      }
      return withComponentRefs(rest);
    },
    shared(section, name, value) {
      const known = others[section];
      if (known[name] && !isDeepStrictEqual(known[name], value))
        throw new Error(`There are two ${section} of the name ${name}.`);
      known[name] = value;
      return { $ref: `#/components/${section}/${name}` };
    },
    all(more) {
      const unused = Object.keys(schemas).filter((name) => !found[name]);
      if (unused.length > 0)
        throw new Error(`No operation uses these schemas of openapi/schemas.ts: ${unused.join(", ")}`);
      const all = structuredClone({ ...found, ...more });
      describeFields(all);
      return {
        schemas: sorted(all),
        parameters: sorted(others.parameters),
        headers: sorted(others.headers),
      };
    },
  };
}

/** The regular expressions that zod adds to these formats. */
const implied = new Set(
  [z.iso.date(), z.iso.datetime(), z.iso.datetime({ offset: true }), z.email()].map(
    (schema) => z.toJSONSchema(schema).pattern,
  ),
);

/** Leaves out what readers need not see: the regular expressions of formats, and the bounds of JavaScript's integers. */
function override({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  const [pattern, ...more] = [jsonSchema, ...((jsonSchema.allOf ?? []) as JsonSchema[])]
    .map((part) => part.pattern as string | undefined)
    .filter((one) => one !== undefined && !implied.has(one));
  if (more.length === 0) {
    if (jsonSchema.type === "string") delete jsonSchema.allOf;
    delete jsonSchema.pattern;
    if (pattern !== undefined) jsonSchema.pattern = pattern;
  }
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.type === "integer") jsonSchema.format = isSmall(jsonSchema) ? "int32" : "int64";
}

function isSmall({ minimum, maximum }: { minimum?: number; maximum?: number }): boolean {
  return Number(minimum) >= -(2 ** 31) && Number(maximum) < 2 ** 31;
}

function sorted<T>(byName: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(byName).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Rewrites references to the definitions of one schema into references to the components of the document. */
function withComponentRefs(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
}
