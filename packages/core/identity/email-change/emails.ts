import type { RequestOrigin } from "../../base/actor.ts";
import * as Config from "../../platform/config/config.ts";
import * as Email from "../../platform/mail/email.ts";
import type * as Mail from "../../platform/mail/mail.ts";
import { circumstances } from "../notices/notice.ts";

/** How long the link to the new email works. */
export const linkHours = 24;

/** How long a change can be undone. */
export const undoDays = 7;

/** The email to the new email of an account. */
export function confirmLink(to: string, token: string): Mail.Email {
  return Email.compose({
    to,
    subject: "Confirm your new email",
    paragraphs: [
      "We received a request to use this email for an existing account.",
      `Use the link within ${linkHours} hours to confirm it. From then on you sign in with this email. If you didn't request this, you can ignore this email: nothing changes without the link.`,
    ],
    // In the fragment, so that the token reaches no server's log and no Referer header.
    link: { label: "Confirm email", url: `${Config.appUrl()}/confirm-email#token=${token}` },
  });
}

/** The email to the new email if it already belongs to another account. */
export function taken(to: string): Mail.Email {
  return Email.compose({
    to,
    subject: "Your email already has an account",
    paragraphs: [
      "We received a request to use this email for another account, but it belongs to yours. Nothing has changed.",
      "If you want to use it for the other account, change the email of this account first. If you didn't request this, you can ignore this email.",
    ],
    link: { label: "Sign in", url: `${Config.appUrl()}/login` },
  });
}

/** The email to the current email of an account about the requested change. */
export function undoLink({
  email,
  name,
  newEmail,
  token,
  origin,
  now,
}: {
  email: string;
  name: string;
  newEmail: string;
  token: string;
  origin: RequestOrigin;
  now: Date;
}): Mail.Email {
  return Email.compose({
    to: email,
    subject: "The email of your account is being changed",
    paragraphs: [
      `Hello ${name},`,
      `We received a request with your password to change the email of your account to ${newEmail}. It changes as soon as that email is confirmed.`,
      ...circumstances(now, origin),
      `If this was you, you don't need to do anything. If it wasn't, undo the change now. The link works for ${undoDays} days, also after the change. It keeps or restores this email, signs out all sessions, removes API tokens, and passkeys, second factors and devices that were added since or in the day before, and lets you choose a new password.`,
    ],
    link: { label: "Undo the change", url: `${Config.appUrl()}/undo-email-change#token=${token}` },
  });
}

/** The email to the email that an undone change had set. */
export function undone(to: string, origin: RequestOrigin, now: Date): Mail.Email {
  return Email.compose({
    to,
    subject: "The change of your email was undone",
    paragraphs: [
      "The account that used this email uses its previous one again. All sessions were signed out, and the account needs a new password.",
      ...circumstances(now, origin),
      "The change was undone with the link that we sent to the previous email. If this wasn't you, secure the mailbox of the previous email, then reset your password with it.",
    ],
    link: { label: "Reset password", url: `${Config.appUrl()}/forgot-password` },
  });
}
