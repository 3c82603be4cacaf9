import * as z from "zod/mini";
import { Id } from "../../base/id.ts";
import { Instant } from "../../base/instant.ts";
import { db } from "../../platform/db/engine.ts";
import type { EventRow, View } from "../audit-log.ts";
import * as Checkpoint from "./checkpoint.ts";
import { type Content, canonical, groupNames, start } from "./hashes.ts";

/** The part of an exported entry that proves the others: its place in the chain, and a salt or a hash of each group. */
export const EntryProof = z.object({
  workspaceId: Id,
  sequence: z.int(),
  salts: z.partialRecord(z.enum(["origin", "name", "changes", "data"]), z.string()),
  hashes: z.partialRecord(z.enum(["origin", "name", "changes", "data"]), z.string()),
});
export type EntryProof = z.infer<typeof EntryProof>;

/** Consecutive links of a chain. */
export const Links = z.object({
  first: z.int(),
  previous: z.string(),
  /** Time of the entry, time of chaining, and hash of the entry. */
  links: z.array(z.tuple([Instant, Instant, z.string()])),
});
export type Links = z.infer<typeof Links>;

/** The last line of an export. The times bound the entries that the file has; `isFiltered` tells that it lacks others. */
export const End = z.object({
  checkpoint: z.nullable(Checkpoint.View),
  since: z.nullable(Instant),
  before: z.nullable(Instant),
  isFiltered: z.boolean(),
});
export type End = z.infer<typeof End>;

/** Links of one line, and of one part of an export, which has about 3 MB. */
const linksOfLine = 1000;
const linksOfPart = 30_000;

/**
 * Returns the proof of an exported entry, or null if it is not in the chain yet. A group has its salt if the export shows its
 * values, and otherwise its hash.
 */
export function proofOf(row: EventRow, shown: View): EntryProof | null {
  const { workspace_id: workspaceId, sequence } = row;
  if (workspaceId === null || sequence === null) return null;
  const proof: EntryProof = { workspaceId, sequence: Number(sequence), salts: {}, hashes: {} };
  const content = contentOf(shown, workspaceId);
  for (const group of groupNames) {
    const salt = row[`${group}_salt`];
    const isShown =
      group !== "data" && (group !== "changes" || canonical(content.changes) === canonical(row.changes));
    if (salt !== null && isShown) proof.salts[group] = salt;
    else proof.hashes[group] = row[`${group}_hash`] ?? "";
  }
  return proof;
}

/** Returns the columns of an event as far as an exported entry shows them. */
export function contentOf(entry: View, workspaceId: string): Content {
  const { before, after } = entry.changes;
  // Includes values of fields that the entry does not name, which only a changed file has.
  const fields = new Set([...entry.fields, ...Object.keys(before), ...Object.keys(after)]);
  const changeOf = (name: string) =>
    name in before || name in after ? { before: before[name] ?? null, after: after[name] ?? null } : {};
  return {
    id: entry.id,
    workspace_id: workspaceId,
    action: entry.action,
    at: new Date(entry.at),
    actor_type: entry.actor.type,
    actor_id: entry.actor.id,
    token_id: entry.actor.tokenId,
    target_type: entry.target.type,
    target_id: entry.target.id,
    target_name: entry.target.name,
    ip: entry.ip,
    country: entry.country,
    city: entry.city,
    user_agent: entry.userAgent,
    request_id: entry.requestId,
    outcome: entry.outcome,
    occurrences: entry.occurrences,
    changes: Object.fromEntries([...fields].map((name) => [name, changeOf(name)])),
    data: null,
  };
}

/** Returns the number of the first link that an export with entries since this id needs. Undefined if it needs none. */
export async function firstLink(
  workspaceId: string,
  sinceId: string | undefined,
): Promise<number | undefined> {
  if (sinceId === undefined) return 1;
  const { first } = await db()
    .selectFrom("events")
    .innerJoin("audit_links as link", "link.event_id", "events.id")
    .select((select) => select.fn.min("link.sequence").as("first"))
    .where("events.workspace_id", "=", workspaceId)
    .where("events.id", ">=", sinceId)
    .executeTakeFirstOrThrow();
  return first === null ? undefined : Number(first);
}

/**
 * Returns lines with the links from `first`, and the number of the first link that is left for the next part, if one is left.
 * Ends with the link of the checkpoint.
 */
export async function linkLines(
  workspaceId: string,
  first: number,
  checkpoint: Checkpoint.View | undefined,
): Promise<{ lines: Links[]; next: number | undefined }> {
  const last = Math.min(checkpoint?.sequence ?? Number.MAX_SAFE_INTEGER, first + linksOfPart - 1);
  const rows = await db()
    .selectFrom("audit_links")
    .select(["sequence", "at", "chained_at", "entry_hash", "hash"])
    .where("workspace_id", "=", workspaceId)
    .where("sequence", ">=", BigInt(first - 1) as never)
    .where("sequence", "<=", BigInt(last) as never)
    .orderBy("sequence")
    .execute();
  const before = rows.find(({ sequence }) => Number(sequence) === first - 1);
  const links = rows.filter(({ sequence }) => Number(sequence) >= first);
  const lines: Links[] = [];
  for (let at = 0; at < links.length; at += linksOfLine)
    lines.push({
      first: first + at,
      previous: (at === 0 ? before?.hash : links[at - 1]?.hash) ?? start,
      links: links
        .slice(at, at + linksOfLine)
        .map((link) => [link.at.toISOString(), link.chained_at.toISOString(), link.entry_hash]),
    });
  return { lines, next: links.length === linksOfPart ? first + linksOfPart : undefined };
}
