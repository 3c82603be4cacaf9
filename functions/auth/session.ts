import * as z from "zod/mini";
import { api } from "../http/api.ts";
import { optionallySignedIn } from "../http/signed-in.ts";

/**
 * Returns whether the request has a valid token. Scripts cannot read the HttpOnly cookie, so pages call this endpoint instead
 * of provoking a 401.
 */
export const handler = api({
  summary: "Check whether you are signed in",
  returns: { 200: z.object({ signedIn: z.boolean() }) },
})
  .use(optionallySignedIn())
  .handler(async ({ actor }) => ({ signedIn: actor !== undefined }));
