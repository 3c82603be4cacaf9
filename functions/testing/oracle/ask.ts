import * as XLSX from "@e965/xlsx";
import { newId } from "@svc/core/base/id";
import { db } from "@svc/core/platform/db/engine";
import type { Schema } from "@svc/core/platform/db/schema";
import { unlimited } from "@svc/core/testing/dsql";
import { colleague, owner, person } from "@svc/core/testing/people";
import { clearRates } from "@svc/core/testing/rates";
import type * as Authorization from "@svc/core/workspace/authorization";
import { sql } from "kysely";
import { expect } from "vitest";
import { request } from "../request.ts";
import { nearest } from "./fraction.ts";
import type { File, Filters, Question } from "./question.ts";
import type { Row } from "./report.ts";
import type { Ids, World } from "./world.ts";

/** A world in the database, with the tokens of its people. */
export type Stored = { ids: Ids; tokens: string[]; workspaceId: string };

/** Stores a world and replaces all rates. The clock has to stand at its `now`. */
export function store(world: World): Promise<Stored> {
  return unlimited(() => insert(world));
}

async function insert(world: World): Promise<Stored> {
  const now = new Date(world.now);
  const times = { created_at: now, updated_at: now };
  const ada = await owner("Ada", "ENTERPRISE");
  const { workspaceId } = ada;
  const locks = world.locks.map(({ until, at }) => ({ locked_until: until, locked_at: new Date(at) }));
  await db()
    .updateTable("workspaces")
    .set({
      timezone: world.zone,
      week_start: world.weekBegins,
      base_currency: world.base,
      locked_until:
        locks
          .map(({ locked_until }) => locked_until)
          .sort()
          .at(-1) ?? null,
    })
    .where("id", "=", workspaceId)
    .execute();
  const people = [ada];
  for (const { name, role } of world.people.slice(1))
    people.push({
      ...ada,
      ...(role === "former" ? await person(name) : await colleague(ada, role as Authorization.Role, name)),
    });
  const ids: Ids = {
    people: people.map(({ id }) => id),
    teams: world.teams.map(() => newId("team")),
    projects: world.projects.map(() => newId("prj")),
    entries: world.entries.map(({ startedAt }) => newId("tim", new Date(startedAt))),
  };
  await db().deleteFrom("team_members").where("team_id", "=", ada.teamId).execute();
  await db().deleteFrom("teams").where("id", "=", ada.teamId).execute();
  const foreign = { workspace_id: "wsp_foreign", team: newId("team") };
  await insertAll("teams", [
    ...world.teams.map((name, at) => ({
      id: ids.teams[at] ?? "",
      workspace_id: workspaceId,
      name,
      ...times,
    })),
    { id: foreign.team, workspace_id: foreign.workspace_id, name: "Foreign", ...times },
  ]);
  await insertAll(
    "team_members",
    world.people.flatMap(({ teams }, at) =>
      [...teams.map((team) => ids.teams[team] ?? ""), foreign.team].map((team_id) => ({
        team_id,
        user_id: ids.people[at] ?? "",
        joined_at: now,
      })),
    ),
  );
  await insertAll(
    "projects",
    world.projects.map(({ name, client, currency, archived }, at) => ({
      id: ids.projects[at] ?? "",
      workspace_id: workspaceId,
      name,
      client,
      currency,
      color: "#3366cc",
      hourly_rate_minor: null,
      billable: true,
      budget_type: null,
      budget_amount: null,
      budget_period: null,
      budget_alert_percent: null,
      last_tracked_at: null,
      sums_complete_at: now,
      archived_at: archived ? now : null,
      archived_by: archived ? ada.id : null,
      ...times,
    })),
  );
  const rows = world.entries.map((entry, at) => entryRow(entry, { ids, at, workspaceId }));
  // The time that the same people track elsewhere is in no report of this workspace.
  const elsewhere = rows.slice(0, 5).map((row) => ({
    ...row,
    id: newId("tim"),
    workspace_id: foreign.workspace_id,
    project_id: null,
    ended_at: row.started_at,
    duration_seconds: 1,
    amount_minor: 1n,
  }));
  await insertAll("time_entries", [...rows, ...elsewhere]);
  await storeRates(world);
  await insertAll(
    "period_locks",
    locks.map((lock) => ({ workspace_id: workspaceId, ...lock })),
  );
  await insertAll(
    "rate_overrides",
    world.overrides.map(({ currency, base, rate, from, to }) => ({
      workspace_id: workspaceId,
      ...{
        currency,
        base,
        rate,
        valid_from: from,
        valid_to: to,
        reason: "",
        created_by: ada.id,
        updated_at: now,
      },
    })),
  );
  return { ids, tokens: people.map(({ token }) => token), workspaceId };
}

function entryRow(
  entry: World["entries"][number],
  { ids, at, workspaceId }: { ids: Ids; at: number; workspaceId: string },
) {
  const { person, project, description, startedAt, seconds, billable, rate, currency, tags, updatedAt } =
    entry;
  const started_at = new Date(startedAt);
  const amount =
    seconds !== null && billable && rate !== null ? nearest([BigInt(seconds) * BigInt(rate), 3600n]) : 0n;
  return {
    id: ids.entries[at] ?? "",
    workspace_id: workspaceId,
    user_id: ids.people[person] ?? "",
    project_id: project === null ? null : (ids.projects[project] ?? ""),
    description,
    started_at,
    ended_at: seconds === null ? null : new Date(started_at.getTime() + seconds * 1000),
    duration_seconds: seconds,
    billable,
    hourly_rate_minor: rate === null ? null : BigInt(rate),
    amount_minor: seconds === null ? null : amount,
    currency,
    tags,
    created_at: started_at,
    updated_at: new Date(updatedAt),
  };
}

async function storeRates({ tables, reached, now }: World): Promise<void> {
  await clearRates();
  const published = tables.flatMap(({ source, day, recordedAt, rates }) =>
    Object.entries(rates).map(([code, rate]) => ({
      source,
      day,
      code,
      rate,
      document: `${source} ${day}`,
      fetched_at: new Date(recordedAt),
    })),
  );
  await insertAll("rates", published);
  const corrections = tables.flatMap(({ source, day, corrections }) =>
    corrections.map(({ currency: code, rate, recordedAt }, at) => ({
      ...{ source, day, code, rate, document: `${source} ${day}`, fetched_at: new Date(recordedAt) },
      revision: corrections.slice(0, at + 1).filter(({ currency }) => currency === code).length,
      previous_rate: "1",
      workspaces_told: null,
    })),
  );
  await insertAll("rate_corrections", corrections);
  const feeds = reached.map((source) => {
    const days = tables.filter((table) => table.source === source).map(({ day }) => day);
    return {
      feed: source,
      source,
      address: "x",
      last_day: days.sort().at(-1) ?? now.slice(0, 10),
      fetched_at: new Date(now),
    };
  });
  await insertAll("rate_feeds", feeds);
}

/** Inserts rows as one parameter. A statement with a parameter for each value takes several times as long. */
async function insertAll(table: keyof Schema, rows: readonly object[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = sql.join(Object.keys(first).map((name) => sql.ref(name)));
  const text = JSON.stringify(rows, (_, value) => (typeof value === "bigint" ? String(value) : value));
  await sql`INSERT INTO ${sql.table(table)} (${columns})
    SELECT ${columns} FROM json_populate_recordset(NULL::${sql.table(table)}, ${text}::json)`.execute(db());
}

/** Asks the service. Returns its answer in the form of the naive one. */
export async function ask(stored: Stored, question: Question): Promise<unknown> {
  switch (question.kind) {
    case "summary": {
      const [group_by, sub_group_by] = question.levels;
      return get("GET /api/v1/reports/summary", stored, question, {
        ...(group_by && { group_by }),
        ...(sub_group_by && { sub_group_by }),
        ...(question.rounding && { rounding: question.rounding }),
        ...(question.charts && { include_charts: "true" }),
      });
    }
    case "custom":
      return get("GET /api/v1/reports/custom", stored, question, {
        ...(question.levels.length > 0 && { group_by: question.levels.join(",") }),
        ...(question.columns.length > 0 && { columns: question.columns.join(",") }),
        ...(question.metrics && { metrics: question.metrics.join(",") }),
        ...(question.sort && { sort: question.sort }),
        ...(question.rounding && { rounding: question.rounding }),
      });
    case "list": {
      const sort = question.oldestFirst ? "started_at" : "-started_at";
      const { data, meta } = await get("GET /api/v1/time-entries", stored, question, { sort, limit: "200" });
      const { missingRates } = meta;
      return { entries: data.map(pickFigures), ...(missingRates && { missingRates }) };
    }
    case "file":
      return rowsOf(await generate(stored, question, "csv"));
  }
}

async function get(
  route: "GET /api/v1/reports/summary" | "GET /api/v1/reports/custom" | "GET /api/v1/time-entries",
  { ids, tokens }: Stored,
  { by, from, to, convertTo, filters }: Question,
  options: Record<string, string>,
) {
  const { personId, projectId, teamId, tag, billable, currency } = filtersOf(ids, filters);
  const query = {
    from,
    to,
    convert_to: convertTo,
    user_id: personId,
    project_id: projectId,
    team_id: teamId,
    tag,
    billable,
    currency,
    running: filters.running,
    q: filters.q,
    updated_since: filters.updatedSince,
    ...options,
  };
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const { status, body } = await request(route, {
    token: tokens[by] ?? "",
    query: Object.fromEntries(given),
  });
  expect([status, body.detail, body.errors]).toEqual([200, undefined, undefined]);
  return body;
}

function filtersOf(ids: Ids, { person, project, team, tag, billable, currency }: Filters) {
  return {
    personId: person === undefined ? undefined : ids.people[person],
    projectId: project === undefined ? undefined : ids.projects[project],
    teamId: team === undefined ? undefined : ids.teams[team],
    tag,
    billable,
    currency,
  };
}

type Figures = { id: string; durationSeconds: number; amount: string; currency: string; converted?: object };

const pickFigures = ({ id, durationSeconds, amount, currency, converted }: Figures): Figures => ({
  ...{ id, durationSeconds, amount, currency },
  ...(converted !== undefined && { converted }),
});

/** Generates a file and downloads it from its signed URL. */
export async function generate(
  { ids, tokens }: Stored,
  { by, from, to, convertTo, filters, rounding, levels }: Omit<File, "kind">,
  format: "csv" | "xlsx" | "json" | "pdf",
  options: object = {},
): Promise<Buffer> {
  const { personId: userId, ...others } = filtersOf(ids, filters);
  const body = {
    type: levels.length > 0 ? "summary" : "detailed",
    format,
    ...{ from, to, convertTo, rounding },
    filters: { userId, ...others },
    ...(levels.length > 0 && { groupBy: levels }),
    ...options,
  };
  const created = await request("POST /api/v1/reports/generate", { token: tokens[by] ?? "", body });
  expect([created.status, created.body.detail]).toEqual([201, undefined]);
  const downloaded = await fetch(created.body.signedUrl);
  expect(downloaded.status).toBe(200);
  const bytes = Buffer.from(await downloaded.arrayBuffer());
  expect(bytes.length).toBe(created.body.size);
  return bytes;
}

/** Returns the rows of a CSV file by the names of the columns. */
function rowsOf(csv: Buffer): Row[] {
  const { Sheets, SheetNames } = XLSX.read(csv.toString(), { type: "string", raw: true });
  return XLSX.utils.sheet_to_json<Row>(Sheets[SheetNames[0] ?? ""] ?? {}, { defval: "" });
}
