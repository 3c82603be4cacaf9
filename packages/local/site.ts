import { readdir, readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join } from "node:path";
import * as Config from "@svc/core/platform/config/config";
import { bucketOrigin } from "@svc/core/platform/storage/signer";
import { apiPrefixes } from "@svc/functions/prefixes";
import { pageHeaders } from "@svc/web/content-policy";
import { compressor, isCompressible } from "./compression.ts";

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".txt": "text/plain; charset=utf-8",
  ".woff2": "font/woff2",
};

export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Returns whether the deployed router would send a request to the web client: a GET or HEAD outside the paths of the API, however
 * these are percent-encoded. No page has an empty segment in its path.
 */
export function isForSite({ method, url = "" }: IncomingMessage): boolean {
  if (!(method === "GET" || method === "HEAD") || !url.startsWith("/")) return false;
  // Resolves dot segments, as the router does.
  const path = decoded(new URL(`http://localhost${url}`).pathname);
  const [, first = ""] = path.split("/");
  return !path.includes("//") && !apiPrefixes.includes(first);
}

/** Decodes a path. Returns one that cannot be decoded unchanged. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * Returns a listener that serves the built client as it is served when deployed. Paths without a file get index.html, which
 * is not cached, since the client does its own routing. Hashed files are cached forever. Text is compressed, each file once.
 */
export async function openSite(directory: string): Promise<Listener> {
  const files = new Map<string, Buffer>();
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files.set(path.slice(directory.length).replaceAll("\\", "/"), await readFile(path));
  }
  const compress = compressor();
  return async (request, response) => {
    const [path = "/"] = (request.url ?? "/").split(/[?#]/);
    const hashed = path.startsWith("/assets/");
    const name = files.has(path) ? path : hashed ? undefined : "/index.html";
    const body = name === undefined ? undefined : files.get(name);
    if (name === undefined || body === undefined) {
      response
        .writeHead(404, { "content-type": "text/plain", "cache-control": "no-store" })
        .end("Not found\n");
      return;
    }
    const type = types[extname(name)] ?? "application/octet-stream";
    const encoded = await compress(request.headers["accept-encoding"], { key: name, type, body });
    response.writeHead(200, {
      ...headers(),
      ...encoded.headers,
      ...(isCompressible({ type, body }) && { vary: "Accept-Encoding" }),
      "content-type": type,
      "content-length": encoded.body.length,
      "cache-control": hashed ? "public, max-age=31536000, immutable" : "no-store",
    });
    response.end(request.method === "HEAD" ? undefined : encoded.body);
  };
}

function headers(): Record<string, string> {
  const storage = Config.storage();
  const buckets = [storage.bucket, storage.bucketAvatars].map((name) => bucketOrigin(storage, name));
  return pageHeaders({ buckets: [...new Set(buckets)], analytics: Config.analyticsId() !== undefined });
}
