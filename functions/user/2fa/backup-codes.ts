import * as BackupCodes from "@svc/core/identity/factors/backup-codes";
import { api } from "../../http/api.ts";
import { reauthenticated } from "../../http/reauthenticated.ts";
import { secret } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Twelve new backup codes, shown this once; the old ones are void. */
export const handler = api({
  summary: "Make new backup codes",
  returns: { 200: BackupCodes.Shown },
  codes: { conflict: ["two_factor_not_enabled"] },
})
  .use(signedIn())
  .use(reauthenticated())
  .handler(({ actor }) => BackupCodes.renew(actor), secret);
