import * as SessionList from "@svc/core/identity/sessions/session-list";
import { api } from "../../http/api.ts";
import { noContent } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Ends every session of the caller except the current one. */
export const handler = api({ summary: "End all your other sessions", returns: { 204: null } })
  .use(signedIn())
  .handler(({ actor }) => SessionList.endOthers(actor), noContent);
