import * as Bypass from "@svc/core/identity/sign-in/emergency-bypass";
import { LoggedIn } from "@svc/core/identity/sign-in/login";
import { api } from "../http/api.ts";
import { input } from "../http/input.ts";
import { limited } from "../http/limited.ts";
import { loggedIn } from "./logged-in.ts";

/** Let an admin in whom an address list keeps out. */
export const handler = api({
  summary: "Log in past an address list, as an admin in an emergency",
  description: `The session passes address lists for ${Bypass.bypassMinutes} minutes; every admin is told by mail.`,
  returns: { 200: LoggedIn },
  codes: {
    unauthenticated: ["invalid_credentials"],
    forbidden: ["bypass_not_available"],
    busy: ["account_temporarily_locked"],
  },
})
  .use(limited("login", ({ origin }) => origin.ip))
  .use(input(Bypass.Bypass))
  .handler(({ input, origin }) => Bypass.bypass(input, origin), loggedIn);
