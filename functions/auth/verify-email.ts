import * as Registration from "@svc/core/identity/registration/verification";
import * as Login from "@svc/core/identity/sign-in/login";
import { api } from "../http/api.ts";
import { input } from "../http/input.ts";
import { limited } from "../http/limited.ts";
import { loggedIn } from "./logged-in.ts";

/** Open the account that a mailed link was for, and log its owner in. */
export const handler = api({
  summary: "Open the account with the link from the mail",
  returns: { 200: Login.LoggedIn },
  codes: { expired: ["link_expired"] },
})
  .use(limited("login", ({ origin }) => origin.ip))
  .use(input(Registration.Verify))
  .handler(({ input, origin }) => Registration.verify(input, origin), loggedIn);
