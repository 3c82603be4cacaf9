import * as z from "zod/mini";
import type { RequestOrigin } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import * as AuthenticatorApp from "./authenticator-app.ts";
import * as BackupCodes from "./backup-codes.ts";

const Code = z.string().check(z.minLength(1), z.maxLength(64));

/** A factor that is a code, typed by hand. */
export const CodeProof = z.object({ method: z.enum(["totp", "backup_code"]), code: Code });
export type CodeProof = z.infer<typeof CodeProof>;

/**
 * Whether this code is one that this person's authenticator app shows now, or one of their backup codes, and use it up:
 * it proves nothing a second time. Counts no failures: whoever asks does (LockOut.attempt before, `succeeded` after).
 */
export async function check(
  by: RequestOrigin & { userId: string },
  { method, code }: CodeProof,
  now: Date = Clock.now(),
): Promise<boolean> {
  return method === "totp" ? AuthenticatorApp.spend(by.userId, code, now) : BackupCodes.spend(by, code, now);
}
