// The domain code is in packages/core/avatar.

import * as Upload from "@svc/core/avatar/upload";
import { api } from "../http/api.ts";
import { idempotent } from "../http/idempotent.ts";
import { imageUpload } from "../http/image-upload.ts";
import { rateLimited } from "../http/rate-limited.ts";
import { ok } from "../http/reply.ts";
import { signedIn } from "../http/signed-in.ts";

/** Stores the file in the request body as the caller's avatar. */
export const handler = api({
  summary: "Upload your avatar",
  returns: { 200: Upload.Uploaded },
  codes: {
    too_large: ["file_too_large"],
    unsupported: ["image_type_not_supported"],
    invalid: ["image_invalid", "image_dimensions_exceeded"],
    upstream: ["storage_unavailable"],
    unavailable: ["database_unavailable", "database_conflict", "commit_unknown"],
  },
})
  .use(signedIn())
  .use(rateLimited("upload", ({ actor }) => actor.userId))
  .use(imageUpload())
  .use(idempotent(({ file }) => file))
  .handler(
    ({ actor, file }) => Upload.upload(actor, file),
    async (stored, { actor }) => ok(await Upload.view(actor, stored)),
  );
