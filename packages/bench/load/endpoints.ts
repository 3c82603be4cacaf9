import { sql } from "kysely";
import sharp from "sharp";
import { routes } from "../../../functions/routes.ts";
import * as StoredValue from "../../core/avatar/stored-value.ts";
import { db } from "../../core/platform/db/engine.ts";
import { colleague, type Home, owner, type Person, person } from "../../core/testing/people.ts";
import type { HttpResponse } from "./connections.ts";
import type { Endpoint } from "./traffic.ts";

const members = 1000;
const entries = 1000;
const uploaders = 200;

/** An endpoint under load. `lost` lists the confirmed writes that are not in the database after the run. */
export type LoadedEndpoint = Endpoint & { lost?: () => Promise<string[]> };

/** Returns "refused" for an error after which nothing was written and the client may try again. */
function refused({ status, retryAfter, body }: HttpResponse): "refused" | undefined {
  const code = () => JSON.parse(body.toString()).code as string;
  if (status === 503 && retryAfter && code() === "database_conflict") return "refused";
  return status === 502 && code() === "storage_unavailable" ? "refused" : undefined;
}

const describe = ({ status, body }: HttpResponse) => `${status} ${body.toString().slice(0, 300)}`;
const bearer = ({ token }: Person) => ({ authorization: `Bearer ${token}` });

/** Parses only one response in twenty, because the load generator shares its cores with the server. */
const isSampled = (at: number) => at % 20 === 0;

function readEndpoint(
  name: string,
  path: string,
  user: Person,
  isCorrect: (body: unknown) => boolean,
): LoadedEndpoint {
  return {
    name,
    request: () => ({ method: "GET", path, headers: bearer(user) }),
    check(response, at) {
      if (response.status !== 200) return refused(response) ?? describe(response);
      const correct = !isSampled(at) || isCorrect(JSON.parse(response.body.toString()));
      return correct ? "correct" : describe(response);
    },
  };
}

/** Prepares the database and returns the endpoints under load. `absent` lists routes that routes.ts does not have. */
export async function endpoints(): Promise<{ loaded: LoadedEndpoint[]; absent: string[] }> {
  const home = await owner("Ada", "ENTERPRISE");
  for (let at = 1; at < members; at++) await colleague(home, "member", `Member ${at}`);
  await db()
    .updateTable("users")
    .set({ avatar: sql`'objstore:avatars/' || id || '/1769817600000.webp'` })
    .execute();
  await fill(home);
  const wanted = {
    "GET /auth/me": () =>
      readEndpoint("me", "/auth/me", home, (body) => (body as { id: string }).id === home.id),
    "GET /team/{id}/members": () =>
      readEndpoint("members, 1,000 avatars", `/team/${home.teamId}/members`, home, (body) => {
        const { data } = body as { data: { avatar: string }[] };
        return data.length === members && data.every(({ avatar }) => avatar.includes("X-Amz-Signature="));
      }),
    "GET /api/v1/time-entries": () =>
      readEndpoint("time entries, a page of 50", "/api/v1/time-entries?limit=50", home, (body) => {
        return (body as { data: unknown[] }).data.length === 50;
      }),
    "GET /api/v1/reports/summary": () =>
      readEndpoint(
        `summary of ${entries} entries`,
        "/api/v1/reports/summary?from=2026-01-01&to=2026-12-31&group_by=user",
        home,
        (body) => (body as { totals: { entryCount: number } }).totals.entryCount === entries,
      ),
    "POST /api/upload/avatar": () => uploadEndpoint(),
    "POST /api/v1/time-entries": () => entryEndpoint(),
  } satisfies Record<string, () => LoadedEndpoint | Promise<LoadedEndpoint>>;
  const loaded: LoadedEndpoint[] = [];
  const absent: string[] = [];
  for (const [key, make] of Object.entries(wanted)) {
    if (key in routes) loaded.push(await make());
    else absent.push(key);
  }
  return { loaded, absent };
}

async function fill({ workspaceId, id }: Person & Home): Promise<void> {
  const now = new Date();
  const rows = Array.from({ length: entries }, (_, at) => {
    const started = new Date(Date.UTC(2026, 0, 5, 9) + at * 7_000_000);
    return {
      id: `tim_load${at}`,
      workspace_id: workspaceId,
      user_id: id,
      description: `Work ${at}`,
      started_at: started,
      ended_at: new Date(started.getTime() + 3_600_000),
      duration_seconds: 3600,
      billable: true,
      hourly_rate_minor: 8000n,
      amount_minor: 8000n,
      currency: "EUR",
      tags: "[]",
      created_at: now,
      updated_at: now,
    };
  });
  await db().insertInto("time_entries").values(rows).execute();
}

async function uploadEndpoint(): Promise<LoadedEndpoint> {
  const people: Person[] = [];
  for (let at = 0; at < uploaders; at++) people.push(await person(`Uploader ${at}`));
  const picture = await sharp({ create: { width: 640, height: 480, channels: 3, background: "#c93" } })
    .jpeg()
    .toBuffer();
  const boundary = "load-boundary";
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="avatar"; filename="a.jpg"\r\ncontent-type: image/jpeg\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), picture, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  const uploaderOf = (at: number) => people[at % uploaders] as Person;
  const confirmed = new Map<string, Set<string>>();
  return {
    name: "upload, a JPEG of 640 x 480",
    request: (at) => ({
      method: "POST",
      path: "/api/upload/avatar",
      headers: { ...bearer(uploaderOf(at)), "content-type": `multipart/form-data; boundary=${boundary}` },
      body,
    }),
    check(response, at) {
      if (response.status !== 200) return refused(response) ?? describe(response);
      const { url } = JSON.parse(response.body.toString());
      const { id } = uploaderOf(at);
      if (!StoredValue.key(url)?.startsWith(`avatars/${id}/`)) return describe(response);
      confirmed.set(id, (confirmed.get(id) ?? new Set()).add(url));
      return "correct";
    },
    /** Each user's stored avatar must be one that a response has confirmed. */
    async lost() {
      const rows = await db()
        .selectFrom("users")
        .select(["id", "avatar"])
        .where("id", "in", ["none", ...confirmed.keys()])
        .execute();
      return rows
        .filter(({ id, avatar }) => !confirmed.get(id)?.has(avatar))
        .map(({ id, avatar }) => `${id} has ${avatar}, which no response has confirmed`);
    },
  };
}

async function entryEndpoint(): Promise<LoadedEndpoint> {
  const home = await owner("Tracker");
  const confirmed = new Set<string>();
  let sent = 0;
  return {
    name: "new time entry",
    request: () => ({
      method: "POST",
      path: "/api/v1/time-entries",
      headers: { ...bearer(home), "content-type": "application/json" },
      body: Buffer.from(
        JSON.stringify({
          description: `Entry ${++sent}`,
          startedAt: "2026-11-20T09:00:00Z",
          endedAt: "2026-11-20T10:00:00Z",
        }),
      ),
    }),
    check(response) {
      if (response.status !== 201) return refused(response) ?? describe(response);
      confirmed.add(JSON.parse(response.body.toString()).id);
      return "correct";
    },
    /** The database must contain exactly the entries that responses have confirmed. */
    async lost() {
      const rows = await db()
        .selectFrom("time_entries")
        .select("id")
        .where("workspace_id", "=", home.workspaceId)
        .execute();
      const stored = new Set(rows.map(({ id }) => id));
      const missing = [...confirmed].filter((id) => !stored.has(id)).map((id) => `${id} is lost`);
      const surplus = [...stored].filter((id) => !confirmed.has(id)).map((id) => `${id} was never confirmed`);
      return [...missing, ...surplus];
    },
  };
}
