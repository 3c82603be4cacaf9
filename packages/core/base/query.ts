import * as z from "zod/mini";

/** Parses an integer query parameter between two inclusive bounds. `defaultValue` is the value that applies without the parameter. */
export function QueryInteger(min: number, max: number, defaultValue: number) {
  return z.pipe(
    z.string().check(z.regex(/^\d{1,9}$/, "Use a whole number.")),
    z.pipe(z.transform(Number), z.int().check(z.gte(min), z.lte(max), z.meta({ default: defaultValue }))),
  );
}

/** Parses a boolean query parameter. */
export const QueryFlag = z.pipe(
  z.enum(["true", "false"]),
  z.pipe(
    z.transform((text: "true" | "false") => text === "true"),
    z.boolean(),
  ),
);
