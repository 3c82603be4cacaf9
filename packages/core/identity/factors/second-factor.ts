import * as z from "zod/mini";
import type { RequestOrigin } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import * as AuthenticatorApp from "./authenticator-app.ts";
import * as BackupCodes from "./backup-codes.ts";

const Code = z.string().check(z.minLength(1), z.maxLength(64));

/** A second factor typed as a code. */
export const CodeProof = z.object({ method: z.enum(["totp", "backup_code"]), code: Code });
export type CodeProof = z.infer<typeof CodeProof>;

/**
 * Consumes a code of the user's authenticator app or one of their backup codes. Returns whether it was valid; each code
 * is valid once. Does not count failures: call it within `LockOut.attempt`.
 */
export async function consume(
  by: RequestOrigin & { userId: string },
  { method, code }: CodeProof,
  now: Date = Clock.now(),
): Promise<boolean> {
  return method === "totp"
    ? AuthenticatorApp.consume(by.userId, code, now)
    : BackupCodes.consume(by, code, now);
}
