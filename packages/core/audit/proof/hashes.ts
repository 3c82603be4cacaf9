import { hash } from "node:crypto";
import canonicalize from "canonicalize";
import type { Selectable } from "kysely";
import { type ColumnsThatAre, columns } from "../../event/columns.ts";
import * as Erasure from "../../event/erasure.ts";
import type { Events } from "../../platform/db/schema.ts";

/** The groups of personal columns that an erasure clears together. Each group of an entry has a salt and a hash. */
export const groups = {
  origin: ["ip", "country", "city", "user_agent"],
  name: ["target_name"],
  changes: ["changes"],
  data: ["data"],
} as const satisfies Record<string, readonly Personal[]>;

type Permanent = ColumnsThatAre<"permanent">;
type Personal = ColumnsThatAre<"personal">;

export type Group = keyof typeof groups;
export const groupNames = Object.keys(groups) as Group[];

/** The columns of an event that its hash covers. */
export type Content = Pick<Selectable<Events>, Permanent | (typeof groups)[Group][number]>;

/** Base64url values of each group. */
export type Hashes = Record<Group, string>;
export type Salts = Record<Group, string | null>;

/** A link of the chain, as its hash covers it together with the previous hash. */
export type Link = { workspaceId: string; sequence: number; at: Date; chainedAt: Date; entryHash: string };

const permanentColumns = Object.entries(columns)
  .filter(([, content]) => content === "permanent")
  .map(([name]) => name as Permanent)
  .sort();

const sortedGroups = mapGroups((group) => groups[group].toSorted());

/** The previous hash of the first link. */
export const start = "";

/**
 * Serializes a value by RFC 8785 (JSON Canonicalization Scheme), in which equal values have one form. Throws an error for values
 * that JSON cannot represent.
 */
export function canonical(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Error("The value cannot be represented in JSON.");
  return text;
}

/**
 * Returns the canonical JSON object of the columns with a value. Null, an empty text and an object without members do not count,
 * so that a column that is added later does not change the hashes of earlier entries. `names` must be sorted. Most values are
 * texts, for which this takes a third of the time of `canonical`.
 */
function columnsAsJson(event: Content, names: readonly (keyof Content)[]): string {
  let members = "";
  for (const name of names) {
    const value = event[name];
    if (!hasValue(value)) continue;
    const isJson = typeof value === "object" && !(value instanceof Date);
    members += `${members && ","}"${name}":${isJson ? canonical(value) : JSON.stringify(value)}`;
  }
  return `{${members}}`;
}

function hasValue(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return false;
  return typeof value !== "object" || value instanceof Date || Object.keys(value).length > 0;
}

/** Returns the hash of a group of personal columns: SHA-256 of the 16 bytes of the salt and the canonical JSON of the columns. */
export function groupHash(event: Content, group: Group, salt: string): string {
  const text = columnsAsJson(event, sortedGroups[group]);
  return sha256(Buffer.concat([Buffer.from(salt, "base64url"), Buffer.from(text)]));
}

/** Returns whether a group has the values that remain after an erasure. */
export function isErased(event: Content, group: Group): boolean {
  return groups[group].every((name) => !hasValue(event[name]) || event[name] === Erasure.formerName);
}

/** Returns the hash of an entry: SHA-256 of the canonical JSON of its permanent columns and the hashes of the personal ones. */
export function entryHash(event: Content, personal: Hashes): string {
  // Entries that are not counted have null, and the log shows 1 for both.
  const counted = event.occurrences === 1 ? { ...event, occurrences: null } : event;
  const permanent = columnsAsJson(counted, permanentColumns);
  const { changes, data, name, origin } = personal;
  return sha256(`{"permanent":${permanent},"personal":${JSON.stringify({ changes, data, name, origin })}}`);
}

/** Returns the hash of a link: SHA-256 of the canonical JSON of the previous hash and the link. Times are ISO 8601 in UTC. */
export function linkHash(
  previous: string,
  { workspaceId, sequence, at, chainedAt, entryHash: entry }: Link,
): string {
  // The members are in their canonical order.
  return sha256(JSON.stringify({ at, chainedAt, entry, previous, sequence, workspaceId }));
}

/** Returns a value for each group. */
export function mapGroups<T>(value: (group: Group) => T): Record<Group, T> {
  return Object.fromEntries(groupNames.map((group) => [group, value(group)])) as Record<Group, T>;
}

function sha256(data: string | Buffer): string {
  return hash("sha256", data, "base64url");
}
