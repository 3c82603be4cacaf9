import { expect, test } from "vitest";
import { bundleName, units } from "./units.ts";

test("a handler is built once, however many lines name it", () => {
  const line = { handler: "upload/remove-avatar", needs: ["database", "avatars:write"] as const };
  expect(units([line, { ...line }])).toEqual([{ ...line, name: "upload-remove-avatar", sharp: false }]);
});

test("lines that name one handler and need different things cannot share its bundle", () => {
  const line = { handler: "team/get", needs: ["database"] as const };
  expect(() => units([line, { ...line, needs: [] }])).toThrow("team/get is named twice");
  expect(() => units([line, { ...line, sharp: true }])).toThrow("team/get is named twice");
});

test("no two handlers of the tables share a folder", () => {
  const names = units().map(({ handler }) => bundleName(handler));
  expect(new Set(names).size).toBe(names.length);
});
