import { newId } from "@svc/core/base/id";
import { db } from "@svc/core/platform/db/engine";
import { colleague, type Home, owner, type Person } from "@svc/core/testing/people";
import * as Suggestions from "@svc/core/tracking/time-entries/suggestions";
import { describe, expect, it } from "vitest";
import { request } from "../../testing/request.ts";

const suggest = ({ token }: Person, query: Record<string, string>) =>
  request("GET /api/v1/suggestions", { token, query });
const valuesOf = async (user: Person, field: string, q?: string) =>
  (await suggest(user, { field, ...(q !== undefined && { q }) })).body.data.map(
    ({ value }: { value: string }) => value,
  );

async function track({ token }: Person, day: string, body: object): Promise<void> {
  const times = { startedAt: `${day}T09:00:00Z`, endedAt: `${day}T10:00:00Z` };
  await request("POST /api/v1/time-entries", { token, body: { ...times, ...body } });
}

/** Inserts finished entries, the first one the newest. */
async function insertEntries({ id: user_id, workspaceId }: Person & Home, entries: object[]): Promise<void> {
  const now = Date.parse("2026-11-20T09:00:00Z");
  const rows = entries.map((columns, at) => ({
    id: newId("tim"),
    workspace_id: workspaceId,
    user_id,
    project_id: null,
    description: "",
    started_at: new Date(now - at * 60_000),
    ended_at: new Date(now - at * 60_000),
    duration_seconds: 0,
    billable: false,
    hourly_rate_minor: null,
    amount_minor: 0n,
    currency: "EUR",
    tags: "[]",
    created_at: new Date(now),
    updated_at: new Date(now),
    ...columns,
  }));
  await db().insertInto("time_entries").values(rows).execute();
}

describe("GET /api/v1/suggestions", () => {
  it("suggests the caller's own descriptions, the most recently used first, whatever their role", async () => {
    const ada = await owner("Ada");
    const bob = await colleague(ada, "member", "Bob");
    await track(ada, "2026-11-02", { description: "Review" });
    await track(ada, "2026-11-03", { description: "Call" });
    await track(ada, "2026-11-04", { description: "Review" });
    await track(ada, "2026-11-05", {});
    await track(bob, "2026-11-06", { description: "Secret call" });
    expect(await valuesOf(ada, "description")).toEqual(["Review", "Call"]);
    expect(await valuesOf(bob, "description", "CALL")).toEqual(["Secret call"]);
    expect((await suggest(ada, { field: "description", q: "review" })).body.data).toEqual([
      { value: "Review", lastUsedAt: "2026-11-04T09:00:00.000Z" },
    ]);
  });

  it("suggests the tags and clients of the whole workspace, and of no other", async () => {
    const [ada, eve] = [await owner("Ada"), await owner("Eve")];
    const bob = await colleague(ada);
    await track(ada, "2026-11-02", { tags: ["travel", "office"] });
    await track(bob, "2026-11-03", { tags: ["travel"] });
    await track(eve, "2026-11-04", { tags: ["trial"] });
    for (const [{ token }, client] of [
      [ada, "Acme"],
      [ada, "Bolt"],
      [ada, ""],
      [eve, "Acme Eve"],
    ] as const)
      await request("POST /api/v1/projects", { token, body: { name: "Engine", client } });
    expect(await valuesOf(bob, "tag")).toEqual(["travel", "office"]);
    expect(await valuesOf(bob, "tag", "off")).toEqual(["office"]);
    expect(await valuesOf(bob, "client")).toEqual(["Bolt", "Acme"]);
    expect(await valuesOf(bob, "client", "acm")).toEqual(["Acme"]);
  });

  it("takes % and _ in q as they are", async () => {
    const ada = await owner("Ada");
    await track(ada, "2026-11-02", { description: "100 hours" });
    await track(ada, "2026-11-03", { description: "100% done" });
    expect(await valuesOf(ada, "description", "0%")).toEqual(["100% done"]);
    expect(await valuesOf(ada, "description", "_")).toEqual([]);
  });

  it("returns at most maxSuggestions, and searches only the newest entries", async () => {
    const ada = await owner("Ada");
    const newest = Array.from({ length: Suggestions.searched }, (_, n) => ({ description: `New ${n}` }));
    await insertEntries(ada, [...newest, { description: "Old", tags: '["old"]' }]);
    expect(await valuesOf(ada, "description")).toEqual(
      newest.slice(0, Suggestions.maxSuggestions).map(({ description }) => description),
    );
    expect(await valuesOf(ada, "description", `New ${Suggestions.searched - 1}`)).toHaveLength(1);
    expect(await valuesOf(ada, "description", "Old")).toEqual([]);
    expect(await valuesOf(ada, "tag", "old")).toEqual([]);
  });

  it.each([{}, { field: "user" }, { field: "tag", q: "x".repeat(201) }])("rejects %j", async (query) => {
    const ada = await owner("Ada");
    expect((await suggest(ada, query as Record<string, string>)).body.code).toBe("invalid_input");
  });
});
