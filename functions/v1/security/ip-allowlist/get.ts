import * as IpAllowlist from "@svc/core/identity/ip-allowlist/ip-allowlist";
import { api } from "../../../http/api.ts";
import { workspace } from "../../../http/membership.ts";
import { signedIn } from "../../../http/signed-in.ts";

/** From where the workspace may be reached. */
export const handler = api({
  summary: "From where the workspace may be reached",
  returns: { 200: IpAllowlist.View },
})
  .use(signedIn())
  .use(workspace({ plan: "ENTERPRISE", role: "admin" }))
  .handler(({ membership }) => IpAllowlist.get(membership));
