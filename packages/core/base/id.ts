import { randomInt } from "node:crypto";
import { v7 } from "uuid";
import * as z from "zod/mini";
import * as Clock from "./clock.ts";

/** The part of an id before the underscore, which names the type of the resource. */
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
  | "rep"
  | "era";

/** The format of all ids: opaque, and safe in a URL path and an object key. */
export const idPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** An id, in a request or a response. */
export const Id = z.string().check(
  z.regex(idPattern, "Must be a valid ID."),
  z.meta({
    description: "An opaque id, unique in the service. The part before the underscore names the type.",
  }),
);

let last = { ms: Number.NaN, counter: 0 };

/**
 * Creates an id that sorts by creation time (UUIDv7, RFC 9562), such as `usr_0199…`. Ids of one process and millisecond sort in
 * the order of creation (section 6.2, method 1), so the events of a transaction stay in order.
 */
export function newId(prefix: Prefix, now: Date = Clock.now()): string {
  const ms = now.getTime();
  last = { ms, counter: ms === last.ms ? last.counter + 1 : randomInt(2 ** 31) };
  return `${prefix}_${v7({ msecs: ms, seq: last.counter }).replaceAll("-", "")}`;
}

/** Returns a lower bound for ids created at or after `at`. The first 48 bits of an id are its milliseconds. */
export function firstId(prefix: Prefix, at: Date): string {
  return `${prefix}_${Math.max(at.getTime(), 0).toString(16).padStart(12, "0")}`;
}

/** Returns the creation time of an id, to the millisecond. */
export function timeOf(id: string): Date {
  const [, time = ""] = id.split("_");
  return new Date(Number.parseInt(time.slice(0, 12), 16));
}
