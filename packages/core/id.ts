import { v7 } from "uuid";
import * as Clock from "./clock/clock.ts";

/** The types of things, as they stand before the underscore of an id. */
export type Prefix = "usr" | "ses" | "dev" | "wsp" | "team" | "evt" | "req" | "whk" | "whd";

/** What every id looks like from outside: opaque, safe in a path and in an object key. */
export const pattern = /^[A-Za-z0-9_-]{1,64}$/;

/** A new id that sorts by the time it was made (UUIDv7, RFC 9562), for example `usr_0199…`. */
export function newId(prefix: Prefix, now: Date = Clock.now()): string {
  return `${prefix}_${v7({ msecs: now.getTime() }).replaceAll("-", "")}`;
}

/** No id made at this time or later sorts before it, no id made earlier after it. */
export function firstId(prefix: Prefix, at: Date): string {
  return `${prefix}_${at.getTime().toString(16).padStart(12, "0")}`;
}
