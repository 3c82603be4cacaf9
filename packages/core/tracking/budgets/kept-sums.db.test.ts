import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import type { Actor } from "../../base/actor.ts";
import { Fault } from "../../base/fault.ts";
import { db } from "../../platform/db/engine.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { owner } from "../../testing/people.ts";
import { long } from "../../testing/sample.ts";
import { authorize, type Membership } from "../../workspace/authorization.ts";
import * as Sums from "../amounts/sums.ts";
import * as Archive from "../archiving/archive.ts";
import * as Project from "../projects/project.ts";
import * as TimeEntry from "../time-entries/time-entry.ts";
import * as Timer from "../time-entries/timer.ts";
import * as Budget from "./budget.ts";

const now = new Date("2026-03-15T12:00:00.500Z");
const currencies = ["EUR", "USD", "JPY", "BHD"];
const timezones = ["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Asia/Kathmandu", "America/St_Johns"];

const budgets = [
  { type: "money", amount: "900", period: "total" },
  { type: "money", amount: "900", period: "month" },
  { type: "hours", amount: "90", period: "total" },
  { type: "hours", amount: "90", period: "month" },
] as const;

let people: [Actor, Actor];
let membership: Membership;
let projects: string[];

/** The state of one run: a workspace of two people with a project for each kind of budget. */
async function setUp(): Promise<void> {
  const { id: userId, sessionId, workspaceId } = await owner("Ada", "ENTERPRISE");
  const ada: Actor = { userId, sessionId, ip: "127.0.0.1", userAgent: "test", requestId: "test" };
  people = [ada, { ...ada, userId: `${userId}_bob` }];
  membership = await authorize(ada, workspaceId);
  projects = [];
  for (const budget of budgets) {
    const input = { name: "Engine", hourlyRate: "33.33", budget, currency: "EUR" };
    projects.push((await Project.create(ada, membership, input, now)).id);
  }
}

const some = <T>(values: readonly T[], index: number): T => values[index % values.length] as T;

/** An instant near a boundary of months or of the pace days, or any other in about three months. */
const boundaries = [
  "2026-02-01",
  "2026-03-01",
  "2026-04-01",
  "2026-02-15T12:00:00.500",
  "2026-03-15T12:00:00.500",
];
const instant = fc.oneof(
  fc
    .tuple(fc.constantFrom(...boundaries), fc.integer({ min: -15 * 3600, max: 15 * 3600 }))
    .map(
      ([boundary, seconds]) => Date.parse(boundary.length > 10 ? `${boundary}Z` : boundary) + seconds * 1000,
    ),
  fc.integer({ min: Date.parse("2026-01-20"), max: Date.parse("2026-04-20") }),
);
const start = instant.map((ms) => new Date(Math.floor(ms / 1000) * 1000));
const seconds = fc.oneof(fc.constantFrom(0, 1, 3600), fc.nat(200_000));
const index = fc.nat(100);
const project = fc.option(index, { freq: 6 });

type Operation = { name: string; run: (actor: Actor, entries: readonly string[]) => Promise<unknown> };
const operation = (name: string, run: Operation["run"]): Operation => ({ name, run });
const projectOf = (index: number | null) => (index === null ? null : some(projects, index));
const after = (start: Date, seconds: number) => new Date(start.getTime() + seconds * 1000);

const creation = fc.tuple(project, start, seconds, fc.boolean()).map(([at, startedAt, length, billable]) =>
  operation(`create ${at} ${startedAt.toISOString()} ${length} ${billable}`, (actor) => {
    const input = { projectId: projectOf(at), startedAt, endedAt: after(startedAt, length), billable };
    return TimeEntry.create(actor, membership, input, now);
  }),
);

const timer = fc
  .tuple(project, start)
  .map(([at, startedAt]) =>
    operation(`start ${at} ${startedAt.toISOString()}`, (actor) =>
      TimeEntry.create(actor, membership, { projectId: projectOf(at), startedAt }, now),
    ),
  );

const stop = fc.constant(operation("stop", (actor) => Timer.stop(actor, membership, now)));

const edit = fc
  .record({
    which: index,
    at: fc.option(project, { nil: undefined }),
    times: fc.option(fc.tuple(start, seconds), { nil: undefined }),
    billable: fc.option(fc.boolean(), { nil: undefined }),
  })
  .map(({ which, at, times, billable }) =>
    operation(`edit ${which} ${at} ${times} ${billable}`, (actor, entries) => {
      const input = {
        ...(at !== undefined && { projectId: projectOf(at) }),
        ...(times && { startedAt: times[0], endedAt: after(...times) }),
        ...(billable !== undefined && { billable }),
      };
      return TimeEntry.update(actor, membership, some(entries, which), input, undefined, now);
    }),
  );

const removal = index.map((which) =>
  operation(`remove ${which}`, (actor, entries) =>
    TimeEntry.remove(actor, membership, some(entries, which), undefined, now),
  ),
);

const newRate = fc.tuple(index, fc.constantFrom(...currencies), fc.nat(9999)).map(([at, currency, rate]) =>
  operation(`rate ${at} ${currency} ${rate}`, (actor) => {
    const input = { currency, hourlyRate: String(rate), budget: some(budgets, at) };
    return Project.update(actor, membership, some(projects, at), input, undefined, now);
  }),
);

const archiving = fc
  .tuple(index, fc.boolean())
  .map(([at, archived]) =>
    operation(`archive ${at} ${archived}`, (actor) =>
      (archived ? Archive.archive : Archive.unarchive)(actor, membership, some(projects, at), now),
    ),
  );

const newTimezone = fc
  .constantFrom(...timezones)
  .map((timezone) =>
    operation(timezone, () =>
      db().updateTable("workspaces").set({ timezone }).where("id", "=", membership.workspaceId).execute(),
    ),
  );

const operations = fc.oneof(
  { weight: 6, arbitrary: creation },
  { weight: 4, arbitrary: edit },
  ...[timer, stop, removal, newRate, archiving, newTimezone].map((arbitrary) => ({ weight: 1, arbitrary })),
);

/** Runs the operations. Those that the rules refuse change nothing. */
async function perform(operations: readonly { who: number; what: Operation }[]): Promise<void> {
  for (const { who, what } of operations) {
    const actor = some(people, who);
    const entries = await db()
      .selectFrom("time_entries")
      .select("id")
      .where("user_id", "=", actor.userId)
      .orderBy("id")
      .execute();
    try {
      await what.run(actor, entries.length > 0 ? entries.map(({ id }) => id) : ["tim_none"]);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
    }
  }
}

async function setComplete(at: Date | null): Promise<void> {
  await db()
    .updateTable("projects")
    .set({ sums_complete_at: at })
    .where("workspace_id", "=", membership.workspaceId)
    .execute();
}

describe("the kept sums", () => {
  beforeEach(setUp);

  it("give the same budgets as the entries after any writes, at any time", async () => {
    const writes = fc.array(fc.record({ who: index, what: operations }), { minLength: 5, maxLength: 25 });
    const property = fc.asyncProperty(writes, instant, instant, async (written, one, other) => {
      await setUp();
      await perform(written);
      const times = [now, new Date(one)];
      const range = { since: new Date(Math.min(one, other)), before: new Date(Math.max(one, other) + 1) };
      const answers = async () => {
        const found = [];
        for (const id of projects) {
          for (const time of times) found.push(await Budget.get(membership, id, time));
          const row = await Project.fetch(db(), membership.workspaceId, id);
          const sums = await Sums.inRanges(db(), [{ projects: [row], ranges: { range } }]);
          found.push(
            sums.filter(({ amounts }) => amounts.seconds > 0n || amounts.minor > 0n).sort(byCurrency),
          );
        }
        return found;
      };
      const fromSums = await answers();
      await setComplete(null);
      expect(fromSums).toEqual(await answers());
      for (const id of projects) expect(await Sums.missing(db(), id, "1970-01-01", "2100-01-01")).toEqual([]);
    });
    await fc.assert(property, { numRuns: long ? 300 : 4, seed: Number(process.env.TEST_SEED ?? 1) });
  }, 300_000);

  it("are deleted with the last entry that they count", async () => {
    const [ada] = people;
    const [projectId = ""] = projects;
    const input = { projectId, startedAt: new Date("2026-03-01T00:00:00Z"), endedAt: now };
    const { id } = await TimeEntry.create(ada, membership, input, now);
    const sums = () =>
      db().selectFrom("project_sums").selectAll().where("project_id", "=", projectId).execute();
    expect(await sums()).toHaveLength(2);
    await TimeEntry.remove(ada, membership, id, undefined, now);
    expect(await sums()).toEqual([]);
  });

  it("hold more than a bigint does", async () => {
    const [project_id = ""] = projects;
    const [{ userId: user_id }] = people;
    const at = { started_at: new Date("2026-03-02T09:00:00Z"), duration_seconds: 3600 };
    const entry = { project_id, user_id, ...at, currency: "EUR", amount_minor: 9_000_000_000_000_000_000n };
    for (let n = 0; n < 2; n++) await transaction((tx) => Sums.change(tx, { added: [entry] }));
    const { spent } = await Budget.get(membership, project_id, now);
    expect(spent).toBe("180000000000000000.00");
  });
});

function byCurrency(one: { currency: string }, other: { currency: string }): number {
  return one.currency < other.currency ? -1 : 1;
}
