import { expect, test } from "vitest";
import { Fault } from "./fault.ts";
import { requireScope, scopes, type TokenScope } from "./token-scope.ts";

const allowed = (given: readonly string[], needed: TokenScope): boolean => {
  try {
    requireScope({ grant: { workspaceId: "wsp_1", scopes: given } }, needed);
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(Fault);
    expect(error).toMatchObject({ kind: "forbidden", code: "insufficient_scope" });
    return false;
  }
};

test.each([
  [["read"], [true, false, false]],
  [["write"], [true, true, false]],
  [["admin"], [true, true, true]],
  [
    ["read", "write"],
    [true, true, false],
  ],
  [["unknown"], [false, false, false]],
  [[], [false, false, false]],
])("an API token with the scopes %j has the rights read, write and admin: %j", (given, expected) => {
  expect(scopes.map((needed) => allowed(given, needed))).toEqual(expected);
});

test("a session has every right", () => {
  for (const needed of scopes) expect(() => requireScope({}, needed)).not.toThrow();
});
