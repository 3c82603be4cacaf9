import { expect, it } from "vitest";
import { current } from "./current.ts";

type Schema = {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: boolean | Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
} & Record<string, unknown>;
type Content = Record<string, { schema?: Schema }>;
type Parameter = { $ref?: string; name: string; in: string; schema: Schema };
type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: object[];
  parameters: Parameter[];
  requestBody?: { content: Content };
};

const document = (await current()) as {
  tags: { name: string }[];
  "x-tagGroups": { tags: string[] }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
};
const operations = [document.paths, document.webhooks].flatMap((paths) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ key: `${method} ${path}`, ...operation })),
  ),
);

it("gives every operation a unique id in camel case", () => {
  const ids = operations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[a-z]+(?:[A-Z][a-z]*)+$|^[a-z]+$/);
});

it("gives every operation one tag, and shows every tag in one group", () => {
  const names = document.tags.map(({ name }) => name);
  expect(new Set(operations.flatMap(({ tags }) => tags))).toEqual(new Set(names));
  for (const { key, tags } of operations) expect([key, tags.length]).toEqual([key, 1]);
  expect(document["x-tagGroups"].flatMap(({ tags }) => tags)).toEqual(names);
});

it("refers to every JSON request body by a name", () => {
  const unnamed = operations.filter(({ requestBody }) => {
    const schema = requestBody?.content["application/json"]?.schema;
    return schema && !schema.$ref;
  });
  expect(unnamed.map(({ key }) => key)).toEqual([]);
});

it("describes every operation, and says how to authenticate", () => {
  for (const { key, summary, description, security } of operations)
    expect([key, summary?.length > 3, description?.length > 10, Array.isArray(security)]).toEqual([
      key,
      true,
      true,
      true,
    ]);
});

/** Returns the fields of a schema, and of the schemas inside it, that have no description. */
function undescribed(schema: Schema, place: string): string[] {
  const { properties = {}, items, additionalProperties, anyOf = [], oneOf = [] } = schema;
  const inside = [items, additionalProperties, ...anyOf, ...oneOf];
  return [
    ...Object.entries(properties).flatMap(([name, field]) => [
      ...(field.description ? [] : [`${place}.${name}`]),
      ...undescribed(field, `${place}.${name}`),
    ]),
    ...inside.flatMap((one) => (typeof one === "object" ? undescribed(one, place) : [])),
  ];
}

it("describes every field of every named schema", () => {
  const found = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
    undescribed(schema, name),
  );
  expect(found).toEqual([]);
});

/** Returns the places in a schema that allow text, lists or numbers of any size. */
function unbounded(schema: Schema, place: string, above: readonly string[] = []): string[] {
  const { $ref } = schema;
  if ($ref !== undefined) {
    if (above.includes($ref)) return [];
    const target = document.components.schemas[$ref.replace("#/components/schemas/", "")];
    return target ? unbounded(target, place, [...above, $ref]) : [`${place}: no ${$ref}`];
  }
  const has = (...keywords: string[]) => keywords.some((keyword) => keyword in schema);
  // Beside alternatives, the type says what they have in common.
  const types = has("anyOf", "oneOf") ? [] : [schema.type ?? []].flat();
  // A pattern with an end and without * and + is a bound.
  const pattern = /\$$/.test(String(schema.pattern)) && !/[*+]\)?\$$/.test(String(schema.pattern));
  const isShort = ["date", "date-time", "ipv4", "ipv6"].includes(String(schema.format));
  return [
    ...(types.includes("string") && !pattern && !isShort && !has("maxLength", "enum", "const")
      ? [place]
      : []),
    ...(types.includes("array") && !has("maxItems") ? [`${place}[]`] : []),
    ...((types.includes("integer") || types.includes("number")) && !(has("minimum") && has("maximum"))
      ? [place]
      : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) =>
      unbounded(one, `${place}.${name}`, above),
    ),
    ...(schema.items ? unbounded(schema.items, `${place}[]`, above) : []),
    ...(typeof schema.additionalProperties === "object"
      ? unbounded(schema.additionalProperties, `${place}.*`, above)
      : []),
    ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((one) => unbounded(one, place, above)),
  ];
}

it("bounds everything that a request can contain, but the headers", () => {
  const found = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ operationId, parameters, requestBody }) => [
      ...parameters
        .map((one) => document.components.parameters[one.$ref?.split("/").at(-1) ?? ""] ?? one)
        .filter((one) => one.in !== "header")
        .flatMap(({ name, schema }) => unbounded(schema, `${operationId} ${name}`)),
      ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
        schema ? unbounded(schema, operationId) : [],
      ),
    ]);
  expect(found).toEqual([]);
});
