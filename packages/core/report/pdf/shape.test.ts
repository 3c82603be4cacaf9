import PDFDocument from "pdfkit";
import { describe, expect, it } from "vitest";
import { openFonts } from "./fonts.ts";
import { shape } from "./shape.ts";

const fonts = openFonts(new PDFDocument({ font: null as unknown as string }));

/** Returns the characters of a line in the order in which they stand on paper, from left to right. */
function drawn(text: string): string {
  const { runs } = shape(fonts, text, { weight: "regular" });
  const codePoints = runs.flatMap(({ glyphs }) => glyphs.flatMap((glyph) => [...glyph.codePoints]));
  return String.fromCodePoint(...codePoints);
}

describe("shape", () => {
  // Programs that extract text undo the order, so only the glyphs show it.
  it.each([
    ["a Hebrew name", "דוד כהן", "ןהכ דוד"],
    ["a Hebrew name in a Latin text", "Call כהן now", "Call ןהכ now"],
    ["Latin words and numbers in a Hebrew text", "פגישה Version 2.0 שלום", "םולש Version 2.0 השיגפ"],
    ["punctuation before a Hebrew word", "?! שלום", "םולש !?"],
    ["brackets in a Hebrew text", "שלום (כהן)", "(ןהכ) םולש"],
  ])("draws %s in visual order", (_, text, expected) => {
    expect(drawn(text)).toBe(expected);
  });

  it("joins Arabic letters, which keep their characters", () => {
    const { runs } = shape(fonts, "محمد", { weight: "regular" });
    const glyphs = runs.flatMap((run) => run.glyphs);
    expect(drawn("محمد")).toBe("دمحم");
    // The two letters meem stand in different positions of the word, so their forms differ.
    const forms = glyphs.filter(({ codePoints }) => codePoints.includes("م".codePointAt(0) ?? 0));
    expect(new Set(forms.map(({ id }) => id)).size).toBe(2);
  });
});
