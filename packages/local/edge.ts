import type { IncomingMessage } from "node:http";
import { type Compressor, isCompressible } from "./compression.ts";
import type { Reply } from "./gateway/result.ts";

/**
 * Compresses responses of the API as the deployed router does: only those that any cache may store. Others can contain secrets
 * beside text from the request, and their compressed length would tell what both have in common (BREACH).
 */
export function compressPublic(compress: Compressor) {
  return async ({ headers }: IncomingMessage, reply: Reply): Promise<Reply> => {
    const of = (name: string) => reply.headers.find(([other]) => other === name)?.[1] ?? "";
    const content = { key: of("etag"), type: of("content-type"), body: reply.body };
    if (!/\bpublic\b/.test(of("cache-control")) || content.key === "" || !isCompressible(content))
      return reply;
    const { body, headers: encoding } = await compress(headers["accept-encoding"], content);
    return { ...reply, headers: [...reply.headers, ...Object.entries(encoding)], body };
  };
}

/**
 * Adds a token of a demo user to the OpenAPI document, so that the API documentation of the local server can offer it. `create`
 * is called for the first request, and returns undefined if there are no demo users.
 */
export function offerToken(create: () => Promise<string | undefined>) {
  let created: Promise<string | undefined> | undefined;
  return async ({ url = "" }: IncomingMessage, reply: Reply): Promise<Reply> => {
    if (!/^\/openapi\.json(?:\?|$)/.test(url)) return reply;
    created ??= create();
    const token = await created;
    return token === undefined ? reply : { ...reply, headers: [...reply.headers, ["x-demo-token", token]] };
  };
}
