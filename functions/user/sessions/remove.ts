import * as SessionList from "@svc/core/identity/sessions/session-list";
import { api } from "../../http/api.ts";
import { path } from "../../http/input.ts";
import { noContent } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Ends one of the caller's sessions. */
export const handler = api({
  summary: "End one of your sessions",
  returns: { 204: null },
  codes: { missing: ["session_not_found"] },
})
  .use(signedIn())
  .use(path("id"))
  .handler(({ actor, id }) => SessionList.end(actor, id), noContent);
