import type { Reader } from "../platform/db/engine.ts";
import type { Dimension } from "./dimension.ts";
import { labelsOf } from "./dimension-sql.ts";
import type { ReportScope } from "./report-scope.ts";

/** The filters of a report file, as requested. */
export type FileFilters = {
  projectId?: string | undefined;
  userId?: string | undefined;
  teamId?: string | undefined;
  tag?: string | undefined;
  billable?: boolean | undefined;
  currency?: string | undefined;
};

const roundings = {
  up: "up to a multiple of",
  down: "down to a multiple of",
  nearest: "to the nearest multiple of",
} as const;

/** Returns the name of a report's workspace. */
export async function workspaceName(reader: Reader, { workspaceId }: ReportScope): Promise<string> {
  const { name } = await reader
    .selectFrom("workspaces")
    .select("name")
    .where("id", "=", workspaceId)
    .executeTakeFirstOrThrow();
  return name;
}

/** Returns the filters and options of a report by their names, such as `["Project", "Engine"]`. */
export async function describeFilters(
  reader: Reader,
  { period, workspaceId, rounding, convertTo }: ReportScope,
  { projectId, userId, teamId, tag, billable, currency }: FileFilters,
): Promise<[name: string, value: string][]> {
  const nameOf = async (dimension: Dimension, id: string) =>
    (await labelsOf(reader, dimension, period, workspaceId, [id]))(id);
  const found: [string, string][] = [];
  if (userId !== undefined) found.push(["Person", await nameOf("user", userId)]);
  if (projectId !== undefined) found.push(["Project", await nameOf("project", projectId)]);
  if (teamId !== undefined) found.push(["Team", await nameOf("team", teamId)]);
  if (tag !== undefined) found.push(["Tag", tag]);
  if (billable !== undefined) found.push(["Billable", billable ? "yes" : "no"]);
  if (currency !== undefined) found.push(["Currency", currency]);
  if (convertTo !== undefined) found.push(["Converted to", convertTo]);
  if (rounding) found.push(["Rounding", `${roundings[rounding.way]} ${rounding.minutes} minutes`]);
  return found;
}
