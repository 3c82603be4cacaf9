import { describe, expect, it } from "vitest";
import { readTag, writeTag } from "./locale-tag.ts";

describe("readTag and writeTag", () => {
  it.each([
    ["de-CH", { language: "de-CH", hours: 24, weekStart: 1 }],
    ["de-CH-u-hc-h12", { language: "de-CH", hours: 12, weekStart: 1 }],
    ["en-US", { language: "en-US", hours: 12, weekStart: 7 }],
    ["en-US-u-fw-mon-hc-h23", { language: "en-US", hours: 24, weekStart: 1 }],
    ["en", { language: "en", hours: 12, weekStart: 1 }],
    ["ar-EG-u-fw-sun-nu-latn", { language: "ar-EG-u-nu-latn", hours: 12, weekStart: 7 }],
  ] as const)("%s is read and written again", (tag, region) => {
    expect(readTag(tag)).toEqual(region);
    expect(Intl.getCanonicalLocales(writeTag(region))).toEqual([tag]);
  });

  it("leaves out what the language says, and what it does not know", () => {
    expect(readTag("en-US-u-fw-sun-hc-h12")).toEqual(readTag("en-US"));
    expect(writeTag(readTag("en-US-u-fw-sun-hc-h12"))).toBe("en-US");
    expect(readTag("en-US-u-fw-xyz").weekStart).toBe(7);
  });

  it("keeps the hours and the week when another language is chosen", () => {
    expect(writeTag({ ...readTag("de-CH"), language: "en-US" })).toBe("en-US-u-fw-mon-hc-h23");
  });
});
