import * as IpAllowlist from "@svc/core/identity/ip-allowlist/ip-allowlist";
import { api } from "../../../http/api.ts";
import { ifMatch } from "../../../http/if-match.ts";
import { input } from "../../../http/input.ts";
import { workspace } from "../../../http/membership.ts";
import { signedIn } from "../../../http/signed-in.ts";

/** Replaces the IP allowlist of the current workspace. */
export const handler = api({
  summary: "Replace the IP allowlist",
  returns: { 200: IpAllowlist.View },
  versioned: "never-stored",
  codes: { conflict: ["would_lock_you_out"] },
})
  .use(signedIn())
  .use(workspace({ plan: "ENTERPRISE", role: "admin" }))
  .use(input(IpAllowlist.Allowlist))
  .use(ifMatch())
  .handler(({ actor, membership, input, ifMatch }) => IpAllowlist.put(actor, membership, input, ifMatch));
