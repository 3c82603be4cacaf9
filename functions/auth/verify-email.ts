import * as Login from "@svc/core/account/login";
import * as Register from "@svc/core/account/register";
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
  .use(input(Register.Verify))
  .handler(({ input, origin }) => Register.verify(input, origin), loggedIn);
