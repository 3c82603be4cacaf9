import { type RawBuilder, sql } from "kysely";
import * as z from "zod/mini";

/**
 * A rounding of the duration of each entry to a multiple of `minutes`. `nearest` rounds half a step up. Durations that are
 * multiples already, including zero, stay unchanged.
 */
export type Rounding = { way: "up" | "down" | "nearest"; minutes: number };

export const maxMinutes = 240;

/** A rounding in a request: the direction and the step in minutes, such as `up:15`, `down:6` or `nearest:30`. */
export const Text = z.pipe(
  z.string().check(
    z.regex(
      /^(?:up|down|nearest):[1-9]\d{0,2}$/,
      "Rounding must be up, down or nearest with minutes, such as up:15.",
    ),
    z.refine((text) => parse(text).minutes <= maxMinutes, `Rounding can be at most ${maxMinutes} minutes.`),
  ),
  z.transform(parse),
);

function parse(text: string): Rounding {
  const [way, minutes] = text.split(":");
  return { way: way as Rounding["way"], minutes: Number(minutes) };
}

/** Rounds an SQL expression for whole seconds. */
export function roundSql(seconds: RawBuilder<unknown>, { way, minutes }: Rounding): RawBuilder<unknown> {
  const step = minutes * 60;
  const added = { up: step - 1, down: 0, nearest: step / 2 }[way];
  return sql`((${seconds} + ${sql.lit(added)}) / ${sql.lit(step)} * ${sql.lit(step)})`;
}
