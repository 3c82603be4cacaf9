import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { load } from "../load.ts";
import { type Route, routes } from "../routes.ts";
import type { Handler } from "./api.ts";
import { fieldName, validationDetail, validationMessage } from "./validation-message.ts";

function detailsOf(schema: z.ZodMiniType, value: unknown): string[] {
  const { error } = schema.safeParse(value, { error: validationMessage });
  return (error?.issues ?? []).map(validationDetail);
}

const text = z.string().check(z.minLength(1), z.maxLength(3));
const limit = z.int().check(z.gte(1), z.lte(100));
const shapes = z.discriminatedUnion("type", [
  z.object({ type: z.literal("circle") }),
  z.object({ type: z.literal("square") }),
]);

describe("validationMessage", () => {
  it.each<[string, z.ZodMiniType, unknown, string[]]>([
    ["a missing string", z.object({ name: text }), {}, ["Name is required."]],
    ["an empty string", z.object({ name: text }), { name: "" }, ["Name is required."]],
    ["a number for a string", z.object({ name: text }), { name: 1 }, ["Name must be a string."]],
    ["null", z.object({ name: text }), { name: null }, ["Name must be a string."]],
    [
      "a short string",
      z.object({ password: z.string().check(z.minLength(12)) }),
      { password: "short" },
      ["Password must have at least 12 characters."],
    ],
    ["a long string", z.object({ name: text }), { name: "long" }, ["Name must have at most 3 characters."]],
    [
      "a string of one character too many",
      z.object({ code: z.string().check(z.maxLength(1)) }),
      { code: "ab" },
      ["Code must have at most 1 character."],
    ],
    [
      "a value that is not an email address",
      z.object({ email: z.email() }),
      { email: "ada" },
      ["Email must be an email address."],
    ],
    ["a value that is not a URL", z.object({ url: z.url() }), { url: "x" }, ["URL must be a URL."]],
    [
      "a value that is not a date",
      z.object({ from: z.iso.date() }),
      { from: "x" },
      ["From must be a date such as 2026-01-31."],
    ],
    [
      "a value that is not a date and time",
      z.object({ startedAt: z.iso.datetime() }),
      { startedAt: "x" },
      ["Started at must be a date and time such as 2026-01-31T12:00:00Z."],
    ],
    [
      "a string that does not match a pattern",
      z.object({ user_id: z.string().check(z.regex(/^usr_/)) }),
      { user_id: "x" },
      ["User ID is invalid."],
    ],
    [
      "a value that is not in an enumeration",
      z.object({ role: z.enum(["member", "manager", "admin"]) }),
      { role: "king" },
      ["Role must be one of member, manager, admin."],
    ],
    ["a missing enumeration", z.object({ role: z.enum(["a", "b"]) }), {}, ["Role is required."]],
    [
      "a value other than the literal",
      z.object({ action: z.literal("go") }),
      { action: "stop" },
      ["Action must be go."],
    ],
    [
      "a number below its range",
      z.object({ limit }),
      { limit: 0 },
      ["Limit must be a whole number from 1 to 100."],
    ],
    [
      "a number above its range",
      z.object({ limit }),
      { limit: 101 },
      ["Limit must be a whole number from 1 to 100."],
    ],
    ["a fraction", z.object({ limit }), { limit: 1.5 }, ["Limit must be a whole number."]],
    [
      "a number below its only bound",
      z.object({ hours: z.number().check(z.gte(2)) }),
      { hours: 1 },
      ["Hours must be at least 2."],
    ],
    [
      "a number that is not a multiple",
      z.object({ step: z.number().check(z.multipleOf(15)) }),
      { step: 20 },
      ["Step must be a multiple of 15."],
    ],
    [
      "a string for a boolean",
      z.object({ billable: z.boolean() }),
      { billable: "yes" },
      ["Billable must be true or false."],
    ],
    ["a string for a list", z.object({ tags: z.array(text) }), { tags: "a" }, ["Tags must be a list."]],
    [
      "an item of a list",
      z.object({ tags: z.array(text) }),
      { tags: ["a", 2] },
      ["Tags item 2 must be a string."],
    ],
    [
      "an empty list",
      z.object({ events: z.array(text).check(z.minLength(1)) }),
      { events: [] },
      ["Events must have at least 1 item."],
    ],
    [
      "a field of a list's item",
      z.object({ entries: z.array(z.object({ cidr: text })) }),
      { entries: [{ cidr: "a" }, {}] },
      ["Entries item 2: CIDR is required."],
    ],
    ["a list for an object", z.object({ name: text }), [], ["The value must be an object."]],
    ["one unknown field", z.strictObject({}), { foo: 1 }, ["Unknown field `foo`."]],
    ["two unknown fields", z.strictObject({}), { foo: 1, bar: 2 }, ["Unknown fields `foo`, `bar`."]],
    ["an unknown discriminator", shapes, { type: "line" }, ["Type must be one of circle, square."]],
    ["a missing discriminator", shapes, {}, ["Type is required."]],
    [
      "a value of none of the types of a union",
      z.object({ amount: z.union([z.string(), z.number()]) }),
      { amount: true },
      ["Amount must be a string or a number."],
    ],
    [
      "an object that matches no member of a union",
      z.object({ at: z.union([z.object({ a: text }), z.string()]) }),
      { at: { b: 1 } },
      ["At is invalid."],
    ],
    [
      "a name that a record does not accept",
      z.object({
        headers: z.record(z.string().check(z.regex(/^x-/, "Use a name that begins with x-.")), text),
      }),
      { headers: { a: "b" } },
      ["Use a name that begins with x-."],
    ],
    [
      "a failed check without a message",
      z.object({ name: z.string().check(z.refine(() => false)) }),
      { name: "a" },
      ["Name is invalid."],
    ],
    [
      "a failed check with a message",
      z.object({ name: z.string().check(z.refine(() => false, "Choose another name.")) }),
      { name: "a" },
      ["Choose another name."],
    ],
    [
      "a message that several fields share",
      z.object({ hourlyRate: z.string().check(z.regex(/^\d+$/, "Must be a decimal number such as 12.50.")) }),
      { hourlyRate: "a" },
      ["Hourly rate must be a decimal number such as 12.50."],
    ],
  ])("explains %s in terms of the field", (_, schema, value, details) => {
    expect(detailsOf(schema, value)).toEqual(details);
  });
});

describe("fieldName", () => {
  it.each<[PropertyKey[], string]>([
    [["name"], "Name"],
    [["hourlyRate"], "Hourly rate"],
    [["per_page"], "Per page"],
    [["projectId"], "Project ID"],
    [["clientDataJSON"], "Client data JSON"],
    [["budget", "amount"], "Amount"],
    [["tags", 0], "Tags item 1"],
    [[], "The value"],
  ])("returns the name of %j: %s", (path, name) => {
    expect(fieldName(path)).toBe(name);
  });
});

/** Values that no field accepts, for a field at the top of a schema. */
const wrong: unknown[] = [undefined, null, "", "x".repeat(100_000), "\u0000", -1, 1.5, true, [], [{}], {}];

describe("every request schema", () => {
  const library = /expected|invalid input|too (?:small|big)|received/i;
  const schemas = Object.entries<Route>(routes).map(async ([key, { handler }]) => {
    const { steps } = (await load<Handler>(handler)).contract;
    return [key, steps.flatMap(({ body, query }) => [body ?? [], query ?? []].flat())] as const;
  });

  it("rejects wrong values with full sentences and without texts of the schema library", async () => {
    const sentences = new Set<string>();
    for (const [, found] of await Promise.all(schemas))
      for (const schema of found as z.ZodMiniType[]) {
        const names = Object.keys("shape" in schema ? (schema.shape as object) : {});
        for (const value of [...wrong, { unknown: 1 }])
          for (const input of [value, ...names.map((name) => ({ [name]: value }))])
            for (const detail of detailsOf(schema, input)) sentences.add(detail);
      }
    expect(sentences).toContain("Email is required.");
    expect([...sentences].filter((one) => library.test(one) || !/^[A-Z].*\.$/.test(one))).toEqual([]);
  });
});
