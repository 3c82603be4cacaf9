import * as Clock from "@svc/core/base/clock";
import * as Queue from "@svc/core/platform/queue/queue";
import { long } from "@svc/core/testing/sample";
import { startBucket, type TestBucket } from "@svc/local/testing/bucket";
import * as fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import document from "../openapi/document.json" with { type: "json" };
import { type RouteKey, routes } from "../routes.ts";
import { calls } from "../testing/calls.ts";
import { mismatch } from "../testing/conforms.ts";
import { generator, type JsonSchema } from "../testing/from-schema.ts";
import { mailServer } from "../testing/mails.ts";
import { type RequestOptions, request } from "../testing/request.ts";

type Parameter = { name: string; in: string; required?: boolean; schema: JsonSchema };
type Operation = {
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
};

const paths = document.paths as unknown as Record<string, Record<string, Operation>>;
const schemas = document.components.schemas as Record<string, JsonSchema>;
const values = generator((ref) => schemas[ref.replace("#/components/schemas/", "")] ?? {});
const parameters = document.components.parameters as Record<string, Parameter>;
const numRuns = long ? 50 : 5;
const seed = Number(process.env.TEST_SEED ?? 1);
let bucket: TestBucket;

mailServer();
beforeAll(async () => {
  process.env.DATABASE_URL = "postgres://connected.invalid/svc";
  process.env.RATE_LIMITS = "off";
  bucket = await startBucket();
  Queue.connect(async () => {});
});
afterAll(async () => {
  delete process.env.DATABASE_URL;
  delete process.env.RATE_LIMITS;
  Queue.connect(undefined);
  await bucket.close();
});
afterEach(() => Clock.reset());

/** The input of a route in the document, with the place of its body's schema. */
function inputOf(key: RouteKey) {
  const [verb = "", path = ""] = key.split(" ");
  const method = verb.toLowerCase();
  const operation = paths[path]?.[method] ?? {};
  const at = ["paths", path, method, "requestBody", "content", "application/json", "schema"];
  return {
    body: operation.requestBody?.content["application/json"]?.schema,
    bodyAt: at,
    query: (operation.parameters ?? [])
      .flatMap((one) => ("$ref" in one ? (parameters[one.$ref.split("/").at(-1) ?? ""] ?? []) : one))
      .filter((one) => one.in === "query"),
  };
}

/** Generates bodies and queries that the document allows. About half of the fields have the values of the valid call. */
function allowed(key: RouteKey, valid: RequestOptions): fc.Arbitrary<RequestOptions> {
  const { body, bodyAt, query } = inputOf(key);
  const known = (generated: unknown, replace: boolean[]) =>
    isObject(generated) && isObject(valid.body)
      ? Object.fromEntries(
          Object.entries({ ...valid.body, ...generated }).map(([name, value], index) => [
            name,
            replace[index] && name in (valid.body as object)
              ? Reflect.get(valid.body as object, name)
              : value,
          ]),
        )
      : generated;
  const bodies = body
    ? fc
        .tuple(values(body), fc.array(fc.boolean(), { minLength: 20, maxLength: 20 }))
        .map(([generated, replace]) => known(generated, replace))
        .filter((value) => mismatch(value, bodyAt) === undefined)
    : fc.constant(valid.body);
  const queries = fc.record(
    Object.fromEntries(query.map(({ name, schema }) => [name, values(schema).map(String)])),
    { requiredKeys: query.filter(({ required }) => required).map(({ name }) => name) },
  );
  return fc.record({ body: bodies, query: queries }).map((input) => ({
    ...valid,
    ...(input.body !== undefined && { body: input.body }),
    query: { ...(query.length > 0 && valid.query), ...(input.query as Record<string, string>) },
  }));
}

/** Values of every type, some of which are outside the bounds of any field. */
const wrong = fc.oneof(
  fc.constantFrom<unknown>(null, true, -1, 0, 1.5, 1e15, "", " ", [], {}, "2026-02-30", "x".repeat(70_000)),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Generates requests that the document does not allow: a field of a valid body is replaced or removed. */
function forbidden(key: RouteKey, valid: RequestOptions): fc.Arbitrary<RequestOptions> | undefined {
  const { body, bodyAt } = inputOf(key);
  if (!body) return undefined;
  const isForbidden = (value: unknown) => mismatch(value, bodyAt) !== undefined;
  if (!isObject(valid.body)) return wrong.filter(isForbidden).map((value) => ({ ...valid, body: value }));
  const fields = Object.entries(valid.body);
  const replaced = fc.tuple(fc.nat(), fc.option(wrong, { nil: undefined })).map(([index, value]) => {
    const [name = ""] = fields[index % Math.max(fields.length, 1)] ?? [];
    const { [name]: old, ...others } = valid.body as Record<string, unknown>;
    return value === undefined ? others : { ...others, [name]: value };
  });
  return fc
    .oneof(replaced, wrong)
    .filter(isForbidden)
    .map((value) => ({ ...valid, body: value }));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const documented = (Object.keys(routes) as RouteKey[]).filter((key) => key !== "$default");
const withBody = documented.filter((key) => inputOf(key).body);

// `request` throws for a status, an error code or a body that the document does not have.
describe("input that the OpenAPI document allows", () => {
  test.each(documented)("%s answers it as documented", { timeout: 300_000 }, async (key) => {
    let valid = await calls[key]();
    const property = fc.asyncProperty(allowed(key, valid), async (options) => {
      // The call may have deleted what the next one needs.
      if (long) valid = await calls[key]();
      const { path, token } = valid;
      const { status } = await request(key, { ...options, ...(path && { path }), ...(token && { token }) });
      expect(status).toBeLessThan(500);
    });
    await fc.assert(property, { seed, numRuns });
  });
});

describe("input that the OpenAPI document does not allow", () => {
  test.each(withBody)("%s rejects it", { timeout: 300_000 }, async (key) => {
    const requests = forbidden(key, await calls[key]());
    if (!requests) return;
    const property = fc.asyncProperty(requests, async (options) => {
      const { status } = await request(key, options);
      expect([status, status >= 400 && status < 500]).toEqual([status, true]);
    });
    await fc.assert(property, { seed, numRuns });
  });
});
