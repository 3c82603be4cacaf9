import { idPattern, newId } from "../base/id.ts";
import type { Tx } from "../platform/db/engine.ts";

/** Prefix of the records of erasures in the files bucket. */
export const recordPrefix = "erasures/";

/** Days for which a record is kept. Backups must not be older when they are restored. */
export const retentionDays = 90;

/** Replaces the name of a deleted user in lists and reports. */
export const formerName = "Deleted user";

/** An erased account, an erased avatar by its object key, or the erased avatar of a user that was not an object. */
export type Erased = { account: string } | { avatarKey: string } | { legacyAvatarOf: string };

/**
 * Notes an erasure in the transaction that erases. `record-erasures` then writes it to the files bucket, from where it can be
 * applied again after a backup was restored. The record consists of its object key, which contains only ids.
 */
export async function note(tx: Tx, erased: Erased, at: Date): Promise<void> {
  const key = `${recordPrefix}${newId("era", at)}/${pathOf(erased)}`;
  await tx.insertInto("unrecorded_erasures").values({ key }).execute();
}

function pathOf(erased: Erased): string {
  if ("account" in erased) return `accounts/${erased.account}`;
  return "avatarKey" in erased ? erased.avatarKey : `legacy-avatars/${erased.legacyAvatarOf}`;
}

/** Parses the object key of a record. Returns undefined for a key that `note` does not produce. */
export function parse(key: string): Erased | undefined {
  const [, kind, rest = ""] = /^erasures\/era_\w+\/(accounts|avatars|legacy-avatars)\/(.+)$/.exec(key) ?? [];
  if (kind === "avatars") return { avatarKey: `avatars/${rest}` };
  if (!idPattern.test(rest)) return undefined;
  return kind === "accounts" ? { account: rest } : { legacyAvatarOf: rest };
}
