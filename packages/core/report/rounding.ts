import { type RawBuilder, sql } from "kysely";
import * as z from "zod/mini";

/** How the duration of each entry is rounded, on its own, to whole steps of minutes. Half a step goes up. */
export type Rounding = { way: "up" | "down" | "nearest"; minutes: number };

export const maxMinutes = 240;

/** `up:15`, `down:6`, `nearest:30`: the way, and the minutes of a step. */
export const Text = z.pipe(
  z.string().check(
    z.regex(/^(?:up|down|nearest):[1-9]\d{0,2}$/, "Not up, down or nearest with minutes, such as up:15."),
    z.refine((text) => parsed(text).minutes <= maxMinutes, `A step has ${maxMinutes} minutes at most.`),
  ),
  z.transform(parsed),
);

function parsed(text: string): Rounding {
  const [way, minutes] = text.split(":");
  return { way: way as Rounding["way"], minutes: Number(minutes) };
}

/** These whole seconds in SQL, rounded. */
export function rounded(seconds: RawBuilder<unknown>, { way, minutes }: Rounding): RawBuilder<unknown> {
  const step = minutes * 60;
  const added = { up: step - 1, down: 0, nearest: step / 2 }[way];
  return sql`((${seconds} + ${sql.lit(added)}) / ${sql.lit(step)} * ${sql.lit(step)})`;
}
