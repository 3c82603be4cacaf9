import { expect, test } from "vitest";
import { routes } from "../routes.ts";
import { mismatch } from "../testing/conforms.ts";
import { current } from "./current.ts";
import { examples } from "./examples.ts";

type Media = Record<string, { schema: object; example?: unknown }>;
type Parameter = {
  name: string;
  in: string;
  required?: boolean;
  schema: { type?: string };
  example?: unknown;
};
type Operation = {
  parameters: Parameter[];
  requestBody?: { content: Media };
  responses: Record<string, { content?: Media }>;
};

const document = (await current()) as { paths: Record<string, Record<string, Operation>> };
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

test("examples are recorded for routes that exist, and only those", () => {
  const documented = Object.keys(routes).filter((key) => key !== "$default");
  expect(Object.keys(examples).sort()).toEqual(documented.sort());
});

test.each(operations)("$method $path has a valid example of request and response", (one) => {
  const { path, method, operation } = one;
  const at = ["paths", path, method];
  const json = "application/json";
  for (const [status, { content }] of Object.entries(operation.responses)) {
    if (!status.startsWith("2") || !content?.[json]) continue;
    expect(content[json], `${status} has an example`).toHaveProperty("example");
    const schema = [...at, "responses", status, "content", json, "schema"];
    expect(mismatch(content[json].example, schema)).toBeUndefined();
  }
  if (operation.requestBody?.content[json]) {
    expect(operation.requestBody.content[json], "the body has an example").toHaveProperty("example");
    const schema = [...at, "requestBody", "content", json, "schema"];
    expect(mismatch(operation.requestBody.content[json].example, schema)).toBeUndefined();
  }
  operation.parameters.forEach(({ name, in: place, required, schema, example }, index) => {
    if (example === undefined) {
      expect(place === "path" || required, `${name} needs an example`).toBeFalsy();
      return;
    }
    const value = ["integer", "number"].includes(schema.type ?? "") ? Number(example) : example;
    expect(mismatch(value, [...at, "parameters", String(index), "schema"])).toBeUndefined();
  });
});
