import * as z from "zod/mini";
import type { Actor } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { Id, newId } from "../../base/id.ts";
import { type IfMatch, requireMatch } from "../../base/if-match.ts";
import { Instant } from "../../base/instant.ts";
import { Name } from "../../base/text.ts";
import * as Event from "../../event/event.ts";
import { db, type Reader, type Tx } from "../../platform/db/engine.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { changed, executeUnlessChanged, versionOf } from "../../platform/db/version.ts";
import { authorizeMember, type Membership, type Required, type WorkspaceRow } from "../authorization.ts";
import { limitReached, lock, maxTeams } from "../limits.ts";

export const View = z.object({
  id: Id,
  workspaceId: Id,
  name: z.string(),
  memberCount: z.int(),
  createdAt: Instant,
  updatedAt: Instant,
  /** The ETag without its quotes. */
  version: z.string(),
});
export type View = z.infer<typeof View>;

export const Create = z.object({ name: Name });
export type Create = z.infer<typeof Create>;

export const Update = z.partial(Create);
export type Update = z.infer<typeof Update>;

/** A caller's membership in a workspace, and one of its teams. */
export type TeamMembership = Membership & { teamId: string };

const missing = () =>
  new Fault("missing", "team_not_found", "Team not found, or you are not a member of its workspace.");

/**
 * Returns the caller's membership in the workspace of a team, from its row. Throws `missing` `team_not_found` for an
 * unknown team and for one of another workspace alike, then the errors of `authorizeMember`.
 */
export async function authorizeRow(
  actor: Actor,
  row: WorkspaceRow | undefined,
  teamId: string,
  required: Required,
): Promise<TeamMembership> {
  if (!row) throw missing();
  return { ...(await authorizeMember(actor, row, required)), teamId };
}

/** Lists all teams of a workspace by name. */
export async function list(workspaceId: string): Promise<View[]> {
  const rows = await selection(db()).where("teams.workspace_id", "=", workspaceId).execute();
  return rows.map(view);
}

/** Returns one team. Throws `missing` `team_not_found` if it was deleted meanwhile. */
export async function get({ teamId, workspaceId }: TeamMembership, reader: Reader = db()): Promise<View> {
  return view(await load(reader, workspaceId, teamId));
}

async function load(reader: Reader, workspaceId: string, teamId: string): Promise<TeamRow> {
  const row = await selection(reader)
    .where("teams.id", "=", teamId)
    .where("teams.workspace_id", "=", workspaceId)
    .executeTakeFirst();
  if (!row) throw missing();
  return row;
}

/** Creates a team with the caller as its first member. Throws `conflict` `limit_reached` above `maxTeams`. */
export async function create(
  actor: Actor,
  { workspaceId }: Membership,
  { name }: Create,
  now: Date = Clock.now(),
): Promise<View> {
  const id = newId("team", now);
  const row = { id, workspace_id: workspaceId, name, created_at: now, ...changed(now) };
  await transaction(async (tx) => {
    await tx.insertInto("teams").values(row).execute();
    await tx
      .insertInto("team_members")
      .values({ team_id: id, user_id: actor.userId, joined_at: now })
      .execute();
    await requireWithinLimit(tx, workspaceId);
    await Event.record(
      tx,
      actor,
      {
        action: "team.created",
        target: { type: "team", id, name },
        workspaceId,
        changes: Event.changes({}, { name }),
      },
      now,
    );
  });
  return view({ ...row, member_count: 1n });
}

async function requireWithinLimit(tx: Tx, workspaceId: string): Promise<void> {
  await lock(tx, "workspaces", workspaceId);
  const { teams } = await tx
    .selectFrom("teams")
    .select(({ fn }) => fn.countAll<bigint>().as("teams"))
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirstOrThrow();
  if (Number(teams) > maxTeams)
    throw limitReached(
      maxTeams,
      `This workspace has ${maxTeams} teams, which is the maximum. Delete one first.`,
    );
}

/** Renames a team. Throws `missing` `team_not_found` and `stale` `changed_meanwhile`. */
export async function update(
  actor: Actor,
  membership: TeamMembership,
  { name }: Update,
  ifMatch?: IfMatch,
  now: Date = Clock.now(),
): Promise<View> {
  return transaction(async (tx) => {
    const before = await load(tx, membership.workspaceId, membership.teamId);
    await requireMatch(ifMatch, view(before).version, () => view(before));
    if (name === undefined || name === before.name) return view(before);
    const written = tx
      .updateTable("teams")
      .set({ name, ...changed(now) })
      .where("id", "=", membership.teamId)
      .where("version", "is not distinct from", before.version)
      .returning(["name", "updated_at", "version"]);
    const stored = await executeUnlessChanged(written);
    const target = { type: "team", id: membership.teamId, name } as const;
    const changes = { name: { before: before.name, after: name } };
    await Event.record(
      tx,
      actor,
      { action: "team.updated", target, workspaceId: membership.workspaceId, changes },
      now,
    );
    return view({ ...before, ...stored });
  });
}

/**
 * Deletes a team. Its members stay in the workspace. Throws `missing` `team_not_found`, `stale` `changed_meanwhile`, and
 * `conflict` `last_team` for the only team of a workspace.
 */
export async function remove(
  actor: Actor,
  { teamId, workspaceId }: TeamMembership,
  ifMatch?: IfMatch,
  now: Date = Clock.now(),
): Promise<void> {
  await transaction(async (tx) => {
    // Concurrent deletions of the last two teams cause a write conflict.
    await lock(tx, "workspaces", workspaceId);
    const teams = await selection(tx).where("teams.workspace_id", "=", workspaceId).execute();
    const row = teams.find(({ id }) => id === teamId);
    if (!row) throw missing();
    await requireMatch(ifMatch, view(row).version, () => view(row));
    if (teams.length === 1)
      throw new Fault(
        "conflict",
        "last_team",
        "This is the only team of its workspace. Create another one first.",
      );
    await tx.deleteFrom("team_members").where("team_id", "=", teamId).execute();
    await tx.deleteFrom("invitations").where("team_id", "=", teamId).execute();
    const deleted = tx
      .deleteFrom("teams")
      .where("id", "=", teamId)
      .where("version", "is not distinct from", row.version)
      .returning("id");
    await executeUnlessChanged(deleted);
    await Event.record(
      tx,
      actor,
      { action: "team.deleted", target: { type: "team", id: teamId, name: row.name }, workspaceId },
      now,
    );
  });
}

function selection(reader: Reader) {
  return reader
    .selectFrom("teams")
    .selectAll("teams")
    .select(({ selectFrom, fn }) =>
      selectFrom("team_members")
        .select(fn.countAll<bigint>().as("count"))
        .whereRef("team_members.team_id", "=", "teams.id")
        .as("member_count"),
    )
    .orderBy("teams.name")
    .orderBy("teams.id");
}

type TeamRow = Awaited<ReturnType<ReturnType<typeof selection>["execute"]>>[number];

function view(row: TeamRow): View {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    name: row.name,
    memberCount: Number(row.member_count),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    version: versionOf(row, Number(row.member_count)),
  };
}
