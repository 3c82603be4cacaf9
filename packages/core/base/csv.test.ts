import { expect, test } from "vitest";
import { csvLine } from "./csv.ts";

test.each([
  ["=1+1", "'=1+1"],
  ["+1", "'+1"],
  ["-1", "'-1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\tx", "'\tx"],
  ["\t=1+1", "'\t=1+1"],
  ["\rx", `"'\rx"`],
  ["\nx", `"'\nx"`],
  ["＝1+1", "'＝1+1"],
  ["＋1", "'＋1"],
  ["－1", "'－1"],
  ["＠SUM(A1)", "'＠SUM(A1)"],
  [" =1+1", "' =1+1"],
  ["\u3000＝1+1", "'\u3000＝1+1"],
  ["\ufeff=1+1", "'\ufeff=1+1"],
  [" x", " x"],
  ["=a,b", `"'=a,b"`],
  ['say "hi"', '"say ""hi"""'],
  ["two\nlines", '"two\nlines"'],
  ["a=b", "a=b"],
  ["", ""],
  [null, ""],
])("csvLine writes %j as %j", (value, written) => {
  expect(csvLine([value, "x"])).toBe(`${written},x\r\n`);
});
