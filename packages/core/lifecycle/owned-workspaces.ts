import * as z from "zod/mini";
import * as IpAllowlist from "../identity/ip-allowlist/ip-allowlist.ts";
import * as Override from "../money/override.ts";
import { db } from "../platform/db/engine.ts";
import * as Project from "../tracking/projects/project.ts";
import { type Membership, Plan } from "../workspace/authorization.ts";
import * as Team from "../workspace/teams/team.ts";

/** A workspace without other members, with its contents except time entries. It is deleted with the account. */
export const OwnedWorkspace = z.object({
  id: z.string(),
  name: z.string(),
  plan: Plan,
  teams: z.array(Team.View),
  projects: z.array(Project.View),
  rateOverrides: z.array(Override.View),
  addressList: z.pick(IpAllowlist.View, { enabled: true, entries: true }),
});
export type OwnedWorkspace = z.infer<typeof OwnedWorkspace>;

/** Lists the workspaces that would be deleted with the user's account. */
export async function ownedWorkspaces(userId: string): Promise<OwnedWorkspace[]> {
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
    rows.map(({ id, name, plan, timezone, weekStart }) =>
      contentsOf(name, { workspaceId: id, role: "owner", plan: plan as Plan, timezone, weekStart }),
    ),
  );
}

async function contentsOf(name: string, membership: Membership): Promise<OwnedWorkspace> {
  const { workspaceId: id, plan } = membership;
  const [teams, projects, rateOverrides, { enabled, entries }] = await Promise.all([
    Team.list(id),
    db().selectFrom("projects").selectAll().where("workspace_id", "=", id).orderBy("id").execute(),
    Override.views(db(), id),
    IpAllowlist.get(membership),
  ]);
  const addressList = { enabled, entries };
  return { id, name, plan, teams, projects: projects.map(Project.view), rateOverrides, addressList };
}
