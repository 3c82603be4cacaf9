import { newId } from "@svc/core/base/id";
import * as Event from "@svc/core/event/event";
import type { Tx } from "@svc/core/platform/db/engine";
import { cost } from "@svc/core/tracking/amounts/amount";
import * as BudgetSettings from "@svc/core/tracking/projects/budget-settings";
import type { Row as Project } from "@svc/core/tracking/projects/project";
import type { Row as Entry } from "@svc/core/tracking/time-entries/time-entry";
import type { Plan } from "@svc/core/workspace/authorization";

const dayMs = 86_400_000;
const weeks = 6;

type Outline = {
  name: string;
  client: string;
  color: string;
  currency: string;
  rate: bigint | null;
  budget?: BudgetSettings.Input;
  archived?: true;
};

/** Projects in four currencies, one of them without minor units: billable, non-billable, archived, with each type of budget. */
const outlines: readonly Outline[] = [
  {
    name: "Website relaunch",
    client: "Aurora Foods",
    color: "#2563eb",
    currency: "EUR",
    rate: 9500n,
    budget: { type: "money", amount: "100000" },
  },
  {
    name: "Mobile app",
    client: "Bluebird Travel",
    color: "#db2777",
    currency: "USD",
    rate: 12_000n,
    budget: { type: "hours", amount: "600", period: "month" },
  },
  {
    name: "Data platform",
    client: "Cedar Health",
    color: "#059669",
    currency: "GBP",
    rate: 11_050n,
    budget: { type: "money", amount: "50000", period: "month", alertThresholdPercent: 60 },
  },
  { name: "Store kiosks", client: "Daichi Retail", color: "#d97706", currency: "JPY", rate: 9800n },
  { name: "Internal", client: "", color: "#64748b", currency: "EUR", rate: null },
  {
    name: "Brand guide",
    client: "Aurora Foods",
    color: "#7c3aed",
    currency: "EUR",
    rate: 8000n,
    archived: true,
  },
];

const work: readonly (readonly [description: string, ...tags: string[]])[] = [
  ["Sketches for the start page", "design"],
  ["Review open changes", "review"],
  ["Weekly client call", "meeting", "client"],
  ["Import old records", "development"],
  ["Write tests for the checkout", "development", "testing"],
  ["Handover notes"],
];

/**
 * Creates projects, and time entries of these users on weekdays of the last weeks, up to yesterday. One project is archived if
 * the workspace's plan includes archiving.
 */
export async function track(
  tx: Tx,
  workspace: { id: string; plan: Plan },
  people: readonly { id: string }[],
  now: Date,
): Promise<void> {
  const [founder] = people;
  if (!founder) return;
  const { id: workspaceId, plan } = workspace;
  const projects = outlines
    .filter(({ archived }) => !archived || plan === "ENTERPRISE")
    .map((outline) => newProject(outline, workspaceId, founder.id, now));
  await tx.insertInto("projects").values(projects).execute();
  for (const { id, name } of projects)
    await Event.record(
      tx,
      { job: "seed", requestId: newId("req", now) },
      { action: "project.created", target: { type: "project", id, name }, workspaceId },
      now,
    );
  const entries = people.flatMap(({ id }, at) =>
    weekdays(now).flatMap((day) => entriesOfDay(day, at, id, projects)),
  );
  for (let at = 0; at < entries.length; at += 500) {
    const added = entries.slice(at, at + 500);
    await tx
      .insertInto("time_entries")
      .values(added.map((row) => ({ ...row, tags: JSON.stringify(row.tags) })))
      .execute();
  }
}

function newProject(outline: Outline, workspaceId: string, founderId: string, now: Date): Project {
  const { name, client, color, currency, rate, budget = null, archived = false } = outline;
  const since = new Date(now.getTime() - weeks * 7 * dayMs);
  return {
    id: newId("prj", since),
    workspace_id: workspaceId,
    name,
    client,
    color,
    currency,
    hourly_rate_minor: rate,
    billable: rate !== null,
    ...BudgetSettings.columns(budget, currency),
    last_tracked_at: new Date((weekdays(now).at(-1) ?? 0) + 17 * 3_600_000),
    // The job check-sums adds the sums: with them, the transaction would have more rows than Aurora DSQL allows.
    sums_complete_at: null,
    archived_at: archived ? now : null,
    archived_by: archived ? founderId : null,
    created_at: since,
    updated_at: since,
    version: null,
  };
}

/** Returns the UTC midnights of the weekdays of the last weeks, without today. */
function weekdays(now: Date): number[] {
  const today = Math.floor(now.getTime() / dayMs) * dayMs;
  return Array.from({ length: weeks * 7 }, (_, n) => today - (n + 1) * dayMs)
    .filter((day) => ![0, 6].includes(new Date(day).getUTCDay()))
    .reverse();
}

/** Creates a morning and an afternoon entry, whose durations vary by day and user. */
function entriesOfDay(midnight: number, at: number, userId: string, projects: readonly Project[]): Entry[] {
  const day = midnight / dayMs;
  return [9, 13].map((hour, half) => {
    const variant = at * 5 + day * 3 + half;
    const project = projects[variant % projects.length] as Project;
    const [description, ...tags] = work[(variant * 7 + at) % work.length] ?? [""];
    const start = new Date(midnight + hour * 3_600_000 + ((variant * 11) % 20) * 60_000);
    const seconds = 2 * 3600 + ((variant * 17) % 100) * 60;
    const end = new Date(start.getTime() + seconds * 1000);
    const { billable, hourly_rate_minor: rate, currency } = project;
    return {
      id: newId("tim", end),
      workspace_id: project.workspace_id,
      user_id: userId,
      project_id: project.id,
      description,
      started_at: start,
      ended_at: end,
      duration_seconds: seconds,
      billable,
      hourly_rate_minor: rate,
      amount_minor: billable && rate !== null ? cost(seconds, rate) : 0n,
      currency,
      tags,
      created_at: end,
      updated_at: end,
      updated_by: userId,
      version: null,
    };
  });
}
