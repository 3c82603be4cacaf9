import type { FeedMeta } from "@svc/core/base/feed";
import type { PageMeta } from "@svc/core/base/page";
import * as z from "zod/mini";
import type { Call } from "./api.ts";
import { ok, type Reply } from "./reply.ts";

const link = z.optional(z.string());

/** URLs of this page and of the pages around it. */
export const Links = z.object({ self: z.string(), first: link, prev: link, next: link, last: link });

/** The schema of a list reply. */
export function listOf<Item extends z.ZodMiniType, Meta extends z.ZodMiniType>(item: Item, meta: Meta) {
  return z.object({ data: z.array(item), meta, links: Links });
}

/** 200 with a list and links to the pages around it. */
export function listReply(list: { data: unknown[]; meta: FeedMeta | PageMeta }, { event }: Call): Reply {
  return ok({ ...list, links: links(list.meta, event) });
}

/** Returns the URL of this request with some query parameters replaced. */
export function urlWith(event: Call["event"], parameters: Record<string, string | number>): string {
  const query = new URLSearchParams(event.queryStringParameters as Record<string, string> | undefined);
  for (const [name, value] of Object.entries(parameters)) query.set(name, String(value));
  const text = query.toString();
  return text === "" ? event.rawPath : `${event.rawPath}?${text}`;
}

function links(meta: FeedMeta | PageMeta, event: Call["event"]): z.infer<typeof Links> {
  const self = urlWith(event, {});
  if ("nextCursor" in meta)
    return { self, ...(meta.nextCursor && { next: urlWith(event, { cursor: meta.nextCursor }) }) };
  const { page, totalPages } = meta;
  const lastPage = Math.max(totalPages, 1);
  const at = (number: number) => urlWith(event, { page: number });
  return {
    self,
    first: at(1),
    ...(page > 1 && { prev: at(Math.min(page - 1, lastPage)) }),
    ...(page < totalPages && { next: at(page + 1) }),
    last: at(lastPage),
  };
}
