import * as IpAllowlist from "@svc/core/identity/ip-allowlist/ip-allowlist";
import { api } from "../../../http/api.ts";
import { workspace } from "../../../http/membership.ts";
import { signedIn } from "../../../http/signed-in.ts";

/** Returns the IP allowlist of the current workspace. */
export const handler = api({
  summary: "Get the IP allowlist",
  returns: { 200: IpAllowlist.View },
  versioned: "revalidated",
})
  .use(signedIn())
  .use(workspace({ plan: "ENTERPRISE", role: "admin" }))
  .handler(({ membership }) => IpAllowlist.get(membership));
