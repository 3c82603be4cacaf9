import * as SessionList from "@svc/core/identity/sessions/session-list";
import { api } from "../../http/api.ts";
import { noContent } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** End all of the caller's sessions but this one. */
export const handler = api({ summary: "End all my other sessions", returns: { 204: null } })
  .use(signedIn())
  .handler(({ actor }) => SessionList.endOthers(actor), noContent);
