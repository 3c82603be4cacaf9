import type { FeedMeta } from "@svc/core/base/feed";
import type { PageMeta } from "@svc/core/base/page";
import * as z from "zod/mini";
import type { Call } from "./api.ts";
import { type Reply, secret } from "./reply.ts";

const link = z.optional(z.string());

/** Addresses of the stretches or pages around the one that is shown. */
export const Links = z.object({ self: z.string(), first: link, prev: link, next: link, last: link });

/** The body of a list of these. */
export function listOf<Item extends z.ZodMiniType, Meta extends z.ZodMiniType>(item: Item, meta: Meta) {
  return z.object({ data: z.array(item), meta, links: Links });
}

/** 200 with a list and the addresses of what comes before and after it. Not for caches: lists show people's pictures. */
export function listed(list: { data: unknown[]; meta: FeedMeta | PageMeta }, { event }: Call): Reply {
  return secret({ ...list, links: links(list.meta, event) });
}

/** The address of this call with other parameters. */
export function address(event: Call["event"], parameters: Record<string, string | number>): string {
  const query = new URLSearchParams(event.queryStringParameters as Record<string, string> | undefined);
  for (const [name, value] of Object.entries(parameters)) query.set(name, String(value));
  const text = query.toString();
  return text === "" ? event.rawPath : `${event.rawPath}?${text}`;
}

function links(meta: FeedMeta | PageMeta, event: Call["event"]): z.infer<typeof Links> {
  const self = address(event, {});
  if ("nextCursor" in meta)
    return { self, ...(meta.nextCursor && { next: address(event, { cursor: meta.nextCursor }) }) };
  const { page, totalPages } = meta;
  const at = (number: number) => address(event, { page: number });
  return {
    self,
    first: at(1),
    ...(page > 1 && { prev: at(Math.min(page - 1, Math.max(totalPages, 1))) }),
    ...(page < totalPages && { next: at(page + 1) }),
    last: at(Math.max(totalPages, 1)),
  };
}
