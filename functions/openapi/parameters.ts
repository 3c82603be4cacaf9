import { CurrencyCode } from "@svc/core/base/currency-code";
import { Id } from "@svc/core/base/id";
import type { $ZodObject, $ZodOptional, $ZodPipe, $ZodType } from "zod/v4/core";
import type { Contract } from "../http/contract.ts";
import type { Components } from "./components.ts";
import type { Example } from "./examples.ts";

/** The resource that the id after a path segment names. */
const resources: Readonly<Record<string, string>> = {
  devices: "device",
  projects: "project",
  reports: "report",
  sessions: "session",
  team: "team",
  "time-entries": "time entry",
  tokens: "API token",
  webauthn: "passkey or security key",
  webhooks: "webhook",
  workspaces: "workspace",
};

const pathParameters: Readonly<Record<string, { description: string; schema: $ZodType }>> = {
  code: { description: "The code of the currency.", schema: CurrencyCode },
  deliveryId: { description: "The id of the delivery.", schema: Id },
  invitationId: { description: "The id of the invitation.", schema: Id },
  userId: { description: "The id of the member’s user.", schema: Id },
};

/** Descriptions of the query parameters. A name has the same meaning in every operation. */
const queryParameters: Readonly<Record<string, string>> = {
  action:
    "Only entries with this action, or with one that begins with this text: `project.` finds all actions on projects.",
  actor: "Only entries of the user with this id.",
  all: "Removes all overrides of the currency. Not together with `valid_from`.",
  archived: "`true` for archived projects, `all` for all. By default, archived projects are left out.",
  billable: "Only entries that are billable, or only those that are not.",
  category: "Only entries of this category.",
  client: "Only projects of this client.",
  columns: "The columns of each time entry, separated by commas. Without it, the report has no entries.",
  convert_to: "Adds amounts in this currency, at the rate of each entry’s day.",
  currency: "Only entries in this currency.",
  cursor: "`meta.nextCursor` of the previous page, unchanged.",
  field: "The field to suggest values for.",
  format: "Returns a file of this format instead of a page.",
  from: "The first day, in the time zone of the workspace.",
  group_by: "How to group the time entries.",
  include: "Adds data that is looked up for each item.",
  include_charts: "Adds the data of charts.",
  ip: "Only entries from this IP address.",
  kind: "Whether the credential is to replace the password, or to be a second factor.",
  limit: "The number of items of a page, for lists with a cursor.",
  metrics: "The figures of each group, separated by commas.",
  outcome: "Only entries with this outcome.",
  page: "The number of the page, beginning with 1.",
  per_page: "The number of items of a page.",
  project_id: "Only entries of this project.",
  q: "Only items whose name or description contains this text, ignoring case.",
  rounding:
    "Rounds the duration of each entry up, down or to the nearest multiple of minutes: `up:15`, `down:6`, `nearest:30`.",
  running: "Only running timers, or only finished entries.",
  sort: "The order. A minus sorts in descending order.",
  sub_group_by: "How to group the entries of each group again.",
  tag: "Only entries with this tag.",
  target: "Only entries about the object with this id.",
  team_id: "Only entries of the members of this team.",
  timezone:
    "The time zone of `from`, `to` and days in the answer, as an IANA name. The default is the workspace’s.",
  to: "The last day, which is included, in the time zone of the workspace.",
  updated_since: "Only entries that were created or changed at this instant or later.",
  user_id: "Only entries of this user.",
  valid_from: "The first day of the override to remove.",
};

/** Returns the parameters of an operation: references for those that several operations have in common. */
export function parametersOf(
  path: string,
  { steps, versioned }: Contract,
  named: Components,
  example?: Example,
): object[] {
  const inPath = [...path.matchAll(/([^/]+)\/\{(\w+)\}/g)].map(([, segment = "", name = ""]) => {
    const resource = resources[segment];
    const known =
      name === "id" && resource
        ? { description: `The id of the ${resource}.`, schema: Id }
        : pathParameters[name];
    if (!known) throw new Error(`The path parameter ${name} of ${path} is not in openapi/parameters.ts.`);
    const { description, schema } = known;
    return {
      name,
      in: "path",
      required: true,
      description,
      schema: named.schemaOf(schema, "input"),
      ...exampleOf(example?.path?.[name]),
    };
  });
  const inQuery = steps.flatMap(({ query }) =>
    Object.entries(query ? (query as $ZodObject)._zod.def.shape : {}).map(([name, schema]) =>
      queryParameter(name, schema, named, example?.query?.[name]),
    ),
  );
  const inHeader = [
    ...steps.flatMap(({ headers = [] }) => headers),
    ...(versioned && versioned !== "never-stored" ? [ifNoneMatch] : []),
  ].map((header) =>
    named.shared("parameters", header.name.replace(/^X-|-/g, ""), { ...header, in: "header" }),
  );
  return [...inPath, ...inQuery, ...inHeader];
}

const ifNoneMatch = {
  name: "If-None-Match",
  description: "ETags that the caller has. If one of them is current, the response is 304 without a body.",
  schema: { type: "string" },
};

/** Parameters that mean the same wherever they are. */
const paging: Readonly<Record<string, string>> = {
  cursor: "Cursor",
  limit: "Limit",
  page: "Page",
  per_page: "PerPage",
};

function queryParameter(name: string, schema: $ZodType, named: Components, example?: string): object {
  const description = queryParameters[name];
  if (!description)
    throw new Error(`The query parameter ${name} has no description in openapi/parameters.ts.`);
  const optional = schema._zod.def.type === "optional";
  const { type, ...rest } = named.schemaOf(parsed(schema), "input");
  const parameter = {
    name,
    in: "query",
    description,
    ...(!optional && { required: true }),
    ...(type === "array" && { style: "form", explode: false }),
    schema: { ...(type !== undefined && { type }), ...rest },
  };
  const shared = paging[name];
  return shared
    ? named.shared("parameters", shared, parameter)
    : { ...parameter, ...exampleOf(example, type) };
}

/** Returns the example of a parameter, which is recorded as text. */
function exampleOf(text: string | undefined, type?: unknown): { example?: unknown } {
  if (text === undefined) return {};
  if (type === "array") return { example: text.split(",") };
  return { example: type === "boolean" || type === "integer" ? JSON.parse(text) : text };
}

/**
 * Returns the schema of a query parameter's value. A parameter is text; one that is parsed as a number, a boolean or a list is
 * described as what it is parsed to.
 */
function parsed(schema: $ZodType): $ZodType {
  const { type } = schema._zod.def;
  if (type === "optional") return parsed((schema as $ZodOptional)._zod.def.innerType);
  if (type !== "pipe") return schema;
  const result = parsed((schema as $ZodPipe)._zod.def.out);
  return ["number", "boolean", "array"].includes(result._zod.def.type) ? result : schema;
}
