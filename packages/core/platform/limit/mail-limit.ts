import * as EmailAddress from "../../base/email-address.ts";
import { hashSecret } from "../crypto/secret.ts";
import * as RateLimit from "./rate-limit.ts";

/** The kinds of emails that strangers can have sent to a recipient. */
export type Kind = "registration" | "reset" | "invitation" | "emailChange";

/**
 * Counts an email of this kind to a recipient and returns whether it may be sent. Each kind has its own limit, so that one
 * cannot use up another. The caller responds the same either way, because an error would reveal earlier requests.
 */
export async function permits(kind: Kind, to: string, now: Date): Promise<boolean> {
  return !(await RateLimit.consume(kind, hashSecret(EmailAddress.key(to)), now))?.exceeded;
}
