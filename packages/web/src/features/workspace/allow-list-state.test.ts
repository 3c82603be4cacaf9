import { describe, expect, it } from "vitest";
import { Problem } from "../../base/api.ts";
import { errorsByInput, initialState, reduce, restoredState, unsavedFields } from "./allow-list-state.ts";

const list = {
  enabled: false,
  entries: [
    { cidr: "203.0.113.7/32", label: "Office" },
    { cidr: "2001:db8::/32", label: "VPN" },
  ],
  version: "1",
  warnings: [],
};
const start = initialState(list);
const invalid = (...pointers: string[]) =>
  new Problem(422, { errors: pointers.map((pointer) => ({ code: "invalid", detail: "Wrong.", pointer })) });

describe("errorsByInput", () => {
  it("assigns an error to the input of its row and column", () =>
    expect(errorsByInput(invalid("/entries/1/cidr"), start.rows)).toEqual({ "1 cidr": "Wrong." }));

  it.each(["/enabled", "/entries/2/cidr", "/entries/0/other"])("ignores the pointer %s", (pointer) =>
    expect(errorsByInput(invalid(pointer), start.rows)).toEqual({}),
  );
});

describe("reduce", () => {
  it("gives an added row a key that was never used", () => {
    const removed = reduce(start, { type: "remove", key: 1 });
    expect(reduce(removed, { type: "add" }).rows.map(({ key }) => key)).toEqual([0, 2]);
  });

  it("clears the errors when a row is edited", () => {
    const failed = reduce(start, { type: "failed", error: invalid("/entries/0/cidr") });
    expect(failed.errors).toEqual({ "0 cidr": "Wrong." });
    const edited = reduce(failed, { type: "edit", key: 0, column: "cidr", value: "203.0.113.8" });
    expect(edited.errors).toEqual({});
    expect(edited.rows[0]).toEqual({ key: 0, cidr: "203.0.113.8", label: "Office" });
  });

  it("reports an error that belongs to no input as the failure of the form", () => {
    const error = invalid("/enabled");
    const saving = { ...start, confirming: true, saving: true };
    expect(reduce(saving, { type: "failed", error })).toMatchObject({
      failure: error,
      errors: {},
      confirming: false,
      saving: false,
    });
  });
});

describe("restoredState", () => {
  it("is the initial state when nothing was changed", () => {
    expect(unsavedFields(start, list)).toEqual({});
    expect(restoredState(list, {})).toEqual(start);
  });

  it("has the rows and the switch as they were left, and says so", () => {
    const edited = reduce(start, { type: "edit", key: 1, column: "label", value: "Tunnel" });
    const left = reduce(reduce(edited, { type: "remove", key: 0 }), { type: "enable", enabled: true });
    expect(restoredState(list, unsavedFields(left, list))).toMatchObject({
      enabled: true,
      rows: [{ cidr: "2001:db8::/32", label: "Tunnel" }],
      restored: true,
    });
  });
});
