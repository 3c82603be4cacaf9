import { remove } from "@svc/core/avatar/remove";
import { api } from "../http/api.ts";
import { noContent } from "../http/reply.ts";
import { signedIn } from "../http/signed-in.ts";

/** Take the caller's picture away. Without one, nothing happens. */
export const handler = api({
  summary: "Remove my picture",
  returns: { 204: null },
  codes: { upstream: ["storage_unavailable"] },
})
  .use(signedIn())
  .handler(({ actor }) => remove(actor), noContent);
