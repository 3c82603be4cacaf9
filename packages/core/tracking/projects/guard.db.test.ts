import { beforeEach, describe, expect, inject, it } from "vitest";
import type { Actor } from "../../base/actor.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { owner } from "../../testing/people.ts";
import { authorize, type Membership } from "../../workspace/authorization.ts";
import * as Archive from "../archiving/archive.ts";
import * as Project from "./project.ts";

const now = new Date("2026-03-02T12:00:00Z");

let actor: Actor;
let membership: Membership;
let projectId: string;
beforeEach(async () => {
  const { id: userId, sessionId, workspaceId } = await owner("Ada", "ENTERPRISE");
  actor = { userId, sessionId, ip: "127.0.0.1", userAgent: "test", requestId: "test" };
  membership = await authorize(actor, workspaceId);
  projectId = (await Project.create(actor, membership, { name: "Engine" }, now)).id;
});

/** Changes an entry in a transaction that has read the project before `meanwhile` runs, and returns the number of attempts. */
async function changeEntry(meanwhile: () => Promise<unknown>): Promise<number> {
  let attempts = 0;
  const { workspaceId } = membership;
  await transaction(async (tx) => {
    attempts++;
    await Project.fetch(tx, workspaceId, projectId);
    if (attempts === 1) await meanwhile();
    await Project.enter(tx, { workspaceId, id: projectId, userId: actor.userId }, now);
  });
  return attempts;
}

// PGlite has one connection, so its transactions cannot overlap.
describe.skipIf(inject("template").kind === "pglite")(
  "a change of an entry that has read the project",
  () => {
    it("runs again when the project is deleted meanwhile, and does not find it", () =>
      expect(
        changeEntry(() => Project.remove(actor, membership, projectId, undefined, now)),
      ).rejects.toMatchObject({
        code: "project_not_found",
      }));

    it("runs again when the project is archived meanwhile, and is rejected", () =>
      expect(changeEntry(() => Archive.archive(actor, membership, projectId, now))).rejects.toMatchObject({
        code: "project_archived",
      }));

    it("does not run again when another user changes an entry meanwhile", async () => {
      const { workspaceId } = membership;
      const other = { workspaceId, id: projectId, userId: "usr_other" };
      expect(await changeEntry(() => transaction((tx) => Project.enter(tx, other, now)))).toBe(1);
    });
  },
);
