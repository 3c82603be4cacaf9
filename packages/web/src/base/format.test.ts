import { afterEach, describe, expect, it, vi } from "vitest";
import { browserRegion, locale, money } from "./format.ts";

describe("locale", () => {
  afterEach(() => vi.unstubAllGlobals());

  function browser(language: string): void {
    vi.stubGlobal("navigator", { language });
    vi.stubGlobal("document", { cookie: "" });
  }

  it.each([
    ["de-CH", "de-CH"],
    ["en-US@posix", "en-US"],
    ["en_US.UTF-8", "en"],
    ["C", "en"],
    ["", "en"],
  ])("reads the language %j of a browser as %s", (language, expected) => {
    browser(language);
    expect(locale()).toBe(expected);
    expect(browserRegion().locale).toBe(expected);
    expect(money({ amount: "1.00", currency: "EUR" })).toContain("1");
  });
});
