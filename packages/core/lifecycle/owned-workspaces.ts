import * as z from "zod/mini";
import * as IpAllowlist from "../identity/ip-allowlist/ip-allowlist.ts";
import * as Override from "../money/override.ts";
import { db } from "../platform/db/engine.ts";
import * as Project from "../tracking/projects/project.ts";
import { type Membership, Plan } from "../workspace/authorization.ts";
import * as Team from "../workspace/teams/team.ts";

/** A workspace that nobody else is in, with what people put into it besides time. It goes with the account. */
export const OwnWorkspace = z.object({
  id: z.string(),
  name: z.string(),
  plan: Plan,
  teams: z.array(Team.View),
  projects: z.array(Project.View),
  rateOverrides: z.array(Override.View),
  addressList: z.pick(IpAllowlist.View, { enabled: true, entries: true }),
});
export type OwnWorkspace = z.infer<typeof OwnWorkspace>;

/** The workspaces that would close if this person deleted their account now. */
export async function ownWorkspaces(userId: string): Promise<OwnWorkspace[]> {
  const rows = await db()
    .selectFrom("memberships")
    .innerJoin("workspaces", "workspaces.id", "memberships.workspace_id")
    .select([
      "workspaces.id",
      "workspaces.name",
      "workspaces.plan",
      "workspaces.timezone",
      "workspaces.week_start as weekStart",
    ])
    .where("memberships.user_id", "=", userId)
    .where("memberships.role", "=", "owner")
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("memberships as others")
            .select("others.user_id")
            .whereRef("others.workspace_id", "=", "workspaces.id")
            .where("others.user_id", "<>", userId),
        ),
      ),
    )
    .orderBy("workspaces.id")
    .execute();
  return Promise.all(
    rows.map(async ({ id, name, plan, timezone, weekStart }) => {
      const membership: Membership = {
        workspaceId: id,
        role: "owner",
        plan: plan as Plan,
        timezone,
        weekStart,
      };
      const [teams, projects, rateOverrides, { enabled, entries }] = await Promise.all([
        Team.list(id),
        db().selectFrom("projects").selectAll().where("workspace_id", "=", id).orderBy("id").execute(),
        Override.views(db(), id),
        IpAllowlist.get(membership),
      ]);
      const addressList = { enabled, entries };
      return {
        id,
        name,
        plan: membership.plan,
        teams,
        projects: projects.map(Project.view),
        rateOverrides,
        addressList,
      };
    }),
  );
}
