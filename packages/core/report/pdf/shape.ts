import createBidi from "bidi-js";
import type { Weight } from "./font-list.ts";
import type { Face, Fonts, Glyph } from "./fonts.ts";

type Levels = { levels: Uint8Array };

/** The parts of bidi-js that are used here; its own types do not fit its package. */
const bidi = (
  createBidi as unknown as () => {
    getEmbeddingLevels(text: string): Levels;
    getMirroredCharactersMap(text: string, levels: Uint8Array): Map<number, string>;
  }
)();

/** Glyphs of one font, from left to right. `missing` is the text that no font has, drawn as boxes. */
export type Run = { face: Face; glyphs: readonly Glyph[]; missing?: string };

/**
 * A line of text that is ready to be drawn. `width` is in thousandths of the font size. `operators` draw it, and are kept with it
 * because they depend neither on its position nor on its size.
 */
export type Line = { runs: readonly Run[]; width: number; operators?: string };

export type Typeface = { weight: Weight; tabular?: boolean };

/** Characters that a font draws one by one, whatever stands beside them. All others are laid out in context. */
const isPlain =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Nd}\p{P}\p{S}\p{Zs}]$/u;

/** Text that Inter has whole: Latin letters of Europe, digits and punctuation. */
const isLatin = /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u017f\u2013\u2014\u2018-\u201e\u2026\u2212]*$/;

/** Characters of scripts that are written from right to left, and the characters that control directions. */
const needsBidi =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Marks and joiners, which belong to the character before them. */
const isAttached = /^(?:\p{M}|[\u200c\u200d])$/u;

/**
 * Blanks and punctuation, which stay in the font of a word from right to left, so that programs that extract text find all of
 * its words in one piece.
 */
const isNeutral = /^[\p{Zs}\p{P}]$/u;

/** Characters that are not drawn: controls of the text direction and others without a form. */
const isInvisible = /^[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]$/u;

/** Characters of one font and direction in their logical order. Odd levels are written from right to left. */
type Item = { face: Face | undefined; level: number; characters: string[]; isPlain: boolean };

/**
 * Shapes a line of text: chooses fonts, orders the parts of different directions (UAX #9) and joins Arabic letters. The
 * direction of the line is that of its first letter.
 */
export function shape(fonts: Fonts, text: string, { weight, tabular = false }: Typeface): Line {
  // Most texts need no more than this, and a long report has hundreds of thousands.
  if (isLatin.test(text)) {
    const face = fonts.face(weight);
    const glyphs = glyphsOf(face, codePointsOf(text), tabular);
    return { runs: [{ face, glyphs }], width: widthOf(glyphs) };
  }
  const items = needsBidi.test(text)
    ? visualOrder(itemsOf(fonts, text, weight, bidi.getEmbeddingLevels(text)))
    : itemsOf(fonts, text, weight);
  const runs = items.map((item) => runOf(fonts.face(weight), item, tabular));
  return { runs, width: runs.reduce((total, { glyphs }) => total + widthOf(glyphs), 0) };
}

function codePointsOf(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0);
}

function widthOf(glyphs: readonly Glyph[]): number {
  return glyphs.reduce((sum, { advance }) => sum + advance, 0);
}

function itemsOf(fonts: Fonts, text: string, weight: Weight, levels?: Levels): Item[] {
  const mirrored = levels && bidi.getMirroredCharactersMap(text, levels.levels);
  const items: Item[] = [];
  let at = 0;
  for (const character of text) {
    const level = levels?.levels[at] ?? 0;
    const shown = mirrored?.get(at) ?? character;
    at += character.length;
    if (isInvisible.test(character)) continue;
    const last = items.at(-1);
    if (last && isAttached.test(character)) {
      last.characters.push(shown);
      last.isPlain = false;
      continue;
    }
    const codePoint = shown.codePointAt(0) ?? 0;
    const continues = last && !last.isPlain && last.level === level && level % 2 === 1;
    if (continues && isNeutral.test(shown) && last.face?.has(codePoint)) {
      last.characters.push(shown);
      continue;
    }
    const face = fonts.faceFor(codePoint, weight);
    const plain = isPlain.test(shown);
    if (last && last.face === face && last.level === level && last.isPlain === plain)
      last.characters.push(shown);
    else items.push({ face, level, characters: [shown], isPlain: plain });
  }
  return items;
}

/** Reverses each sequence of items at or above a level, from the highest level down to the lowest odd one (rule L2). */
function visualOrder(items: Item[]): Item[] {
  const ordered = [...items];
  for (let level = Math.max(0, ...items.map((item) => item.level)); level > 0; level--)
    for (let at = 0; at < ordered.length; at++) {
      let end = at;
      while ((ordered[end]?.level ?? 0) >= level) end++;
      if (end > at) ordered.splice(at, end - at, ...ordered.slice(at, end).reverse());
      at = end;
    }
  return ordered;
}

function runOf(fallback: Face, { face, level, characters, isPlain }: Item, tabular: boolean): Run {
  if (!face) return missingRun(fallback, characters);
  if (!isPlain) return { face, glyphs: face.layout(characters.join("")) };
  const ordered = level % 2 === 1 ? characters.reverse() : characters;
  const codePoints = ordered.map((character) => character.codePointAt(0) ?? 0);
  return { face, glyphs: glyphsOf(face, codePoints, tabular) };
}

function glyphsOf(face: Face, codePoints: readonly number[], tabular: boolean): Glyph[] {
  return codePoints.map((codePoint, at) => {
    const next = codePoints[at + 1];
    return tabular || next === undefined ? face.glyph(codePoint, tabular) : face.kerned(codePoint, next);
  });
}

/** Returns a box for each character. Its glyph has the number 0 in every font. */
function missingRun(face: Face, characters: readonly string[]): Run {
  const box = { ...face.glyph(0xfffd, false), id: 0 };
  return { face, glyphs: characters.map(() => box), missing: characters.join("") };
}
