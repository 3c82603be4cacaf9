import { db } from "@svc/core/platform/db/engine";
import { maxBytes } from "@svc/core/report/generate";
import { unlimited } from "@svc/core/testing/dsql";
import { owner } from "@svc/core/testing/people";
import { long } from "@svc/core/testing/sample";
import { startBucket, type TestBucket } from "@svc/local/testing/bucket";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { request } from "../../testing/request.ts";

let bucket: TestBucket;
beforeAll(async () => {
  bucket = await startBucket();
});
afterAll(() => bucket.close());

const days = { from: "2026-11-20", to: "2026-11-20" };
const generate = (token: string, body: object) =>
  request("POST /api/v1/reports/generate", { token, body: { type: "detailed", ...days, ...body } });
const filesOf = (workspaceId: string) =>
  bucket.keys("svc-files").filter((key) => key.startsWith(`reports/${workspaceId}/`));

/** Returns the owner of a workspace with this many entries of one second each. */
async function ownerWithEntries(count: number) {
  const ada = await owner("Ada", "ENTERPRISE");
  const insert = sql`INSERT INTO time_entries (id, workspace_id, user_id, description, started_at, ended_at, duration_seconds,
      billable, amount_minor, currency, tags, created_at, updated_at)
    SELECT ${ada.workspaceId} || n, ${ada.workspaceId}, ${ada.id}, '', '2026-11-20T09:00:00Z', '2026-11-20T09:00:01Z', 1,
      false, 0, 'EUR', '[]', now(), now() FROM generate_series(1, ${sql.lit(count)}::int) n`;
  await unlimited(() => insert.execute(db()));
  return ada;
}

describe("POST /api/v1/reports/generate", () => {
  // The same code checks the limit of CSV files. Inserting that many rows takes most of a minute, so only long runs test it.
  const limits = [["pdf", 20_000] as const, ...(long ? [["csv", 100_000] as const] : [])];

  it.each(limits)(
    "returns 422 report_too_large for a %s of more than %i rows and leaves no file",
    async (format, rows) => {
      const ada = await ownerWithEntries(rows + 1);
      const { status, body } = await generate(ada.token, { format });
      expect([status, body.code, body.errors[0].pointer]).toEqual([422, "report_too_large", "/from"]);
      expect(filesOf(ada.workspaceId)).toEqual([]);
      expect((await generate(ada.token, { type: "summary", format })).status).toBe(201);
    },
    120_000,
  );

  it.runIf(long)(
    "writes exactly 100,000 rows, and rejects a file of more than 50 MB",
    async () => {
      const ada = await ownerWithEntries(100_000);
      const whole = await generate(ada.token, { format: "csv" });
      expect(whole.status).toBe(201);
      expect((await (await fetch(whole.body.signedUrl)).text()).split("\r\n")).toHaveLength(100_002);
      const widen = sql`UPDATE time_entries SET description = repeat('x', ${sql.lit(Math.ceil(maxBytes / 100_000))})
        WHERE workspace_id = ${ada.workspaceId}`;
      await unlimited(() => widen.execute(db()));
      const refused = await generate(ada.token, { format: "csv" });
      expect(refused).toMatchObject({ status: 422, body: { code: "report_too_large" } });
      expect(filesOf(ada.workspaceId)).toHaveLength(1);
    },
    120_000,
  );
});

describe("GET /api/v1/reports/custom", () => {
  it("returns 422 report_too_large when it would list more than 5,000 entries", async () => {
    const { token } = await ownerWithEntries(5001);
    const { status, body } = await request("GET /api/v1/reports/custom", {
      token,
      query: { ...days, columns: "id" },
    });
    expect([status, body.code, body.errors[0].parameter]).toEqual([422, "report_too_large", "from"]);
  });
});
