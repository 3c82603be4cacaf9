import * as ApiToken from "@svc/core/identity/tokens/api-token";
import { api } from "../../http/api.ts";
import { path } from "../../http/input.ts";
import { noContent } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Deletes an API token. It stops working immediately. */
export const handler = api({
  summary: "Delete an API token",
  returns: { 204: null },
  codes: { missing: ["token_not_found"] },
})
  .use(signedIn())
  .use(path("id"))
  .handler(({ actor, id }) => ApiToken.remove(actor, id), noContent);
