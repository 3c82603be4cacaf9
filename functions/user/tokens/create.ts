import * as ApiToken from "@svc/core/identity/tokens/api-token";
import { api } from "../../http/api.ts";
import { input } from "../../http/input.ts";
import { createdSecret } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** A token for a program. It is shown this once, so the answer is not kept under an Idempotency-Key. */
export const handler = api({
  summary: "Make an API token",
  returns: { 201: ApiToken.Created },
  codes: { missing: ["workspace_not_found"], conflict: ["too_many_tokens"] },
})
  .use(signedIn())
  .use(input(ApiToken.Create))
  .handler(
    ({ actor, input }) => ApiToken.create(actor, input),
    (token) => createdSecret(token, `/user/tokens/${token.id}`),
  );
