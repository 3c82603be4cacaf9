import * as Suggestions from "@svc/core/tracking/time-entries/suggestions";
import * as z from "zod/mini";
import { api } from "../../http/api.ts";
import { query } from "../../http/input.ts";
import { workspace } from "../../http/membership.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Suggests descriptions, tags and clients that were used before. */
export const handler = api({
  summary: "Suggest descriptions, tags or clients",
  description: `At most ${Suggestions.maxSuggestions} values that contain q, ignoring case, the most recently used first. Descriptions are those of your last ${Suggestions.searched} entries, tags those of the workspace’s last ${Suggestions.searched} entries, and clients those of its newest ${Suggestions.searched} projects.`,
  returns: { 200: z.object({ data: z.array(Suggestions.Suggestion) }) },
})
  .use(signedIn())
  .use(workspace())
  .use(query(Suggestions.Query))
  .handler(async ({ actor, membership, query }) => ({
    data: await Suggestions.suggest(actor, membership, query),
  }));
