import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { db } from "../platform/db/engine.ts";
import { type Rounding, roundSql } from "./rounding.ts";

const cases: readonly (readonly [Rounding["way"], minutes: number, seconds: number, rounded: number])[] = [
  ["up", 15, 0, 0],
  ["up", 15, 1, 900],
  ["up", 15, 899, 900],
  ["up", 15, 900, 900],
  ["up", 15, 901, 1800],
  ["up", 1, 59, 60],
  ["up", 240, 14_401, 28_800],
  ["down", 15, 0, 0],
  ["down", 15, 899, 0],
  ["down", 15, 900, 900],
  ["down", 15, 1799, 900],
  ["nearest", 15, 0, 0],
  ["nearest", 15, 449, 0],
  ["nearest", 15, 450, 900],
  ["nearest", 15, 900, 900],
  ["nearest", 15, 1349, 900],
  ["nearest", 15, 1350, 1800],
  ["nearest", 1, 29, 0],
  ["nearest", 1, 30, 60],
];

describe("roundSql", () => {
  test.each(cases)(
    "rounds %s to a multiple of %i minutes: %i seconds become %i",
    async (way, minutes, seconds, rounded) => {
      const expression = roundSql(sql`${sql.lit(seconds)}::int4`, { way, minutes });
      const { rows } = await sql<{ rounded: number }>`SELECT ${expression} AS rounded`.execute(db());
      expect(Number(rows[0]?.rounded)).toBe(rounded);
    },
  );
});
