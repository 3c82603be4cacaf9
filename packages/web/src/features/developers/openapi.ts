/** The parts of OpenAPI 3.1 and JSON Schema that this service's document uses. */
export type Schema = {
  type?: string | readonly string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
  additionalProperties?: boolean | Schema;
  format?: string;
  pattern?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  contentMediaType?: string;
  $ref?: string;
};

export type Parameter = {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
};

type Content = Record<string, { schema?: Schema }>;

export type Response = { description: string; content?: Content };

/** A component, or a reference to one. */
type Ref<T> = T | { $ref: string };

export type Operation = {
  operationId: string;
  tags: readonly string[];
  summary: string;
  description?: string;
  deprecated?: boolean;
  security?: readonly Record<string, unknown>[];
  parameters?: readonly Ref<Parameter>[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, Ref<Response>>;
};

export type Document = {
  info: { title: string; version: string; description: string };
  tags: readonly { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    parameters: Record<string, Parameter>;
    responses: Record<string, Response>;
  };
};

export type Endpoint = { method: string; path: string; operation: Operation };

export type Group = { name: string; description: string; endpoints: readonly Endpoint[] };

/** Groups the endpoints by tag, in the order of the document. Webhook events come last. */
export function groups({ tags, paths, webhooks = {} }: Document): Group[] {
  const endpoints = [
    ...Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        operation,
      })),
    ),
    ...Object.entries(webhooks).flatMap(([type, operations]) =>
      Object.values(operations).map((operation) => ({ method: "POST", path: type, operation })),
    ),
  ];
  return tags.map((tag) => ({
    ...tag,
    endpoints: endpoints.filter(({ operation }) => operation.tags.includes(tag.name)),
  }));
}

/** Returns the endpoints whose method, path, summary or description contains all words of the search, without empty groups. */
export function matching(all: readonly Group[], search: string): Group[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return all
    .map((group) => ({
      ...group,
      endpoints: group.endpoints.filter(({ method, path, operation: { summary, description = "" } }) => {
        const text = `${method} ${path} ${summary} ${description}`.toLowerCase();
        return words.every((word) => text.includes(word));
      }),
    }))
    .filter(({ endpoints }) => endpoints.length > 0);
}

/** Resolves a reference to a component. Returns anything else unchanged. */
export function resolved<T extends object>(value: Ref<T>, { components }: Document): T {
  if (!("$ref" in value)) return value;
  const [, section, name = ""] = /^#\/components\/(\w+)\/(\w+)$/.exec(value.$ref) ?? [];
  const component = components[section as keyof typeof components]?.[name];
  if (!component) throw new Error(`The document has no component ${value.$ref}.`);
  return component as T;
}

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

/** Describes the values that a schema allows, for example "string (email), at most 254 characters". */
export function kind(schema: Schema, document: Document): string {
  const { type, format, items, enum: values, anyOf, oneOf, ...rest } = resolved(schema, document);
  if (rest.const !== undefined) return JSON.stringify(rest.const);
  if (values) return values.map((value) => JSON.stringify(value)).join(" | ");
  const several = anyOf ?? oneOf;
  if (several) return [...new Set(several.map((one) => kind(one, document)))].join(" | ");
  if (type === "array") return `list of ${items ? kind(items, document) : "anything"}`;
  const name = Array.isArray(type) ? type.join(" | ") : (type ?? "anything");
  const limits = [
    bounds("", rest.minimum, rest.maximum),
    bounds(" characters", rest.minLength, rest.maxLength),
  ].filter(Boolean);
  return [format ? `${name} (${format})` : name, ...limits].join(", ");
}

function bounds(unit: string, minimum: number | undefined, maximum: number | undefined): string {
  const shown = (value: number | undefined) =>
    value === undefined || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? undefined : value;
  const [low, high] = [shown(minimum), shown(maximum)];
  if (low !== undefined && high !== undefined) return `${low} to ${high}${unit}`;
  if (low !== undefined) return `at least ${low}${unit}`;
  return high === undefined ? "" : `at most ${high}${unit}`;
}

/** Returns the object schemas whose fields to list: the schema itself, or those of its items or alternatives. */
export function objects(schema: Schema, document: Document): Schema[] {
  const target = resolved(schema, document);
  if (target.properties || target.allOf) return [target];
  if (target.items) return objects(target.items, document);
  return (target.anyOf ?? target.oneOf ?? []).flatMap((one) => objects(one, document));
}

/** Returns the fields of an object schema, including those from `allOf`, as name, schema and whether it is required. */
export function fields(schema: Schema, document: Document): [string, Schema, boolean][] {
  const { allOf = [], properties = {}, required = [] } = resolved(schema, document);
  return [
    ...allOf.flatMap((one) => fields(one, document)),
    ...Object.entries(properties).map(([name, one]): [string, Schema, boolean] => [
      name,
      one,
      required.includes(name),
    ]),
  ];
}
