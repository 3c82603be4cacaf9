import type { URL as Address } from "node:url";
import type * as Config from "../config/config.ts";
import { longestExpirySeconds, percentEncode, querySigner, type SigningKey, signingKey } from "./sigv4.ts";

/** What signs addresses of one object store. Made once per configuration; it holds no address, ever. */
export type Signer = { url: Address; forcePathStyle: boolean; key: SigningKey };

/** How long an address is good for: as long as AWS allows. */
export const sevenDays = longestExpirySeconds;

/** Prepares the key of one configuration. */
export function signer(storage: Config.Storage): Signer {
  return {
    url: new URL(storage.endpoint),
    forcePathStyle: storage.forcePathStyle,
    key: signingKey(storage, storage.region, "s3"),
  };
}

/**
 * Pre-signed addresses to GET these objects, in the order of their keys, made without the network: AWS Signature
 * Version 4, equal to what the AWS SDK's getSignedUrl makes. The time counts in whole seconds, so two calls agree
 * only within one second. Throws a RangeError for an empty key and for an expiry of over 604,800 seconds.
 */
export function signGet(
  signer: Signer,
  bucket: string,
  keys: readonly string[],
  at: Date,
  expiresSeconds: number = sevenDays,
): string[] {
  const { host, path } = addressOf(signer, bucket);
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
    // With no key the path would be the bucket's, and the address would list it.
    if (key === "") throw new RangeError("An object's key is never empty.");
    return origin + sign(path + encodedKey(key));
  });
}

/** The origin that signed addresses of a bucket begin with. */
export function bucketOrigin(
  { endpoint, forcePathStyle }: Pick<Config.Storage, "endpoint" | "forcePathStyle">,
  bucket: string,
): string {
  const url = new URL(endpoint);
  return `${url.protocol}//${addressOf({ url, forcePathStyle }, bucket).host}`;
}

/** Host and path of a bucket: by virtual host where the name can be one, else, or when forced to, by path. */
function addressOf(
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

/** The SDK's rule. A dot breaks https, whose wildcard certificates cover one label. */
function canBeHost(bucket: string, protocol: string): boolean {
  const labels = protocol === "http:" ? bucket.split(".") : [bucket];
  return labels.every((label) => /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/.test(label));
}

/** Our own keys need no encoding, which spares a quarter of the time. */
function encodedKey(key: string): string {
  return /^[\w.~/-]*$/.test(key) ? key : key.split("/").map(percentEncode).join("/");
}
