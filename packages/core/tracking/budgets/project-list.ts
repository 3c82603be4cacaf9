import * as z from "zod/mini";
import * as Clock from "../../base/clock.ts";
import type { PageMeta } from "../../base/page.ts";
import type { Membership } from "../../workspace/authorization.ts";
import * as Project from "../projects/project.ts";
import * as Budget from "./budget.ts";

export const Item = z.extend(Project.View, {
  /** Present with `include=budget_status`. Null without a budget, and for callers who do not see money. */
  budgetStatus: z.optional(z.nullable(Budget.View)),
});
export type Item = z.infer<typeof Item>;

export const Query = z.object({
  ...Project.ListQuery.shape,
  include: z.optional(z.enum(["budget_status"])),
});
export type Query = z.infer<typeof Query>;

/**
 * Lists a page of the workspace's projects by name. Archived projects are included only on request. The statuses of all budgets
 * of the page take two statements.
 */
export async function list(
  membership: Membership,
  { include, ...query }: Query,
  now: Date = Clock.now(),
): Promise<{ data: Item[]; meta: PageMeta }> {
  const { rows, meta } = await Project.page(membership, query);
  const data = rows.map((row) => Project.view(membership, row));
  if (include === undefined) return { data, meta };
  const statuses = membership.seesMoney ? await Budget.statuses(membership, rows, now) : undefined;
  return { data: data.map((item) => ({ ...item, budgetStatus: statuses?.get(item.id) ?? null })), meta };
}
