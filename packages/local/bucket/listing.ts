import { hash } from "node:crypto";
import type { Meta } from "./objects.ts";
import { throwS3Error } from "./s3-error.ts";
import { document } from "./xml.ts";

/** Responds to ListObjectsV2 for sorted objects, with prefix, delimiter and pages of at most 1,000 keys. */
export function listing(objects: Meta[], bucket: string, query: Map<string, string>) {
  if (query.get("list-type") !== "2")
    throwS3Error(501, "NotImplemented", "The local bucket supports only ListObjectsV2.");
  const { prefix, delimiter, maxKeys, token, after } = parseQuery(query);
  const write = query.get("encoding-type") === "url" ? encodeURIComponent : (text: string) => text;

  const contents: Meta[] = [];
  const commonPrefixes: string[] = [];
  let last = after;
  let isTruncated = false;
  for (const object of objects) {
    const { key } = object;
    if (!key.startsWith(prefix) || !comesAfter(key, after)) continue;
    const cut = delimiter ? key.indexOf(delimiter, prefix.length) : -1;
    const common = cut < 0 ? undefined : key.slice(0, cut + delimiter.length);
    // A common prefix counts once for all of its keys, on this page or the previous one.
    if (common !== undefined && common === last) continue;
    if (contents.length + commonPrefixes.length === maxKeys) {
      isTruncated = maxKeys > 0;
      break;
    }
    if (common === undefined) contents.push(object);
    else commonPrefixes.push(common);
    last = common ?? key;
  }

  const body = document("ListBucketResult", {
    Name: bucket,
    Prefix: write(prefix),
    ...(delimiter && { Delimiter: write(delimiter) }),
    ...(query.has("encoding-type") && { EncodingType: "url" }),
    MaxKeys: maxKeys,
    KeyCount: contents.length + commonPrefixes.length,
    IsTruncated: isTruncated,
    ...(token !== undefined && { ContinuationToken: token }),
    ...(isTruncated && { NextContinuationToken: tokenOf(last) }),
    Contents: contents.map(({ key, size, etag, lastModified }) => ({
      Key: write(key),
      LastModified: new Date(lastModified).toISOString(),
      ETag: etag,
      Size: size,
      StorageClass: "STANDARD",
    })),
    CommonPrefixes: commonPrefixes.map((common) => ({ Prefix: write(common) })),
  });
  return { status: 200, headers: { "content-type": "application/xml" }, body };
}

function parseQuery(query: Map<string, string>) {
  const maxKeys = query.get("max-keys") ?? "1000";
  if (!/^\d{1,9}$/.test(maxKeys))
    throwS3Error(400, "InvalidArgument", "Provided max-keys not an integer or too large");
  const token = query.get("continuation-token");
  return {
    prefix: query.get("prefix") ?? "",
    delimiter: query.get("delimiter") ?? "",
    maxKeys: Math.min(Number(maxKeys), 1000),
    token,
    after: token === undefined ? (query.get("start-after") ?? "") : lastOf(token),
  };
}

/** Returns the token of the page after this key or common prefix: its hash and its text. */
function tokenOf(last: string): string {
  return `${hash("sha256", last).slice(0, 16)}.${Buffer.from(last).toString("base64url")}`;
}

function lastOf(token: string): string {
  const last = Buffer.from(token.slice(17), "base64url").toString();
  if (token !== tokenOf(last))
    throwS3Error(400, "InvalidArgument", "The continuation token provided is incorrect");
  return last;
}

function comesAfter(key: string, other: string): boolean {
  return other === "" || Buffer.compare(Buffer.from(key), Buffer.from(other)) > 0;
}
