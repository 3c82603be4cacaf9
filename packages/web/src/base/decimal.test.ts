import { describe, expect, it } from "vitest";
import { localDecimal, parseDecimal } from "./decimal.ts";

describe("parseDecimal", () => {
  it.each([
    ["120,50", "de", "120.50"],
    ["120,50", "de-CH", "120.50"],
    ["120.50", "de", "120.50"],
    ["120,50", "en", "120.50"],
    ["120.50", "en", "120.50"],
    ["1.234,50", "de", "1234.50"],
    ["1,234.50", "en", "1234.50"],
    ["1’234.50", "de-CH", "1234.50"],
    ["1'234,50", "de-CH", "1234.50"],
    ["1 234,50", "fr", "1234.50"],
    ["1\u202f234,50", "fr", "1234.50"],
    ["1.234.567", "de", "1234567"],
    ["1.234", "de", "1234"],
    ["1,234", "en", "1234"],
    ["1.234", "en", "1.234"],
    ["1,234", "de", "1.234"],
    ["1,0850", "de", "1.0850"],
    ["1.0850", "de", "1.0850"],
    [" 95 ", "en", "95"],
    ["007", "en", "7"],
    [",5", "de", "0.5"],
    ["5,", "de", "5"],
    ["-3,5", "de", "-3.5"],
    ["−3.5", "en", "-3.5"],
    ["0", "en", "0"],
  ])("reads %j in %s as %s", (text, locale, expected) => {
    expect(parseDecimal(text, locale)).toBe(expected);
  });

  it.each([
    ["", "en"],
    ["abc", "en"],
    ["1.2.3", "en"],
    ["1,2,3", "de"],
    ["12.34,5,6", "de"],
    ["1e5", "en"],
    ["12%", "en"],
    [".", "en"],
    // Neither decimals nor groups in Swiss German and French.
    ["1,234", "de-CH"],
    ["1.234", "fr"],
  ])("does not read %j in %s", (text, locale) => {
    expect(parseDecimal(text, locale)).toBeUndefined();
  });

  it.each([
    ["1.085", "de"],
    ["1,085", "en"],
  ])("does not read %j in %s without groups", (text, locale) => {
    expect(parseDecimal(text, locale, { groups: false })).toBeUndefined();
  });
});

describe("localDecimal", () => {
  it.each([
    ["120.50", "de", "120,50"],
    ["120.50", "de-CH", "120.50"],
    ["1234.5", "en", "1234.5"],
    ["95", "fr", "95"],
  ])("writes %s in %s as %s, which reads back as the same number", (value, locale, expected) => {
    expect(localDecimal(value, locale)).toBe(expected);
    expect(parseDecimal(expected, locale)).toBe(value);
  });
});
