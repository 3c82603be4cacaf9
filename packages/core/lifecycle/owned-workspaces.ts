import * as z from "zod/mini";
import { Id } from "../base/id.ts";
import * as IpAllowlist from "../identity/ip-allowlist/ip-allowlist.ts";
import * as Override from "../money/override.ts";
import { db } from "../platform/db/engine.ts";
import * as Project from "../tracking/projects/project.ts";
import { Plan } from "../workspace/authorization.ts";
import * as Team from "../workspace/teams/team.ts";

/** A workspace without other active members, with its contents except time entries. It is deleted with the account. */
export const OwnedWorkspace = z.object({
  id: Id,
  name: z.string(),
  plan: Plan,
  teams: z.array(Team.View),
  projects: z.array(Project.View),
  rateOverrides: z.array(Override.Stored),
  addressList: z.pick(IpAllowlist.View, { enabled: true, entries: true }),
});
export type OwnedWorkspace = z.infer<typeof OwnedWorkspace>;

/** Lists the workspaces that would be deleted with the user's account, without those in `omittedIds`. */
export async function ownedWorkspaces(
  userId: string,
  omittedIds: readonly string[],
): Promise<OwnedWorkspace[]> {
  const rows = await db()
    .selectFrom("memberships")
    .innerJoin("workspaces", "workspaces.id", "memberships.workspace_id")
    .select(["workspaces.id", "workspaces.name", "workspaces.plan"])
    .where("memberships.user_id", "=", userId)
    .where("memberships.role", "=", "owner")
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("memberships as others")
            .select("others.user_id")
            .whereRef("others.workspace_id", "=", "workspaces.id")
            .where("others.user_id", "<>", userId)
            .where("others.status", "=", "active"),
        ),
      ),
    )
    .orderBy("workspaces.id")
    .execute();
  return Promise.all(rows.filter(({ id }) => !omittedIds.includes(id)).map(contentsOf));
}

type WorkspaceRow = { id: string; name: string; plan: string };

async function contentsOf({ id, name, plan }: WorkspaceRow): Promise<OwnedWorkspace> {
  const [teams, projects, rateOverrides, { enabled, entries }] = await Promise.all([
    Team.list(id),
    db().selectFrom("projects").selectAll().where("workspace_id", "=", id).orderBy("id").execute(),
    Override.list(db(), id),
    IpAllowlist.get({ workspaceId: id }),
  ]);
  return {
    id,
    name,
    plan: plan as Plan,
    teams,
    projects: projects.map((row) => Project.view({ seesMoney: true }, row)),
    rateOverrides,
    addressList: { enabled, entries },
  };
}
