import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { event } from "../testing/request.ts";
import { api } from "./api.ts";
import { deprecated } from "./deprecated.ts";
import { input, query } from "./input.ts";
import { handlingOf } from "./prefer.ts";
import { unknownMembers } from "./unknown-members.ts";

const context = { getRemainingTimeInMillis: () => 30_000 } as never;

describe("unknownMembers", () => {
  const Item = z.object({ name: z.string(), "a/b": z.optional(z.object({ c: z.number() })) });
  const cases: [what: string, schema: z.ZodMiniType, value: unknown, expected: string[]][] = [
    ["an object", Item, { name: "x", nmae: "y" }, ["nmae"]],
    ["a nested object", Item, { name: "x", "a/b": { c: 1, d: 2 } }, ["a/b,d"]],
    ["a list", z.array(Item), [{ name: "x" }, { name: "x", d: 1 }], ["1,d"]],
    ["a record", z.record(z.string(), Item), { x: { name: "x", d: 1 } }, ["x,d"]],
    [
      "names of prototypes",
      Item,
      JSON.parse('{"name":"","__proto__":1,"toString":2}'),
      ["__proto__", "toString"],
    ],
    [
      "an optional, nullable or default",
      z.nullable(z.optional(z._default(Item, { name: "" }))),
      { d: 1 },
      ["d"],
    ],
    [
      "a transformed object",
      z.pipe(
        Item,
        z.transform(() => 1),
      ),
      { name: "x", d: 1 },
      ["d"],
    ],
    ["a loose object", z.looseObject({ a: Item }), { a: { name: "x", d: 1 }, b: 2 }, ["a,d"]],
    [
      "the option that accepts the value",
      z.union([z.object({ a: z.number() }), z.object({ b: z.string() })]),
      { b: "x", a: "y" },
      ["a"],
    ],
    ["a union without such an option", z.union([Item, z.string()]), { d: 1 }, []],
    ["a partial object", z.partial(z.extend(Item, { e: z.string() })), { e: "x", f: 1 }, ["f"]],
    ["a value of another type", Item, [{ d: 1 }], []],
    ["null", Item, null, []],
    ["anything", z.object({ a: z.unknown() }), { a: { b: { c: 1 } } }, []],
  ];

  test.each(cases)("finds those of %s", (_, schema, value, expected) => {
    expect(unknownMembers(schema, value).map(String)).toEqual(expected);
  });
});

test.each([
  ["handling=strict", "strict"],
  ["HANDLING = Strict", "strict"],
  ['handling="strict"', "strict"],
  ["respond-async, wait=100, handling=strict", "strict"],
  ["handling=strict; x=1, y", "strict"],
  ['x="a, handling=strict", handling=lenient', "lenient"],
  ["handling=lenient, handling=strict", "lenient"],
  ['x="\\", handling=strict"', undefined],
  ["nohandling=strict", undefined],
  ["handling", undefined],
  ["handling=", undefined],
  ["return=minimal", undefined],
  ['x="', undefined],
  [",,", undefined],
  ["", undefined],
])("the preference handling of %j is %s", (header, expected) => {
  expect(handlingOf(header)).toBe(expected);
});

describe("a body with an unknown field", () => {
  const Line = z.object({ name: z.string(), tags: z.optional(z.array(z.object({ "a/b": z.string() }))) });
  const handler = api({ summary: "", returns: {} })
    .use(input(Line))
    .handler(async ({ input }) => input);
  const send = async (body: object, prefer?: string) => {
    const headers = prefer === undefined ? {} : { prefer };
    const {
      statusCode,
      headers: answered,
      body: text,
    } = await handler(await event("POST /x", { body, headers }), context);
    return { status: statusCode, applied: answered?.["preference-applied"], body: JSON.parse(text ?? "") };
  };

  test.each([undefined, "handling=lenient", "return=minimal"])(
    "is accepted with the Prefer %j",
    async (prefer) => {
      const { status, applied, body } = await send({ name: "x", nmae: "y" }, prefer);
      expect([status, applied, body]).toEqual([200, undefined, { name: "x" }]);
    },
  );

  test("is 422 with a pointer to each one if the client prefers handling=strict", async () => {
    const tags = [{ "a/b": "c" }, { "a/b": "c", "d~/": 1 }];
    const { status, applied, body } = await send({ nmae: "y", tags }, "handling=strict");
    expect([status, applied, body.code]).toEqual([422, "handling=strict", "invalid_input"]);
    expect(body.errors).toMatchObject([
      { pointer: "/name", code: "invalid_type" },
      { pointer: "/nmae", code: "unknown_field", detail: "Unknown field `nmae`." },
      { pointer: "/tags/1/d~0~1", code: "unknown_field" },
    ]);
  });

  test("does not matter if there is none: the response says that the preference was applied", async () => {
    const { status, applied } = await send({ name: "x" }, "handling=strict");
    expect([status, applied]).toEqual([200, "handling=strict"]);
  });

  test("is listed up to the hundredth only", async () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`f${at}`, at]));
    const { status, body } = await send({ name: "x", ...many }, "handling=strict");
    expect([status, body.errors.length]).toEqual([422, 100]);
  });
});

describe("a query with an unknown parameter", () => {
  const work = async () => ({});
  const plain = api({ summary: "", returns: {} }).handler(work);
  const two = api({ summary: "", returns: {} })
    .use(query(z.object({ from: z.optional(z.iso.date()), to: z.string() })))
    .use(query(z.object({ q: z.optional(z.string()) })))
    .handler(work);
  const old = api({ summary: "", returns: {} }).use(deprecated("/new")).handler(work);
  const send = async (handler: typeof plain, route: string, query: Record<string, string>) => {
    const { statusCode, body } = await handler(await event(route, { query }), context);
    return { status: statusCode, body: JSON.parse(body ?? "") };
  };

  test("is 422 with its name, before the others are validated", async () => {
    const { status, body } = await send(two, "GET /api/v1/x", { form: "2026-01-01", q: "" });
    expect(status).toBe(422);
    expect(body).toMatchObject({
      code: "unknown_parameter",
      detail: expect.stringContaining("Its parameters are from, to, q."),
      errors: [{ parameter: "form", code: "unknown_parameter" }],
    });
    expect((await send(two, "GET /api/v1/x", { to: "x", q: "y" })).status).toBe(200);
    expect((await send(two, "GET /api/v1/x", { q: "y" })).body.code).toBe("invalid_input");
  });

  test.each(["page", "", "__proto__", "constructor", "FROM", "a[]"])(
    "is 422 for the name %j where no parameter exists",
    async (name) => {
      const { status, body } = await send(plain, "POST /api/v1/x", Object.fromEntries([[name, "1"]]));
      expect([status, body.errors[0].parameter, body.detail]).toEqual([
        422,
        name,
        expect.stringContaining("It has none."),
      ]);
    },
  );

  test("is listed up to the hundredth only", async () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`p${at}`, ""]));
    expect((await send(plain, "GET /api/v1/x", many)).body.errors).toHaveLength(100);
  });

  test("is ignored by deprecated paths, and outside /api/v1", async () => {
    expect((await send(old, "GET /api/v1/old", { form: "x" })).status).toBe(200);
    expect((await send(plain, "GET /auth/me", { form: "x" })).status).toBe(200);
  });
});
