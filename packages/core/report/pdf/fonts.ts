import { readFontFile } from "./font-files.ts";
import {
  arabic,
  type Divided,
  dejavu,
  divided,
  hebrew,
  parseRanges,
  type Weight,
  weights,
} from "./font-list.ts";
import { unpackWoff } from "./woff.ts";

/** A glyph of a font. `advance` and the offsets are in thousandths of the font size. */
export type Glyph = {
  id: number;
  advance: number;
  dx: number;
  dy: number;
  /** The characters that the glyph stands for, so that they can be copied and found. */
  codePoints: readonly number[];
};

type FontkitGlyph = {
  id: number;
  advanceWidth: number;
  codePoints: number[];
  path: { commands: { command: keyof typeof operators | "quadraticCurveTo"; args: number[] }[] };
};
type Position = { xAdvance: number; xOffset: number; yOffset: number };

/** PDF's operators of paths. It has no quadratic curves. */
const operators = { moveTo: "m", lineTo: "l", bezierCurveTo: "c", closePath: "h" } as const;

/** A part of an outline: its operator, and its points in font sizes. */
export type Stroke = { operator: string; spots: readonly (readonly [x: number, y: number])[] };

/** The parts of fontkit's font that are used here. */
type FontkitFont = {
  hasGlyphForCodePoint(codePoint: number): boolean;
  glyphForCodePoint(codePoint: number): FontkitGlyph;
  getGlyph(id: number, codePoints?: number[]): FontkitGlyph;
  layout(text: string, features?: Record<string, boolean>): { glyphs: FontkitGlyph[]; positions: Position[] };
};

/** The parts of pdfkit's embedded font that are used here. They collect the glyphs of a font that the file contains. */
export type EmbeddedFont = {
  id: string;
  font: FontkitFont;
  scale: number;
  /** The glyphs of the file, by their numbers in it. */
  subset: { glyphs: number[]; includeGlyph(id: number): number };
  widths: number[];
  unicode: (readonly number[])[];
  ref(): PDFKit.PDFKitReference;
};

export type Included = { code: string; width: number };

/** A font file that is loaded. */
export type Face = {
  embedded: EmbeddedFont;
  has(codePoint: number): boolean;
  /** Adds a glyph to the file. Returns its number there as four hexadecimal digits, and its width in the font. */
  include(glyph: Glyph): Included;
  /** Returns the glyph of a character outside of any context. With `tabular`, all digits have the same width. */
  glyph(codePoint: number, tabular: boolean): Glyph;
  /** Returns the glyph of a character with the distance to the character after it. */
  kerned(codePoint: number, next: number): Glyph;
  /** Returns the outline of a glyph, from bottom to top. */
  outline(id: number): readonly Stroke[];
  /** Returns the glyphs of a text with contextual forms and marks, from left to right. */
  layout(text: string): Glyph[];
};

export type Fonts = {
  /** Returns the font of a character; undefined if none has it. */
  faceFor(codePoint: number, weight: Weight): Face | undefined;
  face(weight: Weight): Face;
};

/** Returns the fonts of a PDF file. Each font is read when a character first needs it. */
export function openFonts(paper: PDFKit.PDFDocument): Fonts {
  const loaded = new Map<string, Face>();
  const load = (path: string): Face => {
    const found = loaded.get(path) ?? faceOf(embed(paper, path));
    loaded.set(path, found);
    return found;
  };
  const parts = divided.map(partFinder);
  const found = new Map<number, Face | undefined>();
  const fallback = (codePoint: number) => {
    const paths = [hebrew, arabic, ...parts.flatMap((fileFor) => fileFor(codePoint) ?? []), dejavu];
    const path = paths.find((one) => load(one).has(codePoint));
    return path === undefined ? undefined : load(path);
  };
  return {
    face: (weight) => load(weights[weight]),
    faceFor(codePoint, weight) {
      const face = load(weights[weight]);
      if (face.has(codePoint)) return face;
      if (!found.has(codePoint)) found.set(codePoint, fallback(codePoint));
      return found.get(codePoint);
    },
  };
}

function embed(paper: PDFKit.PDFDocument, path: string): EmbeddedFont {
  const file = readFontFile(path);
  paper.registerFont(path, path.endsWith(".woff") ? unpackWoff(file) : file).font(path);
  const embedded = (paper as unknown as { _font: EmbeddedFont })._font;
  keepCodePoints(embedded.font);
  return embedded;
}

/** Makes a font return a glyph with the characters that it stands for this time; fontkit keeps those of its first use. */
function keepCodePoints(font: FontkitFont): void {
  const getGlyph = font.getGlyph.bind(font);
  font.getGlyph = (id, codePoints) => {
    const glyph = getGlyph(id, codePoints);
    return codePoints ? Object.assign(Object.create(glyph), { codePoints }) : glyph;
  };
}

/** Returns a function that names the file with a character. Reads the ranges when a character may be in them. */
function partFinder({ ranges, file }: Divided): (codePoint: number) => string | undefined {
  let parts: ReturnType<typeof parseRanges> | undefined;
  return (codePoint) => {
    parts ??= parseRanges(readFontFile(ranges).toString());
    const part = parts.find((one) =>
      one.ranges.some(([first, last]) => first <= codePoint && codePoint <= last),
    );
    return part && file(part.part);
  };
}

/** Ligatures would join letters of different words, and alternates change the arrows and colons of a description. */
const plain = { calt: false, liga: false, clig: false };

function faceOf(embedded: EmbeddedFont): Face {
  const { font, scale } = embedded;
  const glyphs = [new Map<number, Glyph>(), new Map<number, Glyph>()] as const;
  const pairs = new Map<number, Glyph>();
  const included = new Map<number, Map<string, Included>>();
  // Finds the glyphs of Latin text, which are always the same objects, without joining their characters.
  const known = new WeakMap<Glyph, Included>();
  const outlines = new Map<number, Stroke[]>();
  const glyphFor = (codePoint: number, tabular: boolean): Glyph => {
    const one = tabular
      ? font.layout(String.fromCodePoint(codePoint), { ...plain, tnum: true }).glyphs[0]
      : font.glyphForCodePoint(codePoint);
    const { id = 0, advanceWidth = 0 } = one ?? {};
    return { id, advance: advanceWidth * scale, dx: 0, dy: 0, codePoints: [codePoint] };
  };
  // Some letters share a glyph, such as the Arabic ones that differ only in their dots. The file then has the glyph once for
  // each, so that all of them can be copied and found.
  const include = ({ id, codePoints }: Glyph): Included => {
    const all = included.get(id) ?? new Map<string, Included>();
    included.set(id, all);
    const text = codePoints.join();
    const found = all.get(text);
    if (found) return found;
    const number = all.size === 0 ? embedded.subset.includeGlyph(id) : embedded.subset.glyphs.push(id) - 1;
    const width = font.getGlyph(id).advanceWidth * scale;
    embedded.widths[number] = width;
    embedded.unicode[number] = codePoints;
    const made = { code: number.toString(16).padStart(4, "0"), width };
    all.set(text, made);
    return made;
  };
  return {
    embedded,
    has: (codePoint) => font.hasGlyphForCodePoint(codePoint),
    include(glyph) {
      const found = known.get(glyph) ?? include(glyph);
      known.set(glyph, found);
      return found;
    },
    glyph(codePoint, tabular) {
      const cache = glyphs[tabular ? 1 : 0];
      const found = cache.get(codePoint) ?? glyphFor(codePoint, tabular);
      cache.set(codePoint, found);
      return found;
    },
    kerned(codePoint, next) {
      const pair = codePoint * 0x110000 + next;
      let found = pairs.get(pair);
      if (found === undefined) {
        const { glyphs: both, positions } = font.layout(String.fromCodePoint(codePoint, next), plain);
        const plainGlyph = glyphFor(codePoint, false);
        found =
          both.length === 2 ? { ...plainGlyph, advance: (positions[0]?.xAdvance ?? 0) * scale } : plainGlyph;
        pairs.set(pair, found);
      }
      return found;
    },
    outline(id) {
      const found = outlines.get(id) ?? strokesOf(font.getGlyph(id).path.commands, scale / 1000);
      outlines.set(id, found);
      return found;
    },
    layout(text) {
      const run = font.layout(text);
      return run.glyphs.map(({ id, codePoints }, at) => {
        const { xAdvance = 0, xOffset = 0, yOffset = 0 } = run.positions[at] ?? {};
        return { id, codePoints, advance: xAdvance * scale, dx: xOffset * scale, dy: yOffset * scale };
      });
    },
  };
}

function strokesOf(commands: FontkitGlyph["path"]["commands"], scale: number): Stroke[] {
  let last: readonly [number, number] = [0, 0];
  return commands.map(({ command, args }) => {
    const given = Array.from(
      { length: args.length / 2 },
      (_, at) => [(args[2 * at] ?? 0) * scale, (args[2 * at + 1] ?? 0) * scale] as const,
    );
    const spots = command === "quadraticCurveTo" ? cubic(last, given) : given;
    last = given.at(-1) ?? last;
    return { operator: command === "quadraticCurveTo" ? "c" : operators[command], spots };
  });
}

/** Returns the control points and the end of the cubic curve that equals a quadratic one. */
function cubic(
  [x, y]: readonly [number, number],
  [[cx, cy] = [x, y], [ex, ey] = [x, y]]: readonly (readonly [number, number])[],
): (readonly [number, number])[] {
  return [
    [x + ((cx - x) * 2) / 3, y + ((cy - y) * 2) / 3],
    [ex + ((cx - ex) * 2) / 3, ey + ((cy - ey) * 2) / 3],
    [ex, ey],
  ];
}
