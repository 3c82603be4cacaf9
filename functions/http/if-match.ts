import { Fault } from "@svc/core/base/fault";
import type { IfMatch } from "@svc/core/base/if-match";
import type { Call, Step } from "./api.ts";
import { entityTags } from "./etag.ts";

/**
 * Accepts If-Match, so that a change is rejected with 412 `changed_meanwhile` if the resource is no longer the one that the caller
 * has seen. Adds `ifMatch` for the core function that makes the change, which compares it in its transaction. Weak tags never
 * match (RFC 9110, section 13.1.1). A malformed header is rejected, since the caller wanted a condition.
 */
export function ifMatch(): Step<Call, { ifMatch: IfMatch | undefined }> {
  return {
    contract: {
      codes: { malformed: ["if_match_malformed"], stale: ["changed_meanwhile"] },
      headers: [
        {
          name: "If-Match",
          description:
            "The ETag of the version to change, several, or `*` for any. If the resource has another version, the response is 412 with the current one in `current`. Without the header, every version is changed.",
          schema: { type: "string", minLength: 1 },
        },
      ],
    },
    before({ event }) {
      const header = event.headers["if-match"];
      if (header === undefined) return { ifMatch: undefined };
      const tags = entityTags(header);
      if (!tags)
        throw new Fault(
          "malformed",
          "if_match_malformed",
          "If-Match must be * or a list of ETags, each in quotes, as the API returns them.",
        );
      return { ifMatch: tags === "*" ? tags : tags.flatMap(({ weak, opaque }) => (weak ? [] : [opaque])) };
    },
  };
}
