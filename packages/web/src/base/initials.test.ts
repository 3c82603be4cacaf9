import { describe, expect, it } from "vitest";
import { colourOf, colours, initials } from "./initials.ts";

describe("initials", () => {
  it.each([
    ["Ada Lovelace", "AL"],
    ["ada lovelace", "AL"],
    ["Łukasz Żak", "ŁŻ"],
    ["  maria  del carmen  ruiz ", "MR"],
    ["Élodie", "É"],
    ["E\u0301lodie Martin", "ÉM"],
    ["Jean-Luc Picard", "JP"],
    ["O'Neil", "O"],
    ["李雷", "李"],
    ["太郎 山田", "太山"],
    ["김 민준", "김민"],
    ["नीना शर्मा", "नीश"],
    ["Ελένη Παπαδοπούλου", "ΕΠ"],
    ["юлия ёжикова", "ЮЁ"],
    ["გიორგი მაისურაძე", "გმ"],
    ["محمد علي", "م\u200cع"],
    ["ß Müller", "ßM"],
    ["ilknur ışık", "II"],
    ["👩‍🚀 Space", "👩‍🚀S"],
    ["🇨🇭 Team", "🇨🇭T"],
    ["👍🏽", "👍🏽"],
    ["𝒜da 𝒵ak", "𝒜𝒵"],
    ["3M Support", "3S"],
    ['(Ada) "Countess" Lovelace', "AL"],
    ["@ada", "A"],
    ["\u200fAda\u200b \u2067Lovelace", "AL"],
    ["Ada — Lovelace !", "AL"],
    ["Ada\u00a0Lovelace", "AL"],
    ["…", ""],
    ["", ""],
  ])("of %j are %j", (name, letters) => expect(initials(name)).toBe(letters));

  it("are at most two letters for any name, also with many combining marks", () => {
    const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
    const name = `a${"\u0301".repeat(40)} b${"\u0323".repeat(40)} c`;
    expect([...segmenter.segment(initials(name))]).toHaveLength(2);
  });
});

describe("colourOf", () => {
  it("always returns the same colour for one id, and spreads ids evenly over all colours", () => {
    expect(colourOf("usr_1")).toBe(colourOf("usr_1"));
    const counts = new Map<number, number>();
    for (let at = 0; at < 1000; at++) {
      const colour = colourOf(`usr_${at}`);
      counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
    expect([...counts.keys()].sort()).toEqual(Array.from({ length: colours }, (_, at) => at + 1));
    expect(Math.min(...counts.values())).toBeGreaterThan(120);
  });
});
