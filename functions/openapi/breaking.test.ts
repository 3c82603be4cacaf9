import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { announces, breaches, type Document } from "./breaking.ts";
import current from "./document.json" with { type: "json" };
import released from "./released.json" with { type: "json" };

const changelog = readFileSync(new URL("../../CHANGELOG.md", import.meta.url), "utf8");
const [, unreleased = ""] = changelog.split(/^## .*$/m);
const [, breaking = ""] = /^### Breaking$([\s\S]*?)(?=^### |(?![\s\S]))/m.exec(unreleased) ?? [];
const lines = breaking.split("\n").filter((line) => line.startsWith("- "));

// JSON modules have the types of their values, in which every operation is a different type.
const before = released as unknown as Document;
const today = current as unknown as Document;
const found = breaches(before, today);

/** Limits that 1.4.0 had although its document did not state them: parameters, and how a breach reports the limit. */
const statedLater: readonly [names: string, what: string][] = [
  ["X-Workspace-Id, id, userId, deliveryId, invitationId", "only ^[A-Za-z0-9_-]{1,64}$"],
  ["Idempotency-Key", "only ^[!-~]+$"],
  ["Idempotency-Key", "minLength 1"],
  ["Idempotency-Key", "maxLength 255"],
  ["page, per_page, limit", "minimum 1"],
  ["per_page, limit", "maximum 200"],
  ["page", "maximum 999999999"],
  ["code, baseCurrency", "maxLength 16"],
  ["columns", "maxItems 20"],
  ["metrics", "maxItems 5"],
  ["group_by", "maxItems 3"],
  ["hourlyRate, budget/amount", "only ^\\d{1,9}(?:\\.\\d{1,4})?$"],
  ["hourlyRate, budget/amount", "minimum 0"],
  ["hourlyRate, budget/amount", "maximum 999999999.9999"],
  ["locale", "only ^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$"],
];
const known = ({ name = "", what }: { name?: string; what: string }) =>
  statedLater.some(([names, limit]) => names.split(", ").includes(name) && what === `accepts less: ${limit}`);

describe("the released API", () => {
  test("is kept, or CHANGELOG.md says under Breaking what is not", () => {
    const broken = found.filter((breach) => !known(breach));
    expect(broken.filter((breach) => !lines.some((line) => announces(line, breach)))).toEqual([]);
  });

  test("had all the limits that its document did not state", () => {
    for (const [names, limit] of statedLater)
      for (const name of names.split(", "))
        expect(found).toContainEqual(expect.objectContaining({ name, what: `accepts less: ${limit}` }));
  });

  test.each(lines)("is broken as CHANGELOG.md says: %s", (line) => {
    expect(found.some((breach) => announces(line, breach))).toBe(true);
  });
});

const example = {
  paths: {
    "/things": {
      post: {
        parameters: [{ name: "kind", in: "query", schema: { type: "string", enum: ["big", "small"] } }],
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: {
                type: "object",
                properties: {
                  size: { type: "integer", minimum: 1, maximum: 10 },
                  note: { type: ["string", "null"] },
                },
                required: ["size"],
              },
            },
          },
        },
        responses: {
          201: { content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } } },
          422: { $ref: "#/components/responses/Invalid" },
        },
        security: [{ session: [] }, { token: ["read"] }],
      },
    },
  },
  webhooks: {
    "thing.created": {
      post: {
        requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } } },
        responses: {},
      },
    },
  },
  components: {
    schemas: {
      Thing: {
        type: "object",
        properties: {
          id: { type: "string" },
          state: { type: "string", enum: ["open", "done"] },
          owner: { anyOf: [{ $ref: "#/components/schemas/Person" }, { type: "null" }] },
          parts: { type: "array", items: { $ref: "#/components/schemas/Person" } },
        },
        required: ["id", "state"],
      },
      Person: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
    },
    responses: {
      Invalid: {
        content: {
          "application/problem+json": { schema: { properties: { code: { enum: ["invalid", "too_many"] } } } },
        },
      },
    },
  },
};

const operation = "/paths/~1things/post";
const request = `${operation}/requestBody/content/application~1json/schema`;
const thing = "/components/schemas/Thing";

/** Describes what is broken after the value at a JSON pointer of the example was replaced, or removed. */
function brokenBy(pointer: string, value?: unknown): string[] {
  const changed = structuredClone(example);
  const keys = pointer
    .slice(1)
    .split("/")
    .map((key) => key.replaceAll("~1", "/"));
  const last = keys.pop() ?? "";
  const parent = keys.reduce<object>((node, key) => Reflect.get(node, key), changed);
  if (value === undefined) Reflect.deleteProperty(parent, last);
  else Reflect.set(parent, last, value);
  const found = breaches(example, changed);
  return found.map(({ operation, name, what }) => [operation, name, what].filter(Boolean).join(" "));
}

describe("breaches()", () => {
  test.each<[string, string, unknown, string]>([
    ["an operation", "/paths/~1things", undefined, "POST /things the operation is gone"],
    ["an event", "/webhooks/thing.created", undefined, "thing.created the event is gone"],
    ["a response field", `${thing}/properties/parts`, undefined, "POST /things parts the field is gone"],
    ["a promised field", `${thing}/required`, ["id"], "POST /things state the field may be missing now"],
    [
      "a type",
      `${thing}/properties/id`,
      { type: "integer" },
      "POST /things id can be of another type: integer",
    ],
    [
      "a nested type",
      "/components/schemas/Person/properties/name/type",
      ["string", "null"],
      "POST /things parts/[]/name can be of another type: null",
    ],
    ["a state", `${thing}/properties/state/enum`, ["open"], 'POST /things state is never "done" now'],
    ["a parameter", `${operation}/parameters`, [], "POST /things kind the query parameter is gone"],
    [
      "a parameter's value",
      `${operation}/parameters/0/schema/enum`,
      ["big"],
      'POST /things kind accepts less: not "small"',
    ],
    [
      "a parameter's absence",
      `${operation}/parameters/0/required`,
      true,
      "POST /things kind the query parameter is required now",
    ],
    ["a request field", `${request}/properties/note`, undefined, "POST /things note the field is gone"],
    [
      "a request field's absence",
      `${request}/required`,
      ["size", "note"],
      "POST /things note the field is required now",
    ],
    [
      "null in a request",
      `${request}/properties/note/type`,
      "string",
      "POST /things note accepts less: only of type string",
    ],
    ["large numbers", `${request}/properties/size/maximum`, 5, "POST /things size accepts less: maximum 5"],
    ["long text", `${request}/properties/note/maxLength`, 9, "POST /things note accepts less: maxLength 9"],
    ["any text", `${request}/properties/note/pattern`, "^a", "POST /things note accepts less: only ^a"],
    ["a success", `${operation}/responses/201`, undefined, "POST /things 201 the successful status is gone"],
    [
      "an error code",
      "/components/responses/Invalid/content/application~1problem+json/schema/properties/code/enum",
      ["invalid"],
      "POST /things too_many the error code is gone from 422",
    ],
    [
      "a way to sign in",
      `${operation}/security`,
      [{ session: [] }],
      'POST /things [["token",["read"]]] no longer authenticates',
    ],
  ])("finds %s that is gone", (_, pointer, value, breach) => {
    expect(brokenBy(pointer, value)).toContain(breach);
  });

  test("finds a new required parameter", () => {
    const added = [
      ...example.paths["/things"].post.parameters,
      { name: "mode", in: "query", required: true },
    ];
    expect(brokenBy(`${operation}/parameters`, added)).toEqual([
      "POST /things mode the query parameter is required now",
    ]);
  });

  test("finds nothing in additions", () => {
    const more = { type: "object", properties: { ...example.components.schemas.Thing.properties, more: {} } };
    expect(brokenBy(thing, { ...more, required: ["id", "state", "more"] })).toEqual([]);
    expect(brokenBy(`${request}/properties/colour`, { type: "string" })).toEqual([]);
    expect(brokenBy(`${operation}/parameters/1`, { name: "mode", in: "query" })).toEqual([]);
    expect(brokenBy(`${thing}/properties/state/enum`, ["open", "done", "gone"])).toEqual([]);
    expect(brokenBy(`${request}/required`, [])).toEqual([]);
    expect(brokenBy("/paths/~1others", { get: { responses: {} } })).toEqual([]);
  });

  test("takes a list of types for alternatives", () => {
    const note = { anyOf: [{ type: "string", maxLength: 50 }, { type: "null" }] };
    expect(brokenBy(`${request}/properties/note`, note)).toEqual([
      "POST /things note accepts less: maxLength 50",
    ]);
    expect(brokenBy(`${request}/properties/note`, { anyOf: [{ type: "string" }, { type: "null" }] })).toEqual(
      [],
    );
  });

  test.each<[string, string[], unknown]>([
    [
      "a removed field",
      ["responses", "201", "content", "application/json", "schema", "properties", "description"],
      undefined,
    ],
    [
      "a narrower enum",
      ["requestBody", "content", "application/json", "schema", "properties", "billable"],
      { enum: [true] },
    ],
    ["a required parameter", ["parameters"], [{ name: "team", in: "query", required: true }]],
  ])("finds %s in the released document", (_, keys, value) => {
    const changed = structuredClone(before);
    const last = keys.at(-1) ?? "";
    const start: object = changed.paths["/api/v1/time-entries"]?.post ?? {};
    Reflect.set(
      keys.slice(0, -1).reduce((node, key) => Reflect.get(node, key), start),
      last,
      value,
    );
    expect(breaches(before, changed).map(({ operation }) => operation)).toContain(
      "POST /api/v1/time-entries",
    );
  });
});

describe("announces()", () => {
  const breach = { operation: "POST /things", name: "parts/[]/name", what: "the field is gone" };

  test("needs the operation and the field", () => {
    expect(announces("- `POST /things` no longer has `name`.", breach)).toBe(true);
    expect(announces("- `POST /things` no longer has `size`.", breach)).toBe(false);
    expect(announces("- `GET /things` no longer has `name`.", breach)).toBe(false);
  });

  test("takes a line about all operations only for values that are no longer accepted", () => {
    const line = "- In all operations, `name` rejects control characters.";
    expect(announces(line, breach)).toBe(false);
    expect(announces(line, { ...breach, what: "accepts less: only ^a" })).toBe(true);
  });
});
