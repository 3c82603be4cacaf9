/**
 * The fonts of PDF files, by their paths in node_modules. They cover Latin, Greek, Cyrillic, Arabic, Hebrew, Chinese, Japanese
 * and Korean; DejaVu has further scripts and symbols.
 */
export const weights = {
  regular: "@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf",
  medium: "@expo-google-fonts/inter/500Medium/Inter_500Medium.ttf",
  semibold: "@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf",
} as const;
export type Weight = keyof typeof weights;

export const arabic = "@fontsource/noto-sans-arabic/files/noto-sans-arabic-arabic-400-normal.woff";
export const hebrew = "@fontsource/noto-sans-hebrew/files/noto-sans-hebrew-hebrew-400-normal.woff";
export const dejavu = "dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf";

/** A font that is divided into files by ranges of characters, so that a report loads only those that it needs. */
export type Divided = { ranges: string; file: (part: string) => string };

/** Chinese with Japanese kana, and Korean. Both have Chinese characters; the first one that has a character is used. */
export const divided: readonly Divided[] = ["sc", "kr"].map((script) => ({
  ranges: `@fontsource/noto-sans-${script}/unicode.json`,
  file: (part) => `@fontsource/noto-sans-${script}/files/noto-sans-${script}-${part}-400-normal.woff`,
}));

/**
 * Parses a file of ranges, such as `{"[58]": "U+6f22,U+6f80-6f84", "latin": "U+20-7e"}`. Returns the numbered parts; the named
 * ones have scripts that Inter has too.
 */
export function parseRanges(json: string): { part: string; ranges: [first: number, last: number][] }[] {
  return Object.entries(JSON.parse(json) as Record<string, string>).flatMap(([name, text]) => {
    const [, part] = /^\[(\d+)\]$/.exec(name) ?? [];
    if (part === undefined) return [];
    const ranges = text.split(",").map((range): [number, number] => {
      const [first = "", last = first] = range.trim().replace("U+", "").split("-");
      return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
    });
    return [{ part, ranges }];
  });
}
