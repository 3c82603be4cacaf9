import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { db } from "../../platform/db/engine.ts";
import { amountCases } from "./amount.cases.ts";
import { costSql } from "./amount.ts";

describe("costSql", () => {
  test("computes every shared case like cost", async () => {
    const entries = JSON.stringify(
      amountCases.map(([seconds, rate], at) => ({ at, seconds, rate: `${rate}` })),
    );
    const { rows } = await sql<{ cost: string }>`
      SELECT ${costSql(sql`seconds`, sql`rate`)}::text AS cost
      FROM jsonb_to_recordset(${entries}::jsonb) AS entry(at integer, seconds integer, rate bigint)
      ORDER BY at`.execute(db());
    expect(rows.map(({ cost }) => BigInt(cost))).toEqual(amountCases.map(([, , cost]) => cost));
  });
});
