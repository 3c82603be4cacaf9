import type { URL as Address } from "node:url";
import type * as Config from "../config/config.ts";
import { longestExpirySeconds, percentEncode, querySigner, type SigningKey, signingKey } from "./sigv4.ts";

/** The prepared key of one object store. It caches no signed URLs. */
export type Signer = { url: Address; forcePathStyle: boolean; key: SigningKey };

/** Lifetime of a signed URL in seconds: the longest that AWS allows. */
export const sevenDays = longestExpirySeconds;

/** Prepares the signing key of a configuration. */
export function signer(storage: Config.Storage): Signer {
  return {
    url: new URL(storage.endpoint),
    forcePathStyle: storage.forcePathStyle,
    key: signingKey(storage, storage.region, "s3"),
  };
}

/**
 * Returns presigned GET URLs in the order of the keys, without network access: AWS Signature Version 4, equal to the output of
 * the AWS SDK's getSignedUrl. Signatures include the time in whole seconds, so URLs are equal only within one second.
 * Throws a RangeError for an empty key and for an expiry of more than 604,800 seconds.
 */
export function signGet(
  signer: Signer,
  bucket: string,
  keys: readonly string[],
  at: Date,
  expiresSeconds: number = sevenDays,
): string[] {
  const { host, path } = bucketAddress(signer, bucket);
  const origin = `${signer.url.protocol}//${host}`;
  const sign = querySigner(signer.key, {
    method: "GET",
    host,
    parameters: { "X-Amz-Content-Sha256": "UNSIGNED-PAYLOAD", "x-id": "GetObject" },
    at,
    expiresSeconds,
    payloadHash: "UNSIGNED-PAYLOAD",
  });
  return keys.map((key) => {
    // A URL without a key addresses the bucket itself, and a GET of it lists the objects.
    if (key === "") throw new RangeError("An object key must not be empty.");
    return origin + sign(path + encodedKey(key));
  });
}

/** Returns the origin of the signed URLs of a bucket. */
export function bucketOrigin(
  { endpoint, forcePathStyle }: Pick<Config.Storage, "endpoint" | "forcePathStyle">,
  bucket: string,
): string {
  const url = new URL(endpoint);
  return `${url.protocol}//${bucketAddress({ url, forcePathStyle }, bucket).host}`;
}

/**
 * Returns the host and path of a bucket: virtual-hosted style if the name allows it and the configuration does not disable
 * it, otherwise path style.
 */
function bucketAddress(
  { url, forcePathStyle }: Pick<Signer, "url" | "forcePathStyle">,
  bucket: string,
): { host: string; path: string } {
  const byHost = !forcePathStyle && !isIpAddress(url.hostname) && canBeHost(bucket, url.protocol);
  return byHost
    ? { host: `${bucket}.${url.host}`, path: "/" }
    : { host: url.host, path: `/${percentEncode(bucket)}/` };
}

function isIpAddress(hostname: string): boolean {
  return hostname.startsWith("[") || /^\d+(\.\d+){3}$/.test(hostname);
}

/** Follows the SDK's rule. A name with a dot does not work with HTTPS, because wildcard certificates cover one label. */
function canBeHost(bucket: string, protocol: string): boolean {
  const labels = protocol === "http:" ? bucket.split(".") : [bucket];
  return labels.every((label) => /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/.test(label));
}

/** Skips the encoding of keys that do not need it, which saves a quarter of the time (`npm run bench -- signing`). */
function encodedKey(key: string): string {
  return /^[\w.~/-]*$/.test(key) ? key : key.split("/").map(percentEncode).join("/");
}
