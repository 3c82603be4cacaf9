import { minAuditRetentionDays } from "../../platform/config/config.ts";
import {
  type Content,
  entryHash,
  type Group,
  groupHash,
  groupNames,
  type Hashes,
  isErased,
  type Salts,
} from "./hashes.ts";

/** How much later than its time an entry may enter the chain behind newer ones. Transactions take minutes at most. */
export const lateHours = 1;

/** The kinds of problems that a check finds in a log. */
export type Problem =
  /** The entry is gone, although the retention did not delete it. */
  | "entry_missing"
  /** The entry does not match its hash. */
  | "entry_changed"
  /** The entry is not in the chain, or entered it long after newer ones. */
  | "entry_inserted"
  /** The entry stands at another place of the file. */
  | "entry_moved"
  /** A link is missing, was inserted or moved. */
  | "link_missing"
  /** A link does not match its hash. */
  | "link_changed"
  /** The chain does not contain the hash of a checkpoint. */
  | "checkpoint_mismatch"
  /** A checkpoint does not match its signature, or a trusted key did not sign it. */
  | "checkpoint_signature"
  /** The file does not end like an export. */
  | "file_truncated"
  /** The file has no chain, so it proves nothing. */
  | "file_without_chain";

/**
 * Compares an entry with the hashes of its link. `mayBeErased` tells for a group without a matching hash whether the account
 * of the person was deleted. Returns the problem, if there is one.
 */
export function examineEntry(
  event: Content,
  salts: Salts,
  link: { hashes: Hashes; entryHash: string },
  mayBeErased: (group: Group) => boolean,
): Problem | undefined {
  const matches = (group: Group) => {
    const salt = salts[group];
    return (
      (salt !== null && groupHash(event, group, salt) === link.hashes[group]) ||
      (isErased(event, group) && mayBeErased(group))
    );
  };
  const isIntact = groupNames.every(matches) && entryHash(event, link.hashes) === link.entryHash;
  return isIntact ? undefined : "entry_changed";
}

/**
 * Returns the time before which entries may be missing: that of the retention, but at most what the shortest retention allows.
 * Otherwise, someone who changes the recorded time could delete any entry.
 */
export function mayBeMissingBefore(purgedBefore: Date | null, now: Date): Date | undefined {
  const latest = now.getTime() - minAuditRetentionDays * 86_400_000;
  return purgedBefore ? new Date(Math.min(purgedBefore.getTime(), latest)) : undefined;
}

/** Returns whether an entry with the time `at` entered the chain so long after a newer one that it was probably forged. */
export function isInserted({ at, chainedAt }: { at: Date; chainedAt: Date }, latestBefore: number): boolean {
  return at.getTime() < latestBefore && isLate(at, chainedAt);
}

/** Returns whether a transaction that recorded an event at `at` must have ended by `now`. */
export function isLate(at: Date, now: Date): boolean {
  return now.getTime() - at.getTime() > lateHours * 3_600_000;
}
