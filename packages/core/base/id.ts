import { randomInt } from "node:crypto";
import { v7 } from "uuid";
import * as Clock from "./clock.ts";

/** The types of things, as they stand before the underscore of an id. */
export type Prefix =
  | "usr"
  | "ses"
  | "dev"
  | "wsp"
  | "team"
  | "evt"
  | "req"
  | "wan"
  | "mfa"
  | "log"
  | "pat"
  | "inv"
  | "prj"
  | "tim"
  | "whk"
  | "whd"
  | "con"
  | "rep";

/** What every id looks like from outside: opaque, safe in a path and in an object key. */
export const pattern = /^[A-Za-z0-9_-]{1,64}$/;

let last = { ms: Number.NaN, counter: 0 };

/**
 * A new id that sorts by the time it was made (UUIDv7, RFC 9562), for example `usr_0199…`. Ids that this process makes for
 * one millisecond sort in the order they were made (section 6.2, method 1), so events of one transaction keep theirs.
 */
export function newId(prefix: Prefix, now: Date = Clock.now()): string {
  const ms = now.getTime();
  last = { ms, counter: ms === last.ms ? last.counter + 1 : randomInt(2 ** 31) };
  return `${prefix}_${v7({ msecs: ms, seq: last.counter }).replaceAll("-", "")}`;
}

/** What every id made at this time or later is not before, in the order of ids: their first 48 bits are the milliseconds. */
export function firstId(prefix: Prefix, at: Date): string {
  return `${prefix}_${Math.max(at.getTime(), 0).toString(16).padStart(12, "0")}`;
}
