import { describe, expect, it } from "vitest";
import { dateFormatOf, weekStartOf } from "./region.ts";

describe("dateFormatOf and weekStartOf", () => {
  it.each([
    ["de-CH", "DD.MM.YYYY", 1],
    ["de", "DD.MM.YYYY", 1],
    ["en-US", "MM/DD/YYYY", 7],
    ["en-GB", "DD/MM/YYYY", 1],
    ["fr", "DD/MM/YYYY", 1],
    ["sv", "YYYY-MM-DD", 1],
    ["ja", "YYYY-MM-DD", 7],
    ["en", "MM/DD/YYYY", 1],
    ["ar-EG", "DD/MM/YYYY", 6],
    ["de-CH-u-fw-sun", "DD.MM.YYYY", 7],
    ["en-GB-u-co-standard-fw-sat-hc-h12", "DD/MM/YYYY", 6],
    ["en-US-u-fw-xyz", "MM/DD/YYYY", 7],
  ])("of %s are %s and %i", (locale, dateFormat, weekStart) => {
    expect([dateFormatOf(locale), weekStartOf(locale)]).toEqual([dateFormat, weekStart]);
  });
});
