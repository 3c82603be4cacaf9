import { expect, test } from "vitest";
import { bundleName, units } from "./units.ts";

test("units returns one bundle for a handler that several lines use", () => {
  const line = { handler: "upload/remove-avatar", needs: ["database", "avatars:write"] as const };
  expect(units([line, { ...line }])).toEqual([{ ...line, name: "upload-remove-avatar", sharp: false }]);
});

test("units throws when lines with the same handler have different needs", () => {
  const line = { handler: "team/get", needs: ["database"] as const };
  expect(() => units([line, { ...line, needs: [] }])).toThrow("team/get is listed twice");
  expect(() => units([line, { ...line, sharp: true }])).toThrow("team/get is listed twice");
});

test("bundleName gives every handler a separate folder", () => {
  const names = units().map(({ handler }) => bundleName(handler));
  expect(new Set(names).size).toBe(names.length);
});
