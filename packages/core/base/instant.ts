import * as z from "zod/mini";

/** An instant in a response: UTC with milliseconds, such as `2026-01-31T12:00:00.000Z`. */
export const Instant = z.iso
  .datetime()
  .check(z.meta({ description: "An instant (RFC 3339), in UTC and with milliseconds." }));
