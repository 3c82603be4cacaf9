import PDFDocument from "pdfkit";
import { type EmbeddedFont, type Face, type Fonts, type Glyph, openFonts } from "./fonts.ts";
import { type Line, type Run, shape, type Typeface } from "./shape.ts";

/** Landscape A4 in points. */
export const page = { width: 841.89, height: 595.28, margin: 40 } as const;
export const contentWidth = page.width - 2 * page.margin;

/** Colours of the design language, in its light scheme. */
export const color = {
  text: "#17171c",
  muted: "#5c5c6a",
  border: "#e4e4ea",
  background: "#f6f6f8",
  accent: "#4350d4",
} as const;

/** Sizes of the design language, in points: three quarters of its pixels. */
export const size = { xs: 9, sm: 9.75, md: 10.5, xl: 16.5, xxl: 21 } as const;

export type Style = Typeface & { size: number; color: string };
export const style = {
  text: { weight: "regular", size: size.xs, color: color.text },
  muted: { weight: "regular", size: size.xs, color: color.muted },
  head: { weight: "medium", size: size.xs, color: color.muted },
  number: { weight: "regular", size: size.xs, color: color.text, tabular: true },
  total: { weight: "semibold", size: size.xs, color: color.text, tabular: true },
  label: { weight: "medium", size: size.xs, color: color.muted },
  cardTitle: { weight: "semibold", size: size.md, color: color.text },
  name: { weight: "medium", size: size.md, color: color.muted },
  title: { weight: "semibold", size: size.xxl, color: color.text },
  figure: { weight: "semibold", size: size.xl, color: color.text, tabular: true },
} as const satisfies Record<string, Style>;

export type Align = "left" | "right" | "center";

/** A PDF file that is being written, and the fonts and shaped lines that it uses. */
export type Paper = {
  pdf: PDFKit.PDFDocument;
  fonts: Fonts;
  lines: Map<string, Line>;
  /** The operators that are not yet part of the page. pdfkit allocates a buffer for each addition, so they are collected. */
  pending: string[];
};

/** Shaped lines that are kept, because names and figures repeat, and a text is measured before it is written. */
const kept = { lines: 1000, length: 64 };

export function openPaper(info: { title: string; author: string; created: Date }): Paper {
  const pdf = new PDFDocument({
    size: [page.width, page.height],
    margin: 0,
    autoFirstPage: false,
    pdfVersion: "1.7",
    lang: "en",
    displayTitle: true,
    font: null as unknown as string, // The built-in fonts have too few letters.
    info: { Title: info.title, Author: info.author, CreationDate: info.created },
  });
  return { pdf, fonts: openFonts(pdf), lines: new Map(), pending: [] };
}

/** Adds what was written to the current page, before a new page begins, the file ends, or something is drawn over it. */
export function flush({ pdf, pending }: Paper): void {
  if (pending.length > 0) pdf.addContent(pending.splice(0).join("\n"));
}

/** Returns a shaped line of text. */
export function lineOf(paper: Paper, text: string, typeface: Typeface): Line {
  if (text.length > kept.length) return shape(paper.fonts, text, typeface);
  const key = `${typeface.weight} ${typeface.tabular ?? false} ${text}`;
  const found = paper.lines.get(key);
  if (found) return found;
  if (paper.lines.size >= kept.lines) paper.lines.clear();
  const line = shape(paper.fonts, text, typeface);
  paper.lines.set(key, line);
  return line;
}

/** Returns the width of a text in points. */
export function widthOf(paper: Paper, text: string, of: Style): number {
  return (lineOf(paper, text, of).width * of.size) / 1000;
}

/** The distance of the baseline from the middle of a line, in font sizes: half the height of Inter's capitals. */
const halfCapital = 0.364;

type Spot = { x: number; y: number; width: number; align?: Align };

/**
 * Writes one line of text, vertically centred on `y`. Text wider than its spot is cut, and ends with an ellipsis.
 */
export function write(paper: Paper, text: string, spot: Spot, of: Style): void {
  if (text === "" || spot.width <= 0) return;
  const shown = widthOf(paper, text, of) <= spot.width ? text : cut(paper, text, spot.width, of);
  draw(paper, lineOf(paper, shown, of), spot, of);
}

/** Writes a figure, which is never cut: one that is wider than its spot becomes smaller. */
export function writeFigure(paper: Paper, text: string, spot: Spot, of: Style): void {
  if (text === "" || spot.width <= 0) return;
  const line = lineOf(paper, text, of);
  const wide = (line.width * of.size) / 1000;
  draw(paper, line, spot, wide <= spot.width ? of : { ...of, size: (of.size * spot.width) / wide });
}

function draw(paper: Paper, line: Line, { x, y, width, align = "left" }: Spot, of: Style): void {
  const free = width - (line.width * of.size) / 1000;
  const shift = { left: 0, center: free / 2, right: free }[align];
  paper.pending.push(contentOf(paper, line, x + shift, y + of.size * halfCapital, of));
}

/** Returns the longest beginning of a text that fits with an ellipsis. */
function cut(paper: Paper, text: string, width: number, of: Style): string {
  const characters = [...text];
  const fits = (count: number) =>
    (shape(paper.fonts, `${characters.slice(0, count).join("")}…`, of).width * of.size) / 1000 <= width;
  let [short, long] = [0, characters.length];
  while (long - short > 1) {
    const middle = (short + long) >> 1;
    if (fits(middle)) short = middle;
    else long = middle;
  }
  return `${characters.slice(0, short).join("").trimEnd()}…`;
}

/** A part of a text that lines are not broken in: a word, a blank, or a character of a script without blanks. */
const piece =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]\p{M}*|\s+|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu;

/** Breaks a text into at most `most` lines of a width. The last one ends with an ellipsis if the text is longer. */
export function wrap(paper: Paper, text: string, width: number, of: Style, most: number): string[] {
  if (text === "" || widthOf(paper, text, of) <= width) return [text];
  const lines: string[] = [];
  let line = "";
  for (const part of text.match(piece) ?? []) {
    if (widthOf(paper, line + part.trimEnd(), of) <= width) {
      line += part;
      continue;
    }
    if (line.trim() !== "") lines.push(line);
    line = part.trimStart();
    while (line !== "" && widthOf(paper, line, of) > width) {
      const head = longestHead(paper, line, width, of);
      lines.push(head);
      line = line.slice(head.length);
    }
    if (lines.length > most) break;
  }
  if (line.trim() !== "") lines.push(line);
  const shown = lines.slice(0, most).map((one) => one.trimEnd());
  // Lines still end with their blanks, which separate the last word from the first one of the text that is cut off.
  if (lines.length > most) shown[most - 1] = cut(paper, `${lines[most - 1]}${lines[most]}`, width, of);
  return shown;
}

/** Returns the beginning of a word that fits into a line, at least one character. */
function longestHead(paper: Paper, word: string, width: number, of: Style): string {
  let head = "";
  for (const character of word) {
    if (head !== "" && widthOf(paper, head + character, of) > width) break;
    head += character;
  }
  return head;
}

/** Returns the operators that write a line of text with its baseline at `y`. */
export function contentOf(paper: Paper, line: Line, x: number, y: number, of: Style): string {
  for (const { face } of line.runs) useFont(paper, face.embedded);
  line.operators ??= operatorsOf(line);
  const points = short(of.size);
  // Pages are drawn from top to bottom, so letters are flipped.
  const place = [points, "0 0", `-${points}`, short(x), short(y), "cm", rgb(of.color), "rg"];
  return `q ${place.join(" ")} ${line.operators} Q`;
}

function useFont({ pdf }: Paper, font: EmbeddedFont): void {
  const { fonts } = pdf.page as unknown as { fonts: Record<string, PDFKit.PDFKitReference> };
  fonts[font.id] ??= font.ref();
}

/** Returns the operators that draw a line from the origin, in font sizes. */
function operatorsOf({ runs }: Line): string {
  const text = ["BT"];
  const outlines: string[] = [];
  let at = 0;
  for (const run of runs) {
    text.push(`/${run.face.embedded.id} 1 Tf`, textOperators(run, at));
    for (const glyph of run.glyphs) {
      if (!isText(glyph)) outlines.push(outline(run.face, glyph.id, at + glyph.dx, glyph.dy));
      at += glyph.advance;
    }
  }
  return [...text, "ET", ...outlines].join(" ");
}

/**
 * Returns whether a glyph stands for characters. Some fonts draw the dots of Arabic letters as separate glyphs without
 * characters. They are drawn as outlines, because programs that extract text would find unknown characters in the word.
 */
function isText({ codePoints }: Glyph): boolean {
  return codePoints.length > 0;
}

/** Returns the operators that show the glyphs of a run, which begins at `start` thousandths of the font size. */
function textOperators({ face, glyphs, missing }: Run, start: number): string {
  const parts: string[] = [];
  let at = start;
  let pending: { start: number; glyphs: Glyph[] } = { start, glyphs: [] };
  const show = () => {
    if (pending.glyphs.length > 0) parts.push(spot(pending.start, 0), shown(face, pending.glyphs));
    pending = { start: at, glyphs: [] };
  };
  for (const glyph of glyphs) {
    const { advance, dx, dy } = glyph;
    const isMoved = dx !== 0 || dy !== 0;
    if (isText(glyph) && !isMoved) pending.glyphs.push(glyph);
    else if (advance !== 0 || isText(glyph)) show();
    if (isText(glyph) && isMoved) parts.push(spot(at + dx, dy), shown(face, [glyph]));
    at += advance;
    if (pending.glyphs.length === 0) pending.start = at;
  }
  show();
  const operators = parts.join(" ");
  if (missing === undefined) return operators;
  const text = Buffer.from(`\ufeff${missing}`, "utf16le").swap16().toString("hex");
  return `/Span <</ActualText <${text}>>> BDC ${operators} EMC`;
}

/** Returns the operators that fill the outline of a glyph. */
function outline(face: Face, id: number, dx: number, dy: number): string {
  const at = ([x = 0, y = 0]: readonly number[]) => `${fine(x + dx / 1000)} ${fine(y + dy / 1000)}`;
  const path = face.outline(id).map(({ operator, spots }) => `${spots.map(at).join(" ")} ${operator}`);
  return `${path.join(" ")} f`;
}

/** Returns the operator that moves to a position in thousandths of the font size. */
function spot(dx: number, dy: number): string {
  return `1 0 0 1 ${fine(dx / 1000)} ${fine(dy / 1000)} Tm`;
}

/** Returns the operator that shows glyphs, and adjusts the distance where it differs from the font's own. */
function shown(face: Face, glyphs: readonly Glyph[]): string {
  const text = ["[<"];
  let adjustment = 0;
  for (const glyph of glyphs) {
    if (Math.abs(adjustment) > 0.5) text.push(`> ${short(adjustment)} <`);
    const { code, width } = face.include(glyph);
    text.push(code);
    adjustment = width - glyph.advance;
  }
  text.push(">] TJ");
  return text.join("");
}

const colors = new Map<string, string>();

/** Returns the operands of a colour such as `#17171c`. */
function rgb(hex: string): string {
  const parts = () => [1, 3, 5].map((at) => short(Number.parseInt(hex.slice(at, at + 2), 16) / 255));
  const found = colors.get(hex) ?? parts().join(" ");
  colors.set(hex, found);
  return found;
}

function short(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** Formats a distance in font sizes. The fourth decimal place is less than a hundredth of a point. */
function fine(value: number): string {
  return String(Math.round(value * 10_000) / 10_000);
}

/** Draws a horizontal hairline. */
export function rule(
  { pending }: Paper,
  x: number,
  y: number,
  width: number,
  stroke: string = color.border,
): void {
  pending.push(`0.6 w ${rgb(stroke)} RG ${short(x)} ${short(y)} m ${short(x + width)} ${short(y)} l S`);
}

export type Box = { x: number; y: number; width: number; height: number };

/** Draws the edge of a card. */
export function card({ pdf }: Paper, { x, y, width, height }: Box): void {
  pdf.roundedRect(x, y, width, height, 6).lineWidth(0.6).strokeColor(color.border).stroke();
}
