import { messages } from "./messages.ts";
import { type Document, resolved, type Schema } from "./openapi.ts";

const samples: Readonly<Record<string, string>> = {
  "date-time": "2026-01-31T12:00:00.000Z",
  date: "2026-01-31",
  email: "ada@example.com",
  uri: "https://example.com/",
};

/** Returns an example value for a schema. It satisfies types, not patterns. */
export function example(schema: Schema, document: Document): unknown {
  const { type, properties, items, enum: values, anyOf, oneOf, allOf, ...rest } = resolved(schema, document);
  if (rest.const !== undefined) return rest.const;
  if (rest.examples) return rest.examples[0];
  if (rest.default !== undefined) return rest.default;
  if (values) return values[0];
  const [first] = anyOf ?? oneOf ?? [];
  if (first) return example(first, document);
  if (allOf) return Object.assign({}, ...allOf.map((one) => example(one, document)));
  if (properties)
    return Object.fromEntries(
      Object.entries(properties).map(([name, one]) => [name, example(one, document)]),
    );
  const kind = Array.isArray(type) ? type[0] : type;
  if (kind === "array") return items ? [example(items, document)] : [];
  if (kind === "object") return {};
  if (kind === "integer" || kind === "number") return rest.minimum ?? 1;
  if (kind === "boolean") return true;
  if (kind === "null") return null;
  return samples[rest.format ?? ""] ?? "text";
}

const texts = messages.schema;

/** More values than these are counted instead of listed. */
const maxListed = 12;

/**
 * Describes the values that a schema allows, such as `string (email), at most 254 characters`. A named object is described by its
 * name, such as `list of TimeEntry`.
 */
export function kind(schema: Schema, document: Document): string {
  const target = resolved(schema, document);
  const name = schema.$ref?.split("/").at(-1);
  if (name && objects(target, document).length > 0 && target.type !== "array") return name;
  const { type, enum: values, anyOf, oneOf, allOf } = target;
  if (target.const !== undefined) return JSON.stringify(target.const);
  if (values) return listed(values);
  const several = anyOf ?? oneOf;
  if (several) return [...new Set(several.map((one) => kind(one, document)))].join(" | ");
  if (type === "array") return texts.withLimits(texts.listOf(itemsOf(target, document)), limitsOf(target));
  if (type === "object" && typeof target.additionalProperties === "object" && !target.properties)
    return texts.objectOf(kind(target.additionalProperties, document));
  if (allOf && type === undefined) return texts.object;
  if (target.contentMediaType) return texts.file;
  const types = [type ?? texts.any].flat().join(" | ");
  return texts.withLimits(target.format ? texts.withFormat(types, target.format) : types, limitsOf(target));
}

function itemsOf({ items, prefixItems }: Schema, document: Document): string {
  if (prefixItems) return `[${prefixItems.map((one) => kind(one, document)).join(", ")}]`;
  return items ? kind(items, document) : texts.any;
}

function listed(values: readonly unknown[]): string {
  const shown = values.slice(0, maxListed).map((value) => JSON.stringify(value));
  const more = values.length - shown.length;
  return [...shown, ...(more > 0 ? [texts.more(`${more}`)] : [])].join(" | ");
}

function limitsOf(schema: Schema): string[] {
  const limits = [
    bounds(texts.value, schema.minimum, schema.maximum),
    bounds(texts.characters, schema.minLength, schema.maxLength),
    bounds(texts.items, schema.minItems, schema.maxItems),
    schema.default === undefined ? "" : texts.default(JSON.stringify(schema.default)),
  ];
  return limits.filter(Boolean);
}

function bounds(
  unit: (count: string) => string,
  minimum: number | undefined,
  maximum: number | undefined,
): string {
  if (minimum !== undefined && minimum === maximum) return unit(`${minimum}`);
  if (minimum !== undefined && maximum !== undefined) return unit(texts.range(`${minimum}`, `${maximum}`));
  if (minimum !== undefined) return texts.atLeast(unit(`${minimum}`));
  return maximum === undefined ? "" : texts.atMost(unit(`${maximum}`));
}

/** Returns the object schemas whose fields to list: the schema itself, or those of its items, values or alternatives. */
export function objects(schema: Schema, document: Document): Schema[] {
  const target = resolved(schema, document);
  if (target.properties || target.allOf) return [target];
  if (target.items) return objects(target.items, document);
  if (typeof target.additionalProperties === "object") return objects(target.additionalProperties, document);
  return (target.anyOf ?? target.oneOf ?? []).flatMap((one) => objects(one, document));
}

export type Field = { name: string; schema: Schema; required: boolean; description: string | undefined };

/** Returns the fields of an object schema, including those from `allOf`. A field without a description has that of its schema. */
export function fields(schema: Schema, document: Document): Field[] {
  const { allOf = [], properties = {}, required = [] } = resolved(schema, document);
  return [
    ...allOf.flatMap((one) => fields(one, document)),
    ...Object.entries(properties).map(([name, one]) => ({
      name,
      schema: one,
      required: required.includes(name),
      description: one.description ?? resolved(one, document).description,
    })),
  ];
}
