/** The parts of OpenAPI 3.1 and JSON Schema that this service's document uses. */
export type Schema = {
  type?: string | readonly string[];
  description?: string;
  deprecated?: boolean;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  prefixItems?: readonly Schema[];
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
  additionalProperties?: boolean | Schema;
  format?: string;
  pattern?: string;
  default?: unknown;
  examples?: readonly unknown[];
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
  in: "path" | "query" | "header";
  required?: boolean;
  description?: string;
  schema?: Schema;
  example?: unknown;
};

type Content = Record<string, { schema?: Schema; example?: unknown }>;

export type Header = { description?: string; schema?: Schema };

export type Response = { description: string; content?: Content; headers?: Record<string, Ref<Header>> };

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
    headers: Record<string, Header>;
    securitySchemes: Record<string, { name?: string; description?: string }>;
  };
};

/** An operation of the API, or a request that webhooks receive. */
export type Endpoint = {
  /** In capitals. `event` for a request that webhooks receive. */
  method: string;
  /** The path, or the type of the event. */
  path: string;
  operation: Operation;
  /** The text that a search looks in, in lower case. */
  text: string;
};

export type Group = { name: string; description: string; endpoints: readonly Endpoint[] };

/** Groups the endpoints by tag, in the order of the document. Webhook events come last. */
export function groups({ tags, paths, webhooks = {} }: Document): Group[] {
  const endpoints = [
    ...Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) =>
        endpoint(method.toUpperCase(), path, operation),
      ),
    ),
    ...Object.entries(webhooks).flatMap(([type, operations]) =>
      Object.values(operations).map((operation) => endpoint("event", type, operation)),
    ),
  ];
  return tags.map((tag) => ({
    ...tag,
    endpoints: endpoints.filter(({ operation }) => operation.tags.includes(tag.name)),
  }));
}

function endpoint(method: string, path: string, operation: Operation): Endpoint {
  const { operationId, tags, summary, description = "" } = operation;
  const text = [method, path, operationId, ...tags, summary, description].join(" ").toLowerCase();
  return { method, path, operation, text };
}

/** Returns the endpoints whose text contains all words of the search, without empty groups. */
export function matching(all: readonly Group[], search: string): readonly Group[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return all;
  return all
    .map((group) => ({
      ...group,
      endpoints: group.endpoints.filter(({ text }) => words.every((word) => text.includes(word))),
    }))
    .filter(({ endpoints }) => endpoints.length > 0);
}

/** Resolves a reference to a component. Returns anything else unchanged. */
export function resolved<T extends object>(value: Ref<T>, { components }: Document): T {
  if (!("$ref" in value) || value.$ref === undefined) return value as T;
  const [, section, name = ""] = /^#\/components\/(\w+)\/(\w+)$/.exec(value.$ref) ?? [];
  const component = components[section as keyof typeof components]?.[name];
  if (!component) throw new Error(`The document has no component ${value.$ref}.`);
  return component as T;
}

/** Returns the parameters of an operation that are in these places. */
export function parametersIn(
  { parameters = [] }: Operation,
  places: readonly Parameter["in"][],
  document: Document,
): Parameter[] {
  return parameters.map((one) => resolved<Parameter>(one, document)).filter((one) => places.includes(one.in));
}

/** Tells whether the operation rejects requests without authentication. An empty alternative makes authentication optional. */
export function requiresAuthentication({ security = [] }: Operation): boolean {
  return security.length > 0 && security.every((alternative) => Object.keys(alternative).length > 0);
}
