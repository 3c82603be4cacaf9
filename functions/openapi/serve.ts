import { createHash } from "node:crypto";
import { api } from "../http/api.ts";
import document from "./document.json" with { type: "json" };

const text = JSON.stringify(document);

/** Weak, because the router compresses the document. */
const etag = `W/"${createHash("sha256").update(text).digest("base64url")}"`;

/** Returns the OpenAPI document of the deployed release. It is public, and changes only with a deployment. */
export const handler = api({
  summary: "Get the OpenAPI document",
  description: "The document of the release that is deployed.",
  returns: { 200: null },
  versioned: "public",
}).handler(
  async () => text,
  (text) => ({
    status: 200,
    text,
    headers: {
      "content-type": "application/json",
      "cache-control": "public, max-age=300",
      vary: "Origin, Accept-Encoding",
      etag,
    },
  }),
);
