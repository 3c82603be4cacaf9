import * as Settings from "@svc/core/workspace/settings";
import { api } from "../../http/api.ts";
import { workspace } from "../../http/membership.ts";
import { signedIn } from "../../http/signed-in.ts";

/** The current workspace and its settings. */
export const handler = api({ summary: "The current workspace", returns: { 200: Settings.View } })
  .use(signedIn())
  .use(workspace())
  .handler(({ membership }) => Settings.get(membership));
