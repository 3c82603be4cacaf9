import type { $ZodIssue, $ZodRawIssue, $ZodStringFormats, $ZodType } from "zod/v4/core";

/**
 * The JSON types in words, as they follow "must be" in a message. Types that are not listed cannot occur in JSON or a query.
 */
const types: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  null: "null",
  array: "a list",
  tuple: "a list",
  object: "an object",
  record: "an object",
};

/** The string formats in words, as they follow "must be" in a message. */
const formats: Partial<Record<$ZodStringFormats, string>> = {
  email: "an email address",
  url: "a URL",
  date: "a date such as 2026-01-31",
  datetime: "a date and time such as 2026-01-31T12:00:00Z",
};

const initialisms = new Set(["id", "ip", "url", "uri", "csv", "cidr", "mfa", "json"]);

/**
 * Returns the sentence for an issue that the schema library found: what is wrong, in terms of the field. Serves as the
 * library's error map, so that no text of the library reaches a caller. Messages that a schema states take precedence.
 */
export function validationMessage(issue: $ZodRawIssue): string {
  const field = fieldName(issue.path ?? []);
  if (isMissing(issue)) return `${field} is required.`;
  switch (issue.code) {
    case "invalid_type":
      return mustBe(field, types[issue.expected]);
    case "invalid_value":
      return mustBeOneOf(field, issue.values);
    case "invalid_format":
      return mustBe(field, formats[issue.format as $ZodStringFormats]);
    case "too_small":
      return `${field} ${sizeLimit(issue, "at least", Number(issue.minimum))}.`;
    case "too_big":
      return `${field} ${sizeLimit(issue, "at most", Number(issue.maximum))}.`;
    case "not_multiple_of":
      return `${field} must be a multiple of ${issue.divisor}.`;
    case "unrecognized_keys":
      return `Unknown field${issue.keys.length > 1 ? "s" : ""} ${issue.keys.map((key) => `\`${key}\``).join(", ")}.`;
    case "invalid_union":
      return unionMessage(field, issue);
    case "invalid_key":
    case "invalid_element":
      return issue.issues[0]?.message ?? `${field} is invalid.`;
    default:
      return `${field} is invalid.`;
  }
}

/** Returns the message of an issue. A schema that several fields share says "Must …"; the field's name is put before it. */
export function validationDetail({ message, path }: $ZodIssue): string {
  return message.startsWith("Must ") ? `${fieldName(path)} m${message.slice(1)}` : message;
}

/** Names a field in words: `hourlyRate` is "Hourly rate", and `entries/1/cidr` is "Entries item 2: CIDR". */
export function fieldName(path: readonly PropertyKey[]): string {
  const last = path.at(-1);
  if (last === undefined) return "The value";
  const index = path.findLastIndex((part) => typeof part === "number");
  if (index < 0) return inWords(String(last));
  const item = `${fieldName(path.slice(0, index))} item ${Number(path[index]) + 1}`;
  return index === path.length - 1 ? item : `${item}: ${inWords(String(last))}`;
}

function inWords(name: string): string {
  const words = name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? [name];
  const text = words
    .map((word) => word.toLowerCase())
    .map((word) => (initialisms.has(word) ? word.toUpperCase() : word))
    .join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns whether the value is absent, or an empty string where the schema requires at least one character. */
function isMissing(issue: $ZodRawIssue): boolean {
  if (issue.input === undefined) return issue.code !== "custom";
  // The input of a discriminated union is the object, and the field that is reported is its discriminator.
  if (issue.code === "invalid_union" && typeof issue.discriminator === "string")
    return !Object.hasOwn(Object(issue.input), issue.discriminator);
  return issue.code === "too_small" && issue.input === "" && Number(issue.minimum) === 1;
}

function mustBe(field: string, what: string | undefined): string {
  return what ? `${field} must be ${what}.` : `${field} is invalid.`;
}

function mustBeOneOf(field: string, values: readonly unknown[]): string {
  return `${field} must be ${values.length > 1 ? "one of " : ""}${values.map(String).join(", ")}.`;
}

/** Returns a phrase such as "must have at least 12 characters", or the range of a number that has both bounds. */
function sizeLimit(
  { origin, schema }: { origin: string; schema?: $ZodType | undefined },
  end: "at least" | "at most",
  limit: number,
): string {
  if (origin === "string") return `must have ${end} ${counted(limit, "character")}`;
  if (origin === "array" || origin === "set") return `must have ${end} ${counted(limit, "item")}`;
  const [least, most] = [boundOf(schema, "greater_than"), boundOf(schema, "less_than")];
  if (least === undefined || most === undefined) return `must be ${end} ${limit}`;
  const isInteger = schema && "format" in schema._zod.def && schema._zod.def.format === "safeint";
  return `must be a ${isInteger ? "whole " : ""}number from ${least} to ${most}`;
}

function boundOf(schema: $ZodType | undefined, name: string): unknown {
  const found = schema?._zod.def.checks?.map((check) => check._zod.def).find(({ check }) => check === name);
  return found && "value" in found ? found.value : undefined;
}

function counted(number: number, unit: string): string {
  return `${number} ${unit}${number === 1 ? "" : "s"}`;
}

/** Returns the message for a union: lists plain types, or the values of a discriminator. */
function unionMessage(field: string, issue: $ZodRawIssue & { code: "invalid_union" }): string {
  if (Array.isArray(issue.options)) return mustBeOneOf(field, issue.options);
  const expected = issue.errors.flatMap(([first]) =>
    first?.code === "invalid_type" && first.path.length === 0 ? (types[first.expected] ?? []) : [],
  );
  const ofPlainTypes = expected.length > 0 && expected.length === issue.errors.length;
  return ofPlainTypes ? `${field} must be ${expected.join(" or ")}.` : `${field} is invalid.`;
}
