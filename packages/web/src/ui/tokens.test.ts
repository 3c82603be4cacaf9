import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const css = readFileSync(new URL("tokens.css", import.meta.url), "utf8");

/** Color tokens by name without `--`, in light and dark. Colors with transparency are left out. */
const colors = new Map(
  [...css.matchAll(/--([\w-]+): (?:light-dark\((#[\da-f]{6}), (#[\da-f]{6})\)|(#[\da-f]{6}));/g)].map(
    ([, name = "", light, dark, both]) => [name, { light: light ?? both ?? "", dark: dark ?? both ?? "" }],
  ),
);

/** Contrast ratio of two colors (WCAG 2.2, definitions "contrast ratio" and "relative luminance"). */
function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const surfaces = ["background", "surface", "raised", "hover", "pressed"];
const tints = ["positive", "warning", "danger"];

/** Pairs of foreground and background tokens whose contrast is at least 4.5, as text needs (WCAG 1.4.3). */
const text: [string, string][] = [
  ...["text", "muted"].flatMap((name) =>
    [...surfaces, "accent-tint"].map((under): [string, string] => [name, under]),
  ),
  ...["accent-text", "positive", "warning", "danger"].flatMap((name) =>
    ["background", "surface", "raised", "hover"].map((under): [string, string] => [name, under]),
  ),
  ["accent-text", "pressed"],
  ["accent-text", "accent-tint"],
  ...tints.map((name): [string, string] => [name, `${name}-tint`]),
  ...tints.map((name): [string, string] => ["text", `${name}-tint`]),
  ["on-ink", "ink"],
  ["on-accent", "accent"],
  ["on-accent", "accent-hover"],
  ["on-danger", "danger-fill"],
  ["on-float", "float"],
  ["float-muted", "float"],
  ["float-danger", "float"],
];

/** Pairs whose contrast is at least 3, as edges of controls, focus rings and graphics need (WCAG 1.4.11). */
const graphics: [string, string][] = [
  ...["control", "focus"].flatMap((name) =>
    ["background", "surface", "raised"].map((under): [string, string] => [name, under]),
  ),
  ...["hover", "pressed", "accent-tint"].map((under): [string, string] => ["focus", under]),
  ["accent", "surface"],
  ["accent", "background"],
  ["accent", "raised"],
  ["danger-fill", "raised"],
  ["ink", "surface"],
];

/** Tokens that need no contrast, with the reason. */
const decorative = {
  "color-border": "Dividers and card edges only repeat what spacing says.",
  "color-track": "The rest of a progress bar, whose value is also a number.",
};

const rows = (pairs: readonly [string, string][], limit: number) =>
  pairs.flatMap(([name, under]) =>
    (["light", "dark"] as const).map((scheme) => [`color-${name}`, `color-${under}`, limit, scheme] as const),
  );

describe("contrast of the tokens", () => {
  it.each([...rows(text, 4.5), ...rows(graphics, 3)])(
    "%s on %s is at least %d in %s",
    (name, under, limit, scheme) => {
      const [fore, back] = [colors.get(name)?.[scheme], colors.get(under)?.[scheme]];
      expect(contrast(fore ?? "", back ?? "")).toBeGreaterThanOrEqual(limit);
    },
  );

  const projects = [...colors.keys()].filter((name) => name.startsWith("project-"));
  it.each(projects)("%s is at least 3 on cards, pages and menus", (name) => {
    for (const under of ["surface", "background", "raised"])
      for (const scheme of ["light", "dark"] as const)
        expect(
          contrast(colors.get(name)?.[scheme] ?? "", colors.get(`color-${under}`)?.[scheme] ?? ""),
          `on ${under} in ${scheme}`,
        ).toBeGreaterThanOrEqual(3);
  });

  const avatars = [...colors.keys()].filter((name) => /^avatar-/.test(name));
  it.each(avatars)("initials on %s have at least 4.5", (name) => {
    const white = colors.get("on-avatar")?.light ?? "";
    expect(contrast(white, colors.get(name)?.light ?? "")).toBeGreaterThanOrEqual(4.5);
  });

  const source = new URL("../", import.meta.url);
  const sheets = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".css"),
  );
  it.each(sheets)("covers the pairs of color and background of the rules in %s", (name) => {
    const rules = readFileSync(new URL(name, source), "utf8").match(/\{[^{}]*\}/g) ?? [];
    const pairs = rules.flatMap((rule) => {
      const fore = /[^-]color: var\(--color-([\w-]+)\)/.exec(rule)?.[1];
      const back = /background(?:-color)?: var\(--color-([\w-]+)\)/.exec(rule)?.[1];
      return fore && back ? [`${fore} on ${back}`] : [];
    });
    const measured = new Set(text.map(([fore, back]) => `${fore} on ${back}`));
    expect(pairs.filter((pair) => !measured.has(pair))).toEqual([]);
  });

  it("covers every color token", () => {
    const measured = new Set([...text, ...graphics].flat().map((name) => `color-${name}`));
    const others = [...colors.keys()].filter(
      (name) => name.startsWith("color-") && !measured.has(name) && !(name in decorative),
    );
    expect([projects.length, avatars.length, others]).toEqual([10, 5, []]);
  });
});
