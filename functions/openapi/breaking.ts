/**
 * Finds what an OpenAPI document no longer promises to those who use the API as an earlier one describes it. Read by the
 * test that asks for a line in the changelog for each (`breaking.test.ts`).
 */

type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  prefixItems?: Schema[];
  propertyNames?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
} & Record<string, unknown>;

type Content = Record<string, { schema?: Schema }>;
type Parameter = { $ref?: string; name: string; in: string; required?: boolean; schema?: Schema };
type Response = { $ref?: string; content?: Content; headers?: Record<string, unknown> };
type Operation = {
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, Response>;
  security?: Record<string, string[]>[];
};
export type Document = {
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, { post: Operation }>;
  components?: Record<string, Record<string, unknown>>;
};

/** A promise that is no longer kept: the operation or event, the field or parameter (if it is about one), and what happened. */
export type Breach = { operation: string; name?: string; what: string };

/**
 * Whether a line of the changelog announces a breach: in backticks, it names the operation and the last part of the field's
 * path. A line about "all operations" needs no operation, but announces only values that are no longer accepted.
 */
export function announces(line: string, { operation, name, what }: Breach): boolean {
  const named = new Set([...line.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text));
  const field = name
    ?.split("/")
    .filter((part) => !["[]", "*"].includes(part))
    .at(-1);
  const everywhere = /\ball operations\b/.test(line) && what.startsWith(narrower);
  return (everywhere || named.has(operation)) && (field === undefined || named.has(field));
}

const narrower = "accepts less: ";

/** Lower bounds of what a schema accepts, and upper bounds. */
const lower = ["minimum", "exclusiveMinimum", "minLength", "minItems"];
const upper = ["maximum", "exclusiveMaximum", "maxLength", "maxItems"];

/** Schemas that refer to themselves are compared to this depth. */
const maxDepth = 24;

/**
 * Returns what a client that was written for `before` can no longer rely on in `after`: operations, parameters, fields,
 * media types, successful statuses and error codes that are gone; request values that are no longer accepted; new required
 * parameters and fields; response fields that may be missing or have new types; fewer ways to sign in. New operations,
 * optional parameters, fields, error codes and new values of response enums break nothing.
 */
export function breaches(before: Document, after: Document): Breach[] {
  const found: Breach[] = [];
  const operations = (document: Document) =>
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
      ),
    );
  const now = new Map(operations(after));
  for (const [key, operation] of operations(before)) {
    const current = now.get(key);
    if (!current) found.push({ operation: key, what: "the operation is gone" });
    else found.push(...compareOperation(key, operation, current, before, after));
  }
  for (const [event, { post }] of Object.entries(before.webhooks ?? {})) {
    const current = after.webhooks?.[event]?.post;
    if (!current) found.push({ operation: event, what: "the event is gone" });
    // The receiver reads what the service sends, as it reads a response.
    else
      for (const [type, content] of Object.entries(post.requestBody?.content ?? {}))
        comparing(event, before, after, found).sent(
          content.schema,
          current.requestBody?.content[type]?.schema,
          "payload",
        );
  }
  return found;
}

function compareOperation(
  operation: string,
  old: Operation,
  current: Operation,
  before: Document,
  after: Document,
): Breach[] {
  const found: Breach[] = [];
  const { accepted, sent } = comparing(operation, before, after, found);
  const resolve = <T>(document: Document, item: T & { $ref?: string }) => dereference(document, item) as T;

  const parameters = (current.parameters ?? []).map((parameter) => resolve(after, parameter));
  for (const parameter of (old.parameters ?? []).map((item) => resolve(before, item))) {
    const { name, in: place, schema } = parameter;
    const same = parameters.find((one) => one.name === name && one.in === place);
    if (!same) found.push({ operation, name, what: `the ${place} parameter is gone` });
    else accepted(asParsed(after, schema, same.schema), same.schema, name);
  }
  for (const { name, in: place, required } of parameters) {
    const known = (old.parameters ?? [])
      .map((item) => resolve(before, item))
      .find((one) => one.name === name && one.in === place);
    if (required && !known?.required)
      found.push({ operation, name, what: `the ${place} parameter is required now` });
  }

  if (current.requestBody?.required && !old.requestBody?.required)
    found.push({ operation, what: "a body is required now" });
  for (const [type, content] of Object.entries(old.requestBody?.content ?? {})) {
    const same = current.requestBody?.content[type];
    if (!same) found.push({ operation, what: `a body of ${type} is no longer accepted` });
    else accepted(content.schema, same.schema, "");
  }

  for (const [status, promised] of Object.entries(old.responses)) {
    const response = resolve(before, promised);
    const success = status.startsWith("2");
    const same = current.responses[status] && resolve(after, current.responses[status]);
    if (!same) {
      if (success) found.push({ operation, name: status, what: "the successful status is gone" });
      else
        for (const code of codesOf(before, response))
          found.push({ operation, name: code, what: "the error code is gone" });
      continue;
    }
    if (!success) {
      const codes = codesOf(after, same);
      for (const code of codesOf(before, response))
        if (!codes.has(code))
          found.push({ operation, name: code, what: `the error code is gone from ${status}` });
      continue;
    }
    for (const [type, content] of Object.entries(response.content ?? {})) {
      const answer = same.content?.[type];
      if (!answer) found.push({ operation, what: `${status} no longer has ${type}` });
      else sent(content.schema, answer.schema, "");
    }
  }

  const ways = (list: Record<string, string[]>[] = []) =>
    list.map((way) => JSON.stringify(Object.entries(way).sort()));
  const remaining = new Set(ways(current.security));
  if (old.security?.length === 0 ? remaining.size > 0 && !remaining.has("[]") : false)
    found.push({ operation, what: "it needs authentication now" });
  else if (remaining.size > 0)
    for (const way of ways(old.security))
      if (!remaining.has(way)) found.push({ operation, what: `${way} no longer authenticates` });
  return found;
}

/**
 * The earlier schema of a parameter. Parameters are text on the wire, so one that was described as text and is described as a
 * number, a boolean or a list now takes the same.
 */
function asParsed(document: Document, schema: Schema = {}, current: Schema = {}): Schema {
  const { type } = merged(document, current);
  const parsed = type === "integer" || type === "number" || type === "boolean" || type === "array";
  return schema.type === "string" && parsed ? { type } : schema;
}

/** The error codes that a response can have. */
function codesOf(document: Document, response: Response): Set<string> {
  const codes = new Set<string>();
  for (const { schema } of Object.values(response.content ?? {})) {
    const { properties } = merged(document, schema ?? {});
    const code = merged(document, properties?.code ?? {});
    for (const value of code.enum ?? (code.const === undefined ? [] : [code.const])) codes.add(String(value));
  }
  return codes;
}

function comparing(operation: string, before: Document, after: Document, found: Breach[]) {
  const report = (path: string, what: string) =>
    found.push(path ? { operation, name: path, what } : { operation, what });

  /** Compares what clients send: everything that `old` accepts must still be accepted. */
  function accepted(old: Schema | undefined, current: Schema | undefined, path: string, depth = 0) {
    if (!current || depth > maxDepth) return;
    const was = merged(before, old ?? {});
    const is = merged(after, current);
    const alternatives = alternativesOf(is);
    const former = alternativesOf(was);
    if (former || alternatives) {
      const choices = alternatives ?? [is];
      for (const one of former ?? [was]) closest(choices, (choice) => accepted(one, choice, path, depth + 1));
      return;
    }
    const types = typesOf(is);
    if (types && !isSubset(typesOf(was), types))
      report(path, `${narrower}only of type ${[...types].join(", ")}`);
    const values = valuesOf(is);
    if (values) {
      const gone = valuesOf(was)?.filter((value) => !includes(values, value));
      if (!gone) report(path, `${narrower}only listed values`);
      else if (gone.length > 0)
        report(path, `${narrower}not ${gone.map((value) => JSON.stringify(value)).join(", ")}`);
    }
    for (const bound of lower)
      if (Number(is[bound]) > Number(was[bound] ?? -Infinity))
        report(path, `${narrower}${bound} ${is[bound]}`);
    for (const bound of upper)
      if (Number(is[bound]) < Number(was[bound] ?? Infinity))
        report(path, `${narrower}${bound} ${is[bound]}`);
    if (is.pattern !== undefined && is.pattern !== was.pattern) report(path, `${narrower}only ${is.pattern}`);
    for (const [name, property] of Object.entries(was.properties ?? {})) {
      const same = is.properties?.[name];
      if (same) accepted(property, same, join(path, name), depth + 1);
      else if (is.properties || is.additionalProperties === false)
        report(join(path, name), "the field is gone");
    }
    for (const name of is.required ?? [])
      if (!was.required?.includes(name)) report(join(path, name), "the field is required now");
    if (was.items && is.items) accepted(was.items, is.items, join(path, "[]"), depth + 1);
    if (typeof was.additionalProperties === "object" && typeof is.additionalProperties === "object")
      accepted(was.additionalProperties, is.additionalProperties, join(path, "*"), depth + 1);
  }

  /** Compares what the service sends: everything that `old` promises must still be true. */
  function sent(old: Schema | undefined, current: Schema | undefined, path: string, depth = 0) {
    if (!old || depth > maxDepth) return;
    const was = merged(before, old);
    const is = merged(after, current ?? {});
    const former = alternativesOf(was);
    const alternatives = alternativesOf(is);
    if (former || alternatives) {
      const promised = former ?? [was];
      for (const one of alternatives ?? [is])
        closest(promised, (choice) => sent(choice, one, path, depth + 1));
      return;
    }
    const types = typesOf(was);
    if (types && !isSubset(typesOf(is), types))
      report(path, `can be of another type: ${[...(typesOf(is) ?? ["any"])].join(", ")}`);
    // New values are announced as additions. A value that is gone has no handler to break, but is no longer what was documented.
    const values = valuesOf(is);
    const gone = values && valuesOf(was)?.filter((value) => !includes(values, value));
    if (gone && gone.length > 0)
      report(path, `is never ${gone.map((value) => JSON.stringify(value)).join(", ")} now`);
    for (const [name, property] of Object.entries(was.properties ?? {})) {
      const same = is.properties?.[name];
      if (!same) {
        report(join(path, name), "the field is gone");
        continue;
      }
      if (was.required?.includes(name) && !is.required?.includes(name))
        report(join(path, name), "the field may be missing now");
      sent(property, same, join(path, name), depth + 1);
    }
    if (was.items) sent(was.items, is.items, join(path, "[]"), depth + 1);
    if (typeof was.additionalProperties === "object" && typeof is.additionalProperties === "object")
      sent(was.additionalProperties, is.additionalProperties, join(path, "*"), depth + 1);
  }

  /** Compares with each of the alternatives, and keeps what the closest one reported: of the same type, with the fewest breaches. */
  function closest(alternatives: Schema[], compare: (alternative: Schema) => void) {
    const length = found.length;
    const reports = alternatives.map((alternative) => {
      compare(alternative);
      return found.splice(length);
    });
    const distance = (report: Breach[]) => report.length + (report.some(isOtherType) ? otherType : 0);
    found.push(...(reports.toSorted((a, b) => distance(a) - distance(b))[0] ?? []));
  }

  return { accepted, sent };
}

/** The distance of an alternative of another type: more than any number of other breaches. */
const otherType = 1e6;
const isOtherType = ({ what }: Breach) =>
  what.startsWith(`${narrower}only of type `) || what.startsWith("can be of another type");

const join = (path: string, name: string) => (path ? `${path}/${name}` : name);

const includes = (values: unknown[], value: unknown) =>
  values.some((one) => JSON.stringify(one) === JSON.stringify(value));

const valuesOf = (schema: Schema): unknown[] | undefined =>
  schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);

/** The alternatives of a schema. A list of types is the same as one alternative for each. */
function alternativesOf({ anyOf, oneOf, ...schema }: Schema): Schema[] | undefined {
  const { type } = schema;
  if (anyOf ?? oneOf) return anyOf ?? oneOf;
  if (!Array.isArray(type) || type.length < 2) return undefined;
  return type.map((one) => (one === "null" ? { type: one } : { ...schema, type: one }));
}

/** The types that a schema allows; `undefined` for all. An integer is a number as well. */
function typesOf({ type, ...schema }: Schema): Set<string> | undefined {
  if (type !== undefined) return new Set([type].flat());
  const values = valuesOf(schema);
  return values && new Set(values.map((value) => (value === null ? "null" : typeof value)));
}

function isSubset(types: Set<string> | undefined, of: Set<string>): boolean {
  if (!types) return false;
  return [...types].every((type) => of.has(type) || (type === "integer" && of.has("number")));
}

function dereference(document: Document, item: { $ref?: string }): unknown {
  if (!item.$ref) return item;
  const [, , kind = "", name = ""] = item.$ref.split("/");
  const target = document.components?.[kind]?.[name];
  if (!target) throw new Error(`${item.$ref} does not exist.`);
  return dereference(document, target as { $ref?: string });
}

/** A schema without references, with the parts of `allOf` merged into it. */
function merged(document: Document, schema: Schema): Schema {
  const { allOf = [], ...own } = dereference(document, schema) as Schema;
  // Beside a reference, OpenAPI 3.1 allows further keywords.
  const { $ref, ...beside } = schema;
  const parts = [own, ...($ref ? [beside] : []), ...allOf.map((part) => merged(document, part))];
  return {
    ...Object.assign({}, ...parts),
    ...(parts.some(({ properties }) => properties) && {
      properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
      required: [...new Set(parts.flatMap(({ required = [] }) => required))],
    }),
  };
}
