import * as LoginMap from "@svc/core/identity/sign-in/login-map";
import { api } from "../../http/api.ts";
import { workspace } from "../../http/membership.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Returns where the workspace's members signed in, as GeoJSON. */
export const handler = api({
  summary: "Get sign-ins by location as GeoJSON",
  description: `Covers the last ${LoginMap.days} days.`,
  returns: { 200: LoginMap.LoginMap },
})
  .use(signedIn())
  .use(workspace({ plan: "ENTERPRISE", role: "admin" }))
  .handler(({ membership }) => LoginMap.map(membership));
