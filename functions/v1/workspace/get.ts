import * as Settings from "@svc/core/workspace/settings";
import { api } from "../../http/api.ts";
import { workspace } from "../../http/membership.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Returns the current workspace and its settings. */
export const handler = api({
  summary: "Get the current workspace",
  returns: { 200: Settings.View },
  versioned: "revalidated",
})
  .use(signedIn())
  .use(workspace())
  .handler(({ membership }) => Settings.get(membership));
