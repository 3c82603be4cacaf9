import type { Actor } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import * as Event from "../../event/event.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { changed } from "../../platform/db/version.ts";
import type { Membership } from "../../workspace/authorization.ts";
import * as Guard from "../projects/guard.ts";
import * as Project from "../projects/project.ts";
import * as TimeEntry from "../time-entries/time-entry.ts";

/**
 * Archives a project: stops its running timers, rejects new time entries and hides it from the default lists. Reports keep
 * its time. Idempotent: archiving twice changes nothing and records no second event. Throws `missing` `project_not_found`.
 */
export async function archive(
  actor: Actor,
  membership: Membership,
  id: string,
  now: Date = Clock.now(),
): Promise<Project.View> {
  const { workspaceId } = membership;
  return transaction(async (tx) => {
    const before = await Project.fetch(tx, workspaceId, id);
    if (before.archived_at) return Project.view(membership, before);
    await Guard.close(tx, id);
    const archived = { archived_at: now, archived_by: actor.userId };
    const row = await Project.write(tx, before, { ...archived, ...changed(now) });
    const running = await tx
      .selectFrom("time_entries")
      .selectAll()
      .where("project_id", "=", id)
      .where("ended_at", "is", null)
      .execute();
    for (const timer of running) await TimeEntry.finish(tx, actor, timer, now);
    const archivedAt = now.toISOString();
    const changes = { archivedAt: { before: null, after: archivedAt } };
    const data = {
      projectId: id,
      projectName: row.name,
      client: row.client,
      archivedAt,
      archivedBy: actor.userId,
      stoppedTimers: running.length,
    };
    const about = { ...Project.eventScope(row), changes, data };
    await Event.publish(tx, actor, { action: "project.archived", ...about }, now);
    return Project.view(membership, row);
  });
}

/**
 * Unarchives a project. Idempotent. Throws `missing` `project_not_found`, and `conflict` `limit_reached` above
 * `maxActiveProjects`.
 */
export async function unarchive(
  actor: Actor,
  membership: Membership,
  id: string,
  now: Date = Clock.now(),
): Promise<Project.View> {
  const { workspaceId } = membership;
  return transaction(async (tx) => {
    const before = await Project.fetch(tx, workspaceId, id);
    if (!before.archived_at) return Project.view(membership, before);
    const active = { archived_at: null, archived_by: null };
    const row = await Project.write(tx, before, { ...active, ...changed(now) });
    await Project.requireWithinLimit(tx, workspaceId);
    const changes = { archivedAt: { before: before.archived_at.toISOString(), after: null } };
    await Project.record(tx, actor, "project.unarchived", row, changes, now);
    return Project.view(membership, row);
  });
}
