import { randomUUID } from "node:crypto";
import type { CallOptions, Check, Client, Run } from "../check.ts";
import { expectEqual, expectMatch } from "../http.ts";

const hours = { startedAt: "2026-01-05T09:00:00Z", endedAt: "2026-01-05T10:00:00Z" };

/** Checks of projects and time entries, and of what all lists and POST requests have in common. */
export const tracking: readonly Check[] = [
  {
    name: "projects",
    title: "projects are created, changed, archived and deleted",
    operations: [
      "GET /api/v1/projects",
      "POST /api/v1/projects",
      "GET /api/v1/projects/recent",
      "GET /api/v1/projects/{id}",
      "PATCH /api/v1/projects/{id}",
      "DELETE /api/v1/projects/{id}",
      "POST /api/v1/projects/{id}/archive",
      "POST /api/v1/projects/{id}/unarchive",
      "GET /api/v1/projects/{id}/budget",
    ],
    async run(run) {
      const call = await run.admin();
      const budget = { type: "hours", amount: "10" };
      const {
        id,
        remove,
        body: project,
        headers,
      } = await createProject(run, call, { hourlyRate: "80", budget });
      const path = { id };
      expectEqual("POST /api/v1/projects: location", headers.get("location"), `/api/v1/projects/${id}`);
      expectEqual("POST /api/v1/projects: hourlyRate", Number(project.hourlyRate), 80);
      expectEqual(
        "GET /api/v1/projects/{id}: body",
        (await call("GET /api/v1/projects/{id}", { path })).body,
        project,
      );
      const changed = await call("PATCH /api/v1/projects/{id}", { path, body: { client: "Smoke" } });
      expectEqual("PATCH /api/v1/projects/{id}: client", changed.body.client, "Smoke");
      const { body: status } = await call("GET /api/v1/projects/{id}/budget", { path });
      expectEqual("GET …/budget: spent", Number(status.spent), 0);
      const listed = await call("GET /api/v1/projects", { query: { q: project.name } });
      expectEqual(
        "GET /api/v1/projects: ids",
        listed.body.data.map(({ id }: { id: string }) => id),
        [id],
      );
      await call("GET /api/v1/projects/recent");
      const archived = await call("POST /api/v1/projects/{id}/archive", { path });
      expectMatch("POST …/archive: archivedAt", archived.body.archivedAt, /^\d{4}-/);
      const again = await call("POST /api/v1/projects/{id}/unarchive", { path });
      expectEqual("POST …/unarchive: archivedAt", again.body.archivedAt, null);
      await remove();
      await call("GET /api/v1/projects/{id}", { path, expect: 404, code: "project_not_found" });
    },
  },
  {
    name: "time-entries",
    title: "time entries and the timer are recorded, changed and deleted",
    operations: [
      "GET /api/v1/time-entries",
      "POST /api/v1/time-entries",
      "POST /api/v1/time-entries/start",
      "POST /api/v1/time-entries/stop",
      "GET /api/v1/time-entries/running",
      "GET /api/v1/time-entries/{id}",
      "PATCH /api/v1/time-entries/{id}",
      "DELETE /api/v1/time-entries/{id}",
      "PATCH /api/v1/time-entries",
      "POST /api/v1/time-entries/delete",
      "POST /api/v1/time-entries/{id}/duplicate",
      "POST /api/v1/time-entries/{id}/split",
      "GET /api/v1/suggestions",
      "GET /api/v1/entries",
    ],
    async run(run) {
      const call = await run.admin();
      const client = `Smoke ${randomUUID()}`;
      const details = { currency: "EUR", hourlyRate: "80", client };
      const { id: projectId } = await createProject(run, call, details);
      const entry = await createEntry(run, call, { projectId });
      const path = { id: entry.id };
      expectEqual("POST /api/v1/time-entries: amount", [Number(entry.amount), entry.currency], [80, "EUR"]);
      const read = await call("GET /api/v1/time-entries/{id}", { path });
      expectEqual("GET …/{id}: durationSeconds", read.body.durationSeconds, 3600);
      const body = { endedAt: "2026-01-05T11:00:00Z" };
      const changed = await call("PATCH /api/v1/time-entries/{id}", { path, body });
      expectEqual("PATCH …/{id}: amount", Number(changed.body.amount), 160);
      const listed = await call("GET /api/v1/time-entries", { query: { project_id: projectId } });
      expectEqual("GET /api/v1/time-entries: count", listed.body.data.length, 1);
      const old = await call("GET /api/v1/entries", { query: { project_id: projectId } });
      expectEqual("GET /api/v1/entries: count", old.body.data.length, 1);
      expectMatch("GET /api/v1/entries: deprecation", old.headers.get("deprecation"), /./);

      const copy = await call("POST /api/v1/time-entries/{id}/duplicate", { path, expect: 201 });
      removal(run, call, copy.body.id);
      const at = "2026-01-05T09:20:00Z";
      const parts = (
        await call("POST /api/v1/time-entries/{id}/split", {
          path: { id: copy.body.id },
          expect: 201,
          body: { at },
        })
      ).body.data;
      removal(run, call, parts[1].id);
      expectEqual(
        "POST …/{id}/split: durationSeconds",
        parts.map(({ durationSeconds }: { durationSeconds: number }) => durationSeconds),
        [1200, 6000],
      );
      const ids = parts.map(({ id }: { id: string }) => id);
      const many = { ids, changes: { description: "Changed together" } };
      const together = await call("PATCH /api/v1/time-entries", { body: many });
      expectEqual("PATCH /api/v1/time-entries: ids", idsOf(together), ids);
      await call("POST /api/v1/time-entries/delete", { expect: 204, body: { ids } });
      const gone = { path: { id: ids[1] }, expect: 404, code: "time_entry_not_found" };
      await call("GET /api/v1/time-entries/{id}", gone);
      const suggested = await call("GET /api/v1/suggestions", { query: { field: "client", q: client } });
      expectEqual(
        "GET /api/v1/suggestions: values",
        suggested.body.data.map(({ value }: { value: string }) => value),
        [client],
      );

      const started = (await call("POST /api/v1/time-entries/start", { expect: 201, body: { projectId } }))
        .body;
      removal(run, call, started.id);
      const { body: running } = await call("GET /api/v1/time-entries/running");
      expectEqual("GET …/running: id", running.id, started.id);
      const again = { expect: 409, code: "timer_already_running", body: { projectId } };
      await call("POST /api/v1/time-entries/start", again);
      const stopped = (await call("POST /api/v1/time-entries/stop")).body;
      expectEqual("POST …/stop: id", stopped.id, started.id);
      expectMatch("POST …/stop: endedAt", stopped.endedAt, /^\d{4}-/);
      await entry.remove();
      await call("GET /api/v1/time-entries/{id}", { path, expect: 404, code: "time_entry_not_found" });
    },
  },
  {
    name: "idempotency",
    title: "a repeated POST with the same Idempotency-Key replays the first result",
    async run(run) {
      const call = await run.admin();
      const headers = { "idempotency-key": randomUUID() };
      const body = { name: `Smoke ${randomUUID()}` };
      const first = await createProject(run, call, body, headers);
      const second = await createProject(run, call, body, headers);
      expectEqual("second POST: id", second.id, first.id);
      expectEqual("first POST: idempotency-replayed", first.headers.get("idempotency-replayed"), null);
      expectEqual("second POST: idempotency-replayed", second.headers.get("idempotency-replayed"), "true");
      const other = { ...body, client: "Other" };
      await call("POST /api/v1/projects", {
        expect: 422,
        code: "idempotency_key_reused",
        headers,
        body: other,
      });
    },
  },
  {
    name: "pagination",
    title: "pages and cursors return each row once",
    async run(run) {
      const call = await run.admin();
      const client = `smoke ${randomUUID()}`;
      const projects: string[] = [];
      for (let n = 0; n < 3; n++) projects.push((await createProject(run, call, { client })).id);
      const page = (number: string) =>
        call("GET /api/v1/projects", { query: { client, page: number, per_page: "2" } });
      const [one, two] = [await page("1"), await page("2")];
      expectEqual("page 1: meta", one.body.meta, { page: 1, perPage: 2, total: 3, totalPages: 2 });
      expectEqual("pages of projects", idsOf(one, two).sort(), projects.sort());

      const [projectId = ""] = projects;
      const entries: string[] = [];
      for (let n = 0; n < 3; n++) entries.push((await createEntry(run, call, { projectId })).id);
      const query = { project_id: projectId, limit: "2" };
      const first = await call("GET /api/v1/time-entries", { query });
      const cursor = first.body.meta?.nextCursor;
      expectMatch("first page: nextCursor", cursor, /./);
      const last = await call("GET /api/v1/time-entries", { query: { ...query, cursor } });
      expectEqual("last page: nextCursor", last.body.meta?.nextCursor, null);
      expectEqual("pages of time entries", idsOf(first, last).sort(), entries.sort());
      const wrong = { query: { per_page: "1000" }, expect: 422, code: "invalid_input" };
      await call("GET /api/v1/projects", wrong);
    },
  },
];

/** Creates a project, which is deleted when the check has ended or with `remove`. */
export async function createProject(
  { cleanUp }: Run,
  call: Client,
  more: object = {},
  headers: CallOptions["headers"] = {},
) {
  const body = { name: `Smoke ${randomUUID()}`, ...more };
  const answer = await call("POST /api/v1/projects", { expect: 201, headers, body });
  const id: string = answer.body.id;
  const remove = cleanUp(`the project ${id}`, () =>
    // A replayed creation shares its project with the first one.
    call("DELETE /api/v1/projects/{id}", { expect: [204, 404], path: { id } }),
  );
  return { id, remove, body: answer.body, headers: answer.headers };
}

async function createEntry(run: Run, call: Client, more: object) {
  const { body } = await call("POST /api/v1/time-entries", { expect: 201, body: { ...hours, ...more } });
  return { ...body, remove: removal(run, call, body.id) };
}

/** Deletes a time entry when the check has ended. Returns a function that deletes it earlier. */
function removal({ cleanUp }: Run, call: Client, id: string): () => Promise<void> {
  return cleanUp(`the time entry ${id}`, () =>
    // A check may have deleted it with others.
    call("DELETE /api/v1/time-entries/{id}", { expect: [204, 404], path: { id } }),
  );
}

function idsOf(...pages: { body: { data: { id: string }[] } }[]): string[] {
  return pages.flatMap(({ body }) => body.data.map(({ id }) => id));
}
