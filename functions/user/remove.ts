import { remove } from "@svc/core/lifecycle/delete-account";
import { api } from "../http/api.ts";
import { clearTokenCookie } from "../http/cookies.ts";
import { noContent } from "../http/reply.ts";
import { signedIn } from "../http/signed-in.ts";

/** Deletes the caller's account. */
export const handler = api({
  summary: "Delete your account",
  returns: { 204: null },
  codes: {
    forbidden: ["reauthentication_required"],
    conflict: ["sole_owner"],
    upstream: ["storage_unavailable"],
  },
})
  .use(signedIn())
  .handler(
    ({ actor }) => remove(actor),
    () => ({ ...noContent(), cookies: [clearTokenCookie()] }),
  );
