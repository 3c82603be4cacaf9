import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { db } from "../platform/db/engine.ts";
import { halfEvenCases } from "./half-even.cases.ts";
import { roundHalfEvenSql } from "./half-even-sql.ts";

describe("roundHalfEvenSql", () => {
  test("rounds every shared case like roundHalfEven", async () => {
    const fractions = JSON.stringify(halfEvenCases.map(([n, d], at) => ({ at, n: `${n}`, d: `${d}` })));
    const { rows } = await sql<{ rounded: string }>`
      SELECT ${roundHalfEvenSql(sql`n`, sql`d`)}::text AS rounded
      FROM jsonb_to_recordset(${fractions}::jsonb) AS fraction(at integer, n numeric, d numeric)
      ORDER BY at`.execute(db());
    expect(rows.map(({ rounded }) => BigInt(rounded))).toEqual(halfEvenCases.map(([, , rounded]) => rounded));
  });
});
