import {
  type Document,
  type Endpoint,
  type Parameter,
  parametersIn,
  requiresAuthentication,
  resolved,
} from "./openapi.ts";
import { example, fields } from "./schema.ts";

/** The values of a request, as the texts of its fields. */
export type Values = {
  path: Record<string, string>;
  query: Record<string, string>;
  /** JSON. Undefined for requests without a JSON body. */
  body?: string;
  /** The chosen file of each field of a form. Undefined for requests without a form. */
  files?: Record<string, File | undefined>;
};

/** Returns the values of the document's example of this operation. */
export function exampleValues({ operation }: Endpoint, document: Document): Values {
  const textOf = ({ example: given, schema = {} }: Parameter) => String(given ?? example(schema, document));
  const inPath = parametersIn(operation, ["path"], document);
  const inQuery = parametersIn(operation, ["query"], document);
  const json = operation.requestBody?.content["application/json"];
  const form = operation.requestBody?.content["multipart/form-data"]?.schema;
  const body = json && (json.example ?? (json.schema && example(json.schema, document)));
  return {
    path: Object.fromEntries(inPath.map((one) => [one.name, textOf(one)])),
    query: Object.fromEntries(
      inQuery.map((one) => [one.name, one.required || one.example !== undefined ? textOf(one) : ""]),
    ),
    ...(body !== undefined && { body: JSON.stringify(body, null, 2) }),
    ...(form && { files: Object.fromEntries(fields(form, document).map(({ name }) => [name, undefined])) }),
  };
}

/** Returns a curl command that sends the request. */
export function curl(
  { method, path, operation }: Endpoint,
  { path: inPath, query, body, files }: Values,
  origin: string,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(inPath[name] ?? ""));
  const search = new URLSearchParams(given(query)).toString();
  const option = { GET: "", HEAD: "--head " }[method] ?? `-X ${method} `;
  return [
    `curl ${option}${quoted(origin + filled + (search && `?${search}`))}`,
    requiresAuthentication(operation) && '-H "Authorization: Bearer $SVC_TOKEN"',
    body !== undefined && "-H 'Content-Type: application/json'",
    body !== undefined && `--data ${quoted(body)}`,
    ...Object.entries(files ?? {}).map(([name, file]) => `-F ${quoted(`${name}=@${fileName(file)}`)}`),
  ]
    .filter(Boolean)
    .join(" \\\n  ");
}

/** Quotes an argument of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Returns a program that sends the request with `@svc/client`. */
export function clientCode(
  { method, path, operation }: Endpoint,
  values: Values,
  document: Document,
  origin: string,
): string {
  const token = requiresAuthentication(operation) ? ", token: process.env.SVC_TOKEN" : "";
  const options = [
    member("path", given(values.path)),
    member("query", queryValues(operation, values.query, document)),
    values.body === undefined ? "" : `body: ${literal(parsed(values.body))}`,
    values.files ? `body: { ${Object.entries(values.files).map(fileMember).join(", ")} }` : "",
  ].filter(Boolean);
  const call = method === "HEAD" ? 'send("head", ' : `${method.toLowerCase()}(`;
  const lines = options.map((option) => `${indented(option)},\n`).join("");
  const rest = options.length === 0 ? "" : `, {\n${lines}}`;
  return [
    ...(values.files ? ['import { openAsBlob } from "node:fs";'] : []),
    'import { createClient } from "@svc/client";',
    "",
    `const svc = createClient({ baseUrl: ${JSON.stringify(origin)}${token} });`,
    `${resultName(method, operation.responses)}await svc.${call}${JSON.stringify(path)}${rest});`,
  ].join("\n");
}

function resultName(method: string, responses: Endpoint["operation"]["responses"]): string {
  if (method === "HEAD") return "const { status, headers } = ";
  return Object.keys(responses).every((status) => status === "204" || !status.startsWith("2"))
    ? ""
    : "const result = ";
}

function fileMember([name, file]: [string, File | undefined]): string {
  return `${name}: await openAsBlob(${JSON.stringify(fileName(file))})`;
}

function fileName(file: File | undefined): string {
  return file?.name ?? "picture.jpg";
}

/** Returns the parameters that have a value. */
export function given(values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
}

/** Returns the query parameters that have a value, as the values that the client takes. */
export function queryValues(
  operation: Endpoint["operation"],
  query: Record<string, string>,
  document: Document,
): Record<string, unknown> {
  const types = new Map(
    parametersIn(operation, ["query"], document).map(({ name, schema = {} }) => [
      name,
      resolved(schema, document).type,
    ]),
  );
  return Object.fromEntries(
    Object.entries(given(query)).map(([name, text]) => {
      const type = types.get(name);
      if (type === "array") return [name, text.split(",")];
      return [name, type === "integer" || type === "boolean" ? parsed(text) : text];
    }),
  );
}

/** Returns the value of a JSON text, or the text itself while it is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function member(name: string, values: Record<string, unknown>): string {
  return Object.keys(values).length === 0 ? "" : `${name}: ${literal(values)}`;
}

/** Writes a value as a TypeScript literal. */
function literal(value: unknown): string {
  const json = JSON.stringify(value, null, 2);
  return json.replace(/^(\s*)"([A-Za-z_]\w*)":/gm, "$1$2:");
}

function indented(text: string): string {
  return text.replace(/^/gm, "  ");
}
