type Definition = {
  title: string;
  /** Label of the group of entries without a key. */
  withoutKey?: string;
  /** An entry can belong to several groups, so the groups do not add up to the total. */
  overlaps?: boolean;
};

/**
 * The dimensions that reports can group by. This module has no dependencies, so that the web client can import it. A new
 * dimension needs a line here and one in `groupings` (dimension-sql.ts).
 */
const definitions = {
  user: { title: "Person" },
  project: { title: "Project", withoutKey: "No project" },
  client: { title: "Client", withoutKey: "No client" },
  team: { title: "Team", withoutKey: "No team", overlaps: true },
  tag: { title: "Tag", withoutKey: "No tag", overlaps: true },
  billable: { title: "Billable" },
  currency: { title: "Currency" },
  day: { title: "Day" },
  week: { title: "Week" },
  month: { title: "Month" },
  year: { title: "Year" },
} as const satisfies Record<string, Definition>;

export type Dimension = keyof typeof definitions;

export const dimensions = Object.keys(definitions) as [Dimension, ...Dimension[]];

const definitionOf = (dimension: Dimension): Definition => definitions[dimension];

/** Titles of the dimensions, for column headings and for controls. */
export const titles = Object.fromEntries(
  dimensions.map((dimension) => [dimension, definitionOf(dimension).title]),
) as Readonly<Record<Dimension, string>>;

/** Returns the label of the group of entries without a key, such as "No project". */
export function labelWithoutKey(dimension: Dimension): string {
  return definitionOf(dimension).withoutKey ?? "";
}

/** Returns whether an entry can belong to several groups of this dimension. */
export function overlaps(dimension: Dimension): boolean {
  return definitionOf(dimension).overlaps === true;
}
