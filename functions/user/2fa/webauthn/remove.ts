import * as WebAuthn from "@svc/core/identity/factors/webauthn";
import { api } from "../../../http/api.ts";
import { path } from "../../../http/input.ts";
import { reauthenticated } from "../../../http/reauthenticated.ts";
import { noContent } from "../../../http/reply.ts";
import { signedIn } from "../../../http/signed-in.ts";

/** A device or security key is no factor any more. */
export const handler = api({
  summary: "Remove a device or security key",
  returns: { 204: null },
  codes: { missing: ["factor_not_found"] },
})
  .use(signedIn())
  .use(reauthenticated())
  .use(path("id"))
  .handler(({ actor, id }) => WebAuthn.remove(actor, id), noContent);
