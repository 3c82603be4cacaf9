import { event } from "../../functions/testing/request.ts";
import { handler as auditLog } from "../../functions/v1/audit-logs/list.ts";
import { handler as timeEntries } from "../../functions/v1/time-entries/list.ts";
import * as Cursor from "../core/base/cursor.ts";
import { db } from "../core/platform/db/engine.ts";
import { interleaved, table } from "./interleaved.ts";
import { rows, withMillion } from "./million.ts";

const rounds = 41;
const depths = { "at the start": 0, "in the middle": rows / 2, "at the end": rows - 100 };

/** Measures cursor pages of 50 rows at the start, in the middle and at the end of a million rows. */
export async function cursorDepth(): Promise<string> {
  const tables = await withMillion(async ({ admin: { token, workspaceId } }) => {
    const entryAt = async (offset: number) => {
      const row = await db()
        .selectFrom("time_entries")
        .select(["id", "started_at"])
        .where("workspace_id", "=", workspaceId)
        .orderBy("started_at", "desc")
        .orderBy("id", "desc")
        .offset(offset)
        .limit(1)
        .executeTakeFirstOrThrow();
      return Cursor.encode(["-started_at", row.started_at.getTime(), row.id]);
    };
    const eventAt = async (offset: number) => {
      const row = await db()
        .selectFrom("events")
        .select("id")
        .where("workspace_id", "=", workspaceId)
        .orderBy("id", "desc")
        .offset(offset)
        .limit(1)
        .executeTakeFirstOrThrow();
      return Cursor.encode([row.id]);
    };
    const measure = async (
      title: string,
      handler: typeof auditLog,
      at: (offset: number) => Promise<string>,
    ) => {
      const contenders = [];
      for (const [name, offset] of Object.entries(depths)) {
        const request = await event(title, { token, query: { cursor: await at(offset) } });
        contenders.push({
          name,
          async run() {
            const { statusCode } = await handler(request, {
              getRemainingTimeInMillis: () => 30_000,
            } as never);
            if (statusCode !== 200) throw new Error(`${title} returned ${statusCode}.`);
          },
        });
      }
      return table(
        `${title}: a cursor page of 50 out of 1,000,000 rows, whole handler`,
        await interleaved(contenders, rounds),
      );
    };
    return [
      await measure("GET /api/v1/time-entries", timeEntries, entryAt),
      await measure("GET /api/v1/audit-logs", auditLog, eventAt),
    ].join("\n");
  });
  return tables ?? "depth: needs TEST_DATABASE_URL (.ci/with-postgres npm run bench -- depth)\n";
}
