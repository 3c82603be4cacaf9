import { expect, test } from "vitest";
import { csvLine } from "./csv.ts";

test.each([
  ["=1+1", "'=1+1"],
  ["+1", "'+1"],
  ["-1", "'-1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\tx", "'\tx"],
  ["\rx", `"'\rx"`],
  ["=a,b", `"'=a,b"`],
  ['say "hi"', '"say ""hi"""'],
  ["two\nlines", '"two\nlines"'],
  ["a=b", "a=b"],
  ["", ""],
  [null, ""],
])("csvLine writes %j as %j", (value, written) => {
  expect(csvLine([value, "x"])).toBe(`${written},x\r\n`);
});
