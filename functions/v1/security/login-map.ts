import * as LoginMap from "@svc/core/identity/sign-in/login-map";
import { api } from "../../http/api.ts";
import { workspace } from "../../http/membership.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Where the workspace's members log in. */
export const handler = api({
  summary: "Logins by place, as GeoJSON",
  description: `The last ${LoginMap.days} days.`,
  returns: { 200: LoginMap.LoginMap },
})
  .use(signedIn())
  .use(workspace({ plan: "ENTERPRISE", role: "admin" }))
  .handler(({ membership }) => LoginMap.map(membership));
