import { sql } from "kysely";
import { expect, it } from "vitest";
import { owner } from "../../testing/people.ts";
import { db } from "./engine.ts";
import { migrations } from "./migrations.ts";

it("the migrations of names replace control characters for the direction of text by blanks", async () => {
  const { id, workspaceId, teamId } = await owner("Ada");
  const name = "Ada\u202enimda\u2066";
  await db().updateTable("users").set({ name, title: "Dr\u2069" }).where("id", "=", id).execute();
  await db().updateTable("workspaces").set({ name }).where("id", "=", workspaceId).execute();
  await db().updateTable("teams").set({ name: "R\u200f&D" }).where("id", "=", teamId).execute();
  for (const migration of migrations.filter(({ id }) => id.endsWith("plain-names")))
    await sql.raw(migration.sql).execute(db());
  const user = db().selectFrom("users").select(["name", "title"]).where("id", "=", id);
  const workspace = db().selectFrom("workspaces").select("name").where("id", "=", workspaceId);
  const team = db().selectFrom("teams").select("name").where("id", "=", teamId);
  expect(await user.executeTakeFirst()).toEqual({ name: "Ada nimda ", title: "Dr " });
  expect(await workspace.executeTakeFirst()).toEqual({ name: "Ada nimda " });
  expect(await team.executeTakeFirst()).toEqual({ name: "R\u200f&D" });
});
