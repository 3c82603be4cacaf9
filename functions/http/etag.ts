import type { Versioned } from "./contract.ts";
import type { Reply } from "./reply.ts";

/** The request headers on which the representation of a resource can depend, besides the ones that name it. */
const varying = "Origin, Authorization, Cookie, X-Workspace-Id";

/**
 * Adds the ETag of the resource in the body, unless the reply is public and has one. A reply that may be revalidated becomes 304
 * if If-None-Match has that tag. The caller is authorized before, and a version depends on what the caller sees, so a 304 tells no
 * one what they may not read.
 */
export function withEtag(reply: Reply, versioned: Versioned, ifNoneMatch = ""): Reply {
  if (versioned === "public") return unlessKnown(reply, reply.headers ?? {}, ifNoneMatch);
  const { version } = reply.body as { version?: string };
  // An earlier release may have stored the result for its Idempotency-Key, without a version.
  if (version === undefined) return reply;
  const etag = `"${version}"`;
  if (versioned === "never-stored") return { ...reply, headers: { ...reply.headers, etag } };
  const headers = { ...reply.headers, etag, "cache-control": "private, no-cache", vary: varying };
  return unlessKnown(reply, headers, ifNoneMatch);
}

/** Returns 304 if the client has the tag in `headers` (weak comparison; a malformed If-None-Match is ignored), else the reply. */
function unlessKnown(reply: Reply, headers: Record<string, string>, ifNoneMatch: string): Reply {
  const known = entityTags(ifNoneMatch) ?? [];
  const current = headers.etag?.replace(/^W\//, "");
  const isKnown = known === "*" || known.some(({ opaque }) => `"${opaque}"` === current);
  if (!isKnown) return { ...reply, headers };
  const { "content-type": _, ...others } = headers;
  return { status: 304, headers: others };
}

type EntityTag = { weak: boolean; opaque: string };

/** Parses `*` or a list of entity tags (RFC 9110, section 8.8.3). Returns undefined for anything else. */
export function entityTags(header: string): "*" | EntityTag[] | undefined {
  if (header.trim() === "*") return "*";
  const tag = /(W\/)?"([!#-~\x80-\xff]*)"/g;
  // Several tags without a comma between them, and anything that is no tag, do not fit this form.
  if (!/^,*T(?:,+T)*,*$/.test(header.replace(tag, "T").replace(/[ \t]/g, ""))) return undefined;
  return [...header.matchAll(tag)].map(([, weak, opaque = ""]) => ({ weak: weak !== undefined, opaque }));
}
