import { firstId } from "../base/id.ts";
import type { Events } from "../platform/db/schema.ts";

/**
 * The columns of an event by their content. `personal` columns can contain personal data: names, origins and values. The
 * erasure of an account clears them. `permanent` columns never change once the event is older than `settledMinutes`; only
 * retention deletes the row. Ids of users are permanent: without the account, they identify no one. `chain` columns prove the
 * others.
 */
export const columns = {
  id: "permanent",
  workspace_id: "permanent",
  action: "permanent",
  at: "permanent",
  actor_type: "permanent",
  actor_id: "permanent",
  token_id: "permanent",
  target_type: "permanent",
  target_id: "permanent",
  target_name: "personal",
  ip: "personal",
  country: "personal",
  city: "personal",
  user_agent: "personal",
  request_id: "permanent",
  outcome: "permanent",
  occurrences: "permanent",
  changes: "personal",
  data: "personal",
  origin_salt: "chain",
  name_salt: "chain",
  changes_salt: "chain",
  data_salt: "chain",
} as const satisfies Record<keyof Events, "personal" | "permanent" | "chain">;

/** The names of the columns with this content. */
export type ColumnsThatAre<Content> = {
  [Name in keyof typeof columns]: (typeof columns)[Name] extends Content ? Name : never;
}[keyof typeof columns];

/**
 * The age in minutes from which an event no longer changes. Equal failures of one minute are counted in one event, and a
 * transaction of Aurora DSQL takes at most five minutes.
 */
export const settledMinutes = 10;

/**
 * Returns the lower bound for ids of the events that happen at `at` or later. An event that counts the failures of a minute has an
 * id of the beginning of that minute, so ids of up to a minute before are among them.
 */
export function firstIdSince(at: Date): string {
  return firstId("evt", startOfMinute(at));
}

/** Returns the beginning of the UTC minute of an instant. */
export function startOfMinute(at: Date): Date {
  return new Date(Math.floor(at.getTime() / 60_000) * 60_000);
}
