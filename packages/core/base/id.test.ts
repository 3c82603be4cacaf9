import { expect, test } from "vitest";
import { firstId, idPattern, newId, timeOf } from "./id.ts";

test("newId returns ids that sort by time, and within a millisecond by order of creation", () => {
  const [early, late] = [new Date("2026-11-21T12:00:00.000Z"), new Date("2026-11-21T12:00:00.001Z")];
  const ids = [early, early, early, late, late].map((at) => newId("evt", at));
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids).size).toBe(5);
  for (const id of ids) expect(id).toMatch(idPattern);
});

test("firstId sorts before every id of its time and after every earlier id", () => {
  const at = new Date("2026-11-21T12:00:00.000Z");
  const before = new Date(at.getTime() - 1);
  for (let n = 0; n < 100; n++) {
    expect(newId("evt", at) > firstId("evt", at)).toBe(true);
    expect(newId("evt", before) < firstId("evt", at)).toBe(true);
  }
  expect(firstId("evt", new Date(-1))).toBe("evt_000000000000");
});

test.each(["", "a b", "a\n", "/a", "a/", "é", "x".repeat(65)])("idPattern rejects %j", (text) => {
  expect(text).not.toMatch(idPattern);
});

test("timeOf returns the time of an id's creation", () => {
  const at = new Date("2026-11-21T12:00:00.123Z");
  expect([timeOf(newId("evt", at)), timeOf(firstId("evt", at))]).toEqual([at, at]);
});
