import { db } from "@svc/core/platform/db/engine";
import { colleague, type Home, owner, type Person } from "@svc/core/testing/people";
import { describe, expect, it } from "vitest";
import { request } from "../../testing/request.ts";

const hour = { startedAt: "2026-11-20T09:00:00Z", endedAt: "2026-11-20T10:00:00Z" };

const create = ({ token }: Person, body: object) =>
  request("POST /api/v1/time-entries", { token, body: { ...hour, ...body } });
const update = ({ token }: Person, id: string, body: object) =>
  request("PATCH /api/v1/time-entries/{id}", { token, path: { id }, body });
const remove = ({ token }: Person, id: string) =>
  request("DELETE /api/v1/time-entries/{id}", { token, path: { id } });
const entryOf = async (user: Person): Promise<string> => (await create(user, {})).body.id;
const eventsOf = (id: string) =>
  db()
    .selectFrom("events")
    .select(["action", "actor_id", "changes"])
    .where("target_id", "=", id)
    .orderBy("id")
    .execute();
const leaveTeam = ({ id }: Person, { teamId }: Home) =>
  db().deleteFrom("team_members").where("user_id", "=", id).where("team_id", "=", teamId).execute();

/** Returns the status and code with which a user creates, updates and deletes an entry of another. */
async function attempts(by: Person, user: Person): Promise<[number, string | undefined][]> {
  const id = await entryOf(user);
  const answers = [
    await create(by, { userId: user.id }),
    await update(by, id, { description: "Corrected" }),
    await remove(by, id),
  ];
  return answers.map(({ status, body }) => [status, body?.code]);
}

const allowed = [201, 200, 204].map((status) => [status, undefined]);
const forbidden = Array(3).fill([403, "insufficient_role"]);
/** Members cannot read the entries of others, so these do not exist for them. */
const hidden = [[403, "insufficient_role"], ...Array(2).fill([404, "time_entry_not_found"])];

describe("corrections of another user's time entries", () => {
  it("lets managers correct members of their teams, and admins and the owner everyone", async () => {
    const ada = await owner("Ada");
    const [admin, otherAdmin] = [await colleague(ada, "admin"), await colleague(ada, "admin")];
    const [boss, otherBoss] = [await colleague(ada, "manager"), await colleague(ada, "manager")];
    const [bob, eve] = [await colleague(ada), await colleague(ada)];
    const of = (by: Person, users: Person[]) => Promise.all(users.map((user) => attempts(by, user)));
    expect(await of(bob, [eve, boss])).toEqual([hidden, hidden]);
    expect(await of(boss, [bob, otherBoss, admin, ada])).toEqual([allowed, forbidden, forbidden, forbidden]);
    expect(await of(admin, [bob, boss, otherAdmin, ada])).toEqual([allowed, allowed, allowed, allowed]);
    expect(await of(ada, [bob, boss, admin])).toEqual([allowed, allowed, allowed]);
  });

  it("ends a manager's right when the member leaves their last common team, but not an admin's", async () => {
    const ada = await owner("Ada");
    const [boss, bob] = [await colleague(ada, "manager"), await colleague(ada)];
    await leaveTeam(bob, ada);
    expect(await attempts(boss, bob)).toEqual(forbidden);
    expect(await attempts(ada, bob)).toEqual(allowed);
  });

  it("does not count a team of another workspace as common", async () => {
    const [ada, eve] = [await owner("Ada"), await owner("Eve")];
    const [boss, bob] = [await colleague(ada, "manager"), await colleague(ada)];
    await leaveTeam(bob, ada);
    for (const { id } of [boss, bob])
      await db()
        .insertInto("team_members")
        .values({ team_id: eve.teamId, user_id: id, joined_at: new Date() })
        .execute();
    expect(await attempts(boss, bob)).toEqual(forbidden);
  });

  it("lets admins correct the entries of a former member, and creates none for them", async () => {
    const ada = await owner("Ada");
    const [boss, bob] = [await colleague(ada, "manager"), await colleague(ada)];
    const [first, second] = [await entryOf(bob), await entryOf(bob)];
    await leaveTeam(bob, ada);
    await db().deleteFrom("memberships").where("user_id", "=", bob.id).execute();
    expect((await update(boss, first, { description: "x" })).body.code).toBe("insufficient_role");
    expect((await update(ada, first, { description: "x" })).status).toBe(200);
    expect((await remove(ada, second)).status).toBe(204);
    expect((await create(ada, { userId: bob.id })).body.code).toBe("member_not_found");
    const eve = await owner("Eve");
    expect((await create(ada, { userId: eve.id })).body.code).toBe("member_not_found");
    expect((await update(eve, first, { description: "x" })).body.code).toBe("time_entry_not_found");
  });

  it("lets a manager correct the time of a suspended member", async () => {
    const ada = await owner("Ada");
    const [boss, bob] = [await colleague(ada, "manager"), await colleague(ada)];
    const id = await entryOf(bob);
    await db()
      .updateTable("memberships")
      .set({ status: "suspended" })
      .where("user_id", "=", bob.id)
      .execute();
    expect((await update(boss, id, { description: "x" })).status).toBe(200);
    expect((await create(boss, { userId: bob.id })).status).toBe(201);
  });

  it("stops another user's timer, and starts none", async () => {
    const ada = await owner("Ada");
    const bob = await colleague(ada);
    const started = await create(ada, { userId: bob.id, endedAt: undefined });
    expect([started.status, started.body.errors[0].pointer]).toEqual([422, "/endedAt"]);
    const timer = await create(bob, { endedAt: undefined });
    const stopped = await update(ada, timer.body.id, { endedAt: hour.endedAt });
    expect(stopped.body).toMatchObject({ userId: bob.id, durationSeconds: 3600 });
  });

  it("shows who changed an entry, also to its user, and keeps its user", async () => {
    const ada = await owner("Ada");
    const bob = await colleague(ada, "member", "Bob");
    const id = await entryOf(bob);
    const read = async ({ token }: Person) =>
      (await request("GET /api/v1/time-entries/{id}", { token, path: { id } })).body;
    expect(await read(bob)).toMatchObject({ updatedBy: bob.id, updater: { id: bob.id, name: "Bob" } });
    await update(ada, id, { description: "Corrected", userId: ada.id });
    const shown = { userId: bob.id, user: { name: "Bob" }, updatedBy: ada.id, updater: { name: "Ada" } };
    expect(await read(bob)).toMatchObject(shown);
    const exported = (await request("GET /user/export", { token: bob.token })).body;
    expect(exported.timeEntries).toMatchObject([{ id, updatedBy: ada.id }]);
  });

  it("records whose entry was corrected, with the values before and after", async () => {
    const ada = await owner("Ada");
    const bob = await colleague(ada);
    const { id } = (await create(ada, { userId: bob.id, description: "Call" })).body;
    await update(ada, id, { description: "Meeting" });
    await remove(ada, id);
    const same = { before: bob.id, after: bob.id };
    expect(await eventsOf(id)).toMatchObject([
      {
        action: "time_entry.created",
        actor_id: ada.id,
        changes: { userId: { before: null, after: bob.id }, description: { before: null, after: "Call" } },
      },
      {
        action: "time_entry.updated",
        actor_id: ada.id,
        changes: { userId: same, description: { before: "Call", after: "Meeting" } },
      },
      {
        action: "time_entry.deleted",
        actor_id: ada.id,
        changes: { userId: { before: bob.id, after: null }, description: { before: "Meeting", after: null } },
      },
    ]);
  });

  it("counts the time in the sums of its user, at the project's rate, and not on an archived project", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    const bob = await colleague(ada);
    const project = { name: "Engine", currency: "EUR", hourlyRate: "80" };
    const { id: projectId } = (await request("POST /api/v1/projects", { token: ada.token, body: project }))
      .body;
    const { body: entry } = await create(ada, { userId: bob.id, projectId });
    expect(entry).toMatchObject({ hourlyRate: "80.00", amount: "80.00" });
    await update(ada, entry.id, { endedAt: "2026-11-20T11:00:00Z" });
    const sums = await db()
      .selectFrom("project_sums")
      .selectAll()
      .where("project_id", "=", projectId)
      .execute();
    expect(sums.map(({ user_id, minor }) => [user_id, minor])).toEqual(
      Array(sums.length).fill([bob.id, "16000"]),
    );
    expect(sums.length).toBeGreaterThan(0);
    await request("POST /api/v1/projects/{id}/archive", { token: ada.token, path: { id: projectId } });
    for (const answer of [
      await create(ada, { userId: bob.id, projectId }),
      await update(ada, entry.id, { description: "x" }),
      await remove(ada, entry.id),
    ])
      expect(answer.body.code).toBe("project_archived");
  });
});
