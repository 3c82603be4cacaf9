import * as fc from "fast-check";

/** The keywords of JSON Schema that the OpenAPI document uses. */
export type JsonSchema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  propertyNames?: JsonSchema;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
};

const day = fc.date({ min: new Date("1999-01-01"), max: new Date("2100-01-01"), noInvalidDate: true });

/** Strings of a format, which `pattern` and the lengths narrow further. */
const formats: Record<string, fc.Arbitrary<string>> = {
  date: day.map((at) => at.toISOString().slice(0, 10)),
  "date-time": day.map((at) => at.toISOString()),
  email: fc.emailAddress(),
  uri: fc.webUrl({ withQueryParameters: true }),
  uuid: fc.uuid(),
};

/** Generates values for schemas. `resolve` returns what a reference stands for. */
export function generator(resolve: (ref: string) => JsonSchema) {
  function values(schema: JsonSchema, depth = 0): fc.Arbitrary<unknown> {
    if (schema.$ref) return values(resolve(schema.$ref), depth);
    if (schema.allOf) return values(merged(schema), depth);
    if (schema.enum) return fc.constantFrom(...schema.enum);
    if ("const" in schema) return fc.constant(schema.const);
    const alternatives = schema.anyOf ?? schema.oneOf;
    if (alternatives) return fc.oneof(...alternatives.map((one) => values(one, depth)));
    if (Array.isArray(schema.type))
      return fc.oneof(...schema.type.map((type) => values({ ...schema, type }, depth)));
    switch (schema.type) {
      case "null":
        return fc.constant(null);
      case "boolean":
        return fc.boolean();
      case "integer":
        return fc.integer({ min: schema.minimum ?? -10, max: schema.maximum ?? 100_000 });
      case "number":
        return fc.double({ min: schema.minimum ?? -10, max: schema.maximum ?? 100_000, noNaN: true });
      case "string":
        return strings(schema);
      case "array": {
        const { minItems: minLength = 0, maxItems = 3 } = schema;
        return fc.array(values(schema.items ?? {}, depth + 1), {
          minLength,
          maxLength: Math.max(minLength, Math.min(maxItems, 3)),
        });
      }
      case "object":
        return objects(schema, depth);
      default:
        return fc.jsonValue({ maxDepth: 1 });
    }
  }

  function objects(
    { properties = {}, required = [], additionalProperties, propertyNames }: JsonSchema,
    depth: number,
  ) {
    const fields = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, values(property, depth + 1)]),
    );
    const known = fc.record(fields, { requiredKeys: required });
    if (typeof additionalProperties !== "object" || depth > 4) return known;
    const more = fc.dictionary(strings(propertyNames ?? {}), values(additionalProperties, depth + 1), {
      maxKeys: 2,
    });
    return fc.tuple(more, known).map(([one, other]) => ({ ...one, ...other }));
  }

  function merged({ allOf = [], ...own }: JsonSchema): JsonSchema {
    const parts = [own, ...allOf.map((part) => (part.$ref ? resolve(part.$ref) : part))];
    return {
      ...Object.assign({}, ...parts),
      properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
      required: parts.flatMap(({ required = [] }) => required),
    };
  }

  return values;
}

function strings({ format = "", pattern, minLength = 0, maxLength }: JsonSchema): fc.Arbitrary<string> {
  const fits = (text: string) => text.length >= minLength && text.length <= (maxLength ?? Infinity);
  if (formats[format]) return formats[format].filter(fits);
  if (!pattern)
    return fc
      .string({ unit: "grapheme", minLength, maxLength: Math.min(maxLength ?? 40, minLength + 40) })
      .filter(fits);
  const matching = fc.stringMatching(new RegExp(pattern, "u"), { size: "small" });
  return matching
    .map((text) => text.slice(0, maxLength))
    .filter((text) => fits(text) && new RegExp(pattern, "u").test(text));
}
