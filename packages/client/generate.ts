/** `npm run openapi` writes `generated.ts` from the OpenAPI document. A test fails while it is out of date. */
import { readFile, writeFile } from "node:fs/promises";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";

const target = new URL("generated.ts", import.meta.url);

type Response = { content?: Record<string, { schema: object }> };
type Parameter = { name: string } | { $ref: string };
type Operation = { parameters?: Parameter[]; responses: Record<string, Response> };
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { parameters?: Record<string, { name: string }> };
};

/** Returns the source of `generated.ts`: types of all operations, schemas and error codes, and the paths with idempotency keys. */
export async function generate(): Promise<string> {
  const path = new URL("../../functions/openapi/document.json", import.meta.url);
  const document = JSON.parse(await readFile(path, "utf8")) as Document;
  const types = await openapiTS(JSON.stringify(reduced(document)), {
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    exportType: true,
    // A member with a default can be left out of a request.
    defaultNonNullable: false,
    transform: (schema) => ("contentMediaType" in schema ? blob : undefined),
  });
  return [
    "// Generated from functions/openapi/document.json by `npm run openapi`. Do not edit.",
    astToString(types),
    `/** The error codes of the API. A later release can have more. */\nexport type ErrorCode =${list(errorCodes(document), "|")};`,
    `/** The paths whose POST accepts an Idempotency-Key. */\nexport const idempotentPaths: ReadonlySet<string> = new Set([${list(idempotentPaths(document), ",")}\n]);`,
    "",
  ].join("\n");
}

const blob = ts.factory.createTypeReferenceNode("Blob");

/** Removes what the types do not need: examples, and the responses of failures, which have one type, `Problem`. */
function reduced(document: Document): Document {
  const copy = JSON.parse(JSON.stringify(document, withoutExamples)) as Document;
  for (const item of Object.values(copy.paths))
    for (const operation of Object.values(item))
      operation.responses = Object.fromEntries(
        Object.entries(operation.responses).filter(([status]) => Number(status) < 400),
      );
  Object.assign(copy.components, { responses: {} });
  return copy;
}

function withoutExamples(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("schema" in value)) return value;
  return { ...value, example: undefined, examples: undefined };
}

function errorCodes(document: Document): string[] {
  const found = new Set<string>();
  JSON.stringify(document, (_, value) => {
    const codes = value?.properties?.code?.enum ?? [];
    for (const code of value?.allOf ? codes : []) found.add(code);
    return value;
  });
  return [...found].sort();
}

function idempotentPaths({ paths, components: { parameters = {} } }: Document): string[] {
  const nameOf = (parameter: Parameter) =>
    "name" in parameter ? parameter.name : parameters[parameter.$ref.replace(/^.*\//, "")]?.name;
  return Object.entries(paths)
    .filter(([, { post }]) => post?.parameters?.some((one) => nameOf(one) === "Idempotency-Key"))
    .map(([path]) => path);
}

function list(texts: readonly string[], separator: "|" | ","): string {
  const lines = texts.map((text) => JSON.stringify(text));
  return separator === "|"
    ? lines.map((line) => `\n  | ${line}`).join("")
    : lines.map((line) => `\n  ${line},`).join("");
}

if (import.meta.main) await writeFile(target, await generate());
