import { sql } from "kysely";
import sharp from "sharp";
import { routes } from "../../../functions/routes.ts";
import * as StoredValue from "../../core/avatar/stored-value.ts";
import { db } from "../../core/platform/db/engine.ts";
import { colleague, type Home, owner, type Person, person } from "../../core/testing/people.ts";
import type { Answer } from "./connections.ts";
import type { Endpoint } from "./traffic.ts";

const members = 1000;
const entries = 1000;
const uploaders = 200;

/** An endpoint, and whether every write that was answered is there when all is over; a sentence for each that is not. */
export type Loaded = Endpoint & { lost?: () => Promise<string[]> };

/** A refusal that a caller can act on: nothing was done, and it says when to come back or what is down. */
function refused({ status, retryAfter, body }: Answer): "refused" | undefined {
  const code = () => JSON.parse(body.toString()).code as string;
  if (status === 503 && retryAfter && code() === "database_conflict") return "refused";
  return status === 502 && code() === "storage_unavailable" ? "refused" : undefined;
}

const said = ({ status, body }: Answer) => `${status} ${body.toString().slice(0, 300)}`;
const bearer = ({ token }: Person) => ({ authorization: `Bearer ${token}` });

/** Parsing is the generator's own work, on the server's machine: one in twenty is looked at whole. */
const looked = (at: number) => at % 20 === 0;

function reading(name: string, path: string, who: Person, isRight: (body: unknown) => boolean): Loaded {
  return {
    name,
    call: () => ({ method: "GET", path, headers: bearer(who) }),
    judge(answer, at) {
      if (answer.status !== 200) return refused(answer) ?? said(answer);
      return !looked(at) || isRight(JSON.parse(answer.body.toString())) ? "right" : said(answer);
    },
  };
}

/** What is loaded, each with what it needs in the database. A route that the table does not have is left out, and said. */
export async function endpoints(): Promise<{ loaded: Loaded[]; absent: string[] }> {
  const home = await owner("Ada", "ENTERPRISE");
  for (let at = 1; at < members; at++) await colleague(home, "member", `Member ${at}`);
  await db()
    .updateTable("users")
    .set({ avatar: sql`'objstore:avatars/' || id || '/1769817600000.webp'` })
    .execute();
  await fill(home);
  const wanted = {
    "GET /auth/me": () => reading("me", "/auth/me", home, (body) => (body as { id: string }).id === home.id),
    "GET /team/{id}/members": () =>
      reading("members, 1,000 pictures", `/team/${home.teamId}/members`, home, (body) => {
        const { data } = body as { data: { avatar: string }[] };
        return data.length === members && data.every(({ avatar }) => avatar.includes("X-Amz-Signature="));
      }),
    "GET /api/v1/time-entries": () =>
      reading("time entries, a page of 50", "/api/v1/time-entries?limit=50", home, (body) => {
        return (body as { data: unknown[] }).data.length === 50;
      }),
    "GET /api/v1/reports/summary": () =>
      reading(
        `summary of ${entries} entries`,
        "/api/v1/reports/summary?from=2026-01-01&to=2026-12-31&group_by=user",
        home,
        (body) => (body as { totals: { entryCount: number } }).totals.entryCount === entries,
      ),
    "POST /api/upload/avatar": () => uploading(),
    "POST /api/v1/time-entries": () => tracking(),
  } satisfies Record<string, () => Loaded | Promise<Loaded>>;
  const loaded: Loaded[] = [];
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

async function uploading(): Promise<Loaded> {
  const people: Person[] = [];
  for (let at = 0; at < uploaders; at++) people.push(await person(`Uploader ${at}`));
  const picture = await sharp({ create: { width: 640, height: 480, channels: 3, background: "#c93" } })
    .jpeg()
    .toBuffer();
  const boundary = "load-boundary";
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="avatar"; filename="a.jpg"\r\ncontent-type: image/jpeg\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), picture, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  const whose = (at: number) => people[at % uploaders] as Person;
  const answered = new Map<string, Set<string>>();
  return {
    name: "upload, a JPEG of 640x480",
    call: (at) => ({
      method: "POST",
      path: "/api/upload/avatar",
      headers: { ...bearer(whose(at)), "content-type": `multipart/form-data; boundary=${boundary}` },
      body,
    }),
    judge(answer, at) {
      if (answer.status !== 200) return refused(answer) ?? said(answer);
      const { url } = JSON.parse(answer.body.toString());
      const { id } = whose(at);
      if (!StoredValue.key(url)?.startsWith(`avatars/${id}/`)) return said(answer);
      answered.set(id, (answered.get(id) ?? new Set()).add(url));
      return "right";
    },
    /** What is stored is one of those that its owner was told of. */
    async lost() {
      const rows = await db()
        .selectFrom("users")
        .select(["id", "avatar"])
        .where("id", "in", ["nobody", ...answered.keys()])
        .execute();
      return rows
        .filter(({ id, avatar }) => !answered.get(id)?.has(avatar))
        .map(({ id, avatar }) => `${id} has ${avatar}, which nobody was told of`);
    },
  };
}

async function tracking(): Promise<Loaded> {
  const home = await owner("Tracker");
  const answered = new Set<string>();
  let sent = 0;
  return {
    name: "new time entry",
    call: () => ({
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
    judge(answer) {
      if (answer.status !== 201) return refused(answer) ?? said(answer);
      answered.add(JSON.parse(answer.body.toString()).id);
      return "right";
    },
    /** Every entry that was answered is there, and no other. */
    async lost() {
      const rows = await db()
        .selectFrom("time_entries")
        .select("id")
        .where("workspace_id", "=", home.workspaceId)
        .execute();
      const there = new Set(rows.map(({ id }) => id));
      const missing = [...answered].filter((id) => !there.has(id)).map((id) => `${id} is lost`);
      const surplus = [...there].filter((id) => !answered.has(id)).map((id) => `${id} was never answered`);
      return [...missing, ...surplus];
    },
  };
}
