import * as z from "zod/mini";
import type { Actor } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import * as Event from "../../event/event.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { changed } from "../../platform/db/version.ts";
import * as Notice from "../notices/notice.ts";
import * as Session from "../sessions/session.ts";
import * as ApiToken from "../tokens/api-token.ts";
import { verifyCurrent } from "./current.ts";
import * as Password from "./hash.ts";
import { NewPassword, requireStrong } from "./new-password.ts";
import { maxLength } from "./password-policy.ts";

export const Change = z.object({
  currentPassword: z.string().check(z.minLength(1), z.maxLength(maxLength)),
  newPassword: NewPassword,
  /** Keeps the caller's API tokens, which are revoked otherwise. */
  keepApiTokens: z.optional(z.boolean()),
});
export type Change = z.infer<typeof Change>;

/** Returns the email about a changed password, with the names of the API tokens that were revoked. */
export function changedNotice(revokedTokens: readonly string[]): Notice.Notice {
  const tokens = revokedTokens.map((name) => `“${name}”`).join(", ");
  return {
    subject: "Your password was changed",
    text: `The password of your account was changed, and all other sessions were signed out.${
      tokens && ` These API tokens were revoked, so clients that use them need new ones: ${tokens}.`
    }`,
  };
}

/**
 * Sets a new password, ends the caller's other sessions and revokes their API tokens, unless they keep them. Throws `forbidden`
 * `invalid_credentials` if the current password is wrong, `busy` `account_temporarily_locked` after too many attempts, and
 * `invalid` `password_too_weak`.
 */
export async function change(actor: Actor, input: Change, now: Date = Clock.now()): Promise<void> {
  const owner = await verifyCurrent(actor, input.currentPassword, now);
  await requireStrong(input.newPassword, owner, "/newPassword");
  const passwordHash = await Password.hash(input.newPassword);
  const revoked = await transaction(async (tx) => {
    // Another session may have set a new password since, which must not be overwritten.
    await Session.requireOpen(tx, actor, now);
    await tx
      .updateTable("users")
      .set({ password_hash: passwordHash, ...changed(now) })
      .where("id", "=", actor.userId)
      .execute();
    await Session.endOthers(tx, actor.userId, actor.sessionId, now);
    const target = { type: "user", id: actor.userId, name: owner.name } as const;
    await Event.record(tx, actor, { action: "user.password_changed", target }, now);
    return input.keepApiTokens ? [] : ApiToken.revokeAll(tx, actor, now);
  });
  await Notice.send(actor, changedNotice(revoked), now);
}
