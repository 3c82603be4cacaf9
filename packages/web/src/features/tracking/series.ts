import { projectColor } from "../../base/project-color.ts";
import type { Series } from "../../ui/stacked-bars.tsx";
import type { Project } from "./projects.ts";

/** A group of a report. */
export type Part = { key: string | null; label: string; durationSeconds?: number | undefined };

/** Charts have at least these parts, if there are as many groups. */
const fewParts = 8;

/** The most parts of a chart. The groups beyond them are added up. */
export const mostParts = 20;

/** Up to `mostParts`, a chart has as many parts as it needs so that the sum of all others is at most this share. */
const largestRest = 0.25;

/** Colors of groups that are not projects, in this order. */
const palette = ["blue", "pink", "teal", "violet", "orange", "cyan", "green", "amber", "red", "slate"];

/** The parts of a chart, and the place of each group among them. */
export type Parts = { series: Series[]; placeOf: (key: string | null) => number };

/**
 * Returns the parts of a chart in the order of their names, which does not change with the period. Entries without a group
 * come last, then `other`, the sum of those for which there is no room.
 */
export function partsOf(
  groups: readonly Part[],
  colorOf: (key: string | null, at: number) => string,
  other: string,
  few = fewParts,
): Parts {
  const sums = new Map<string | null, { label: string; seconds: number }>();
  for (const { key, label, durationSeconds = 0 } of groups)
    sums.set(key, { label, seconds: (sums.get(key)?.seconds ?? 0) + durationSeconds });
  const ranked = [...sums].sort(([, a], [, b]) => b.seconds - a.seconds);
  const kept = ranked
    .slice(
      0,
      partCount(
        ranked.map(([, { seconds }]) => seconds),
        few,
      ),
    )
    .sort(
      ([a, one], [b, two]) => Number(a === null) - Number(b === null) || one.label.localeCompare(two.label),
    );
  const series = kept.map(([key, { label }], at) => ({
    id: key ?? "",
    name: label,
    color: colorOf(key, at),
  }));
  const places = new Map(kept.map(([key], at) => [key, at]));
  if (sums.size > kept.length) series.push({ id: "other", name: other, color: "var(--color-control)" });
  return { series, placeOf: (key) => places.get(key) ?? kept.length };
}

/** Returns how many groups, the largest first, get a part each. */
function partCount(ranked: readonly number[], few: number): number {
  const all = ranked.reduce((sum, one) => sum + one, 0);
  let rest = all;
  let count = 0;
  for (const one of ranked) {
    if (count >= few && (count >= mostParts || rest <= largestRest * all)) break;
    rest -= one;
    count++;
  }
  return count;
}

/** Returns the function that colors the groups of a report by project. */
export function projectColors(projects: readonly Project[]): (key: string | null) => string {
  const colors = new Map(projects.map(({ id, color }) => [id, projectColor(color)]));
  return (key) => (key === null ? "var(--color-control)" : (colors.get(key) ?? "var(--project-slate)"));
}

/** Returns the color of a group that is not a project, by its place. After the palette, its colors follow nearer to the text's. */
export function paletteColor(at: number): string {
  const color = `var(--project-${palette[at % palette.length]})`;
  return at < palette.length ? color : `color-mix(in oklab, ${color} 60%, var(--color-text))`;
}

/** Adds up the figures of groups at the places of a chart. */
export function valuesOf<Group extends Part>(
  groups: readonly Group[],
  { series, placeOf }: Parts,
  figure: (group: Group) => number,
): number[] {
  const values = series.map(() => 0);
  for (const group of groups) {
    const at = placeOf(group.key);
    values[at] = (values[at] ?? 0) + figure(group);
  }
  return values;
}
