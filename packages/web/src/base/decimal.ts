/** Reads and writes decimal numbers as a locale does: 1,234.50 in English, 1.234,50 in German, 1’234.50 in Swiss German. */

type Separators = { decimal: string; group: string };

const cache = new Map<string, Separators>();

function separatorsOf(locale: string): Separators {
  const known = cache.get(locale);
  if (known) return known;
  const parts = new Intl.NumberFormat(locale).formatToParts(1_234_567.5);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? "";
  const found = { decimal: part("decimal") || ".", group: part("group") };
  cache.set(locale, found);
  return found;
}

/** Characters that people write between groups of three digits, besides the point and the comma. */
const spaces = /[\s'’\u00a0\u202f]/g;

/**
 * Returns the number as the API takes it, such as `-1234.50`, or undefined if the text is not a number. The last point or comma
 * begins the decimals, also the one that the locale does not use, such as in `120.50` in German. A point or comma before exactly
 * three digits is ambiguous unless the locale uses it for decimals or the number has another separator: `1.234` is then one
 * thousand in a locale that groups with it, and rejected in others. With `groups: false` it is rejected in all.
 */
export function parseDecimal(
  text: string,
  locale: string,
  { groups = true }: { groups?: boolean } = {},
): string | undefined {
  const { decimal, group } = separatorsOf(locale);
  const compact = text.trim().replace(spaces, "").replace("−", "-");
  const match = /^(-?)(\d[\d.,]*|[.,]\d+)$/.exec(compact);
  if (!match) return undefined;
  const [, sign = "", digits = ""] = match;
  const separators = digits.replace(/\d/g, "");
  const mark = markOf(digits, separators, decimal, groups ? group : "");
  if (mark === undefined) return undefined;
  const at = mark === "" ? -1 : digits.lastIndexOf(mark);
  const whole = at === -1 ? digits : digits.slice(0, at);
  const fraction = at === -1 ? "" : digits.slice(at + 1);
  if (!/^\d*$/.test(fraction) || !isGrouped(whole)) return undefined;
  const integer = whole.replace(/[.,]/g, "").replace(/^0+(?=\d)/, "") || "0";
  return `${sign}${integer}${fraction && `.${fraction}`}`;
}

/** Returns the separator that begins the decimals, an empty text for none, or undefined if the number is ambiguous. */
function markOf(digits: string, separators: string, decimal: string, group: string): string | undefined {
  const last = separators.at(-1);
  if (last === undefined) return "";
  const kinds = new Set(separators);
  if (kinds.size === 2) return last;
  if (separators.length > 1) return "";
  if (last === decimal) return last;
  if (!/\d{3}$/.test(digits) || !/^\d{1,3}[.,]\d{3}$/.test(digits)) return last;
  return last === group ? "" : undefined;
}

/** Tells whether the digits before the decimals have no separators, or one kind of them before each group of three. */
function isGrouped(whole: string): boolean {
  return /^\d*$/.test(whole) || /^\d{1,3}(\.\d{3})+$/.test(whole) || /^\d{1,3}(,\d{3})+$/.test(whole);
}

/** Writes a number of the API with the decimal separator of the locale and without groups, for a field. */
export function localDecimal(value: string, locale: string): string {
  return value.replace(".", separatorsOf(locale).decimal);
}
