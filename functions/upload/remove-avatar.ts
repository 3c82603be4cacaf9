// The domain code is in packages/core/avatar.

import { remove } from "@svc/core/avatar/remove";
import { api } from "../http/api.ts";
import { noContent } from "../http/reply.ts";
import { signedIn } from "../http/signed-in.ts";

/** Removes the caller's avatar. Succeeds if there is none. */
export const handler = api({
  summary: "Remove your avatar",
  returns: { 204: null },
  codes: { upstream: ["storage_unavailable"] },
})
  .use(signedIn())
  .handler(({ actor }) => remove(actor), noContent);
