import * as ApiToken from "@svc/core/identity/tokens/api-token";
import { api } from "../../http/api.ts";
import { input } from "../../http/input.ts";
import { workspaceOfInput } from "../../http/membership.ts";
import { recentlyReauthenticated } from "../../http/recently-reauthenticated.ts";
import { created } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Creates an API token. It does not support Idempotency-Key: the reply contains the secret and must not be stored. */
export const handler = api({
  summary: "Create an API token",
  description: "The reply is the only place where the token is shown.",
  returns: { 201: ApiToken.Created },
  codes: { conflict: ["too_many_tokens"] },
})
  .use(signedIn())
  .use(input(ApiToken.Create))
  .use(workspaceOfInput())
  .use(recentlyReauthenticated())
  .handler(
    ({ actor, membership, input }) => ApiToken.create(actor, membership, input),
    (token) => created(token, `/user/tokens/${token.id}`),
  );
