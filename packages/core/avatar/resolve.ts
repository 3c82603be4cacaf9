import * as Clock from "../base/clock.ts";
import * as Config from "../platform/config/config.ts";
import { memoizeByConfig } from "../platform/config/memoize.ts";
import { signer, signGet } from "../platform/storage/signer.ts";
import * as StoredValue from "./stored-value.ts";

/** The signing key and bucket name, prepared once per configuration. */
const prepared = memoizeByConfig(Config.storage, (storage) => ({
  bucket: storage.bucketAvatars,
  signer: signer(storage),
}));

/**
 * Returns the URLs of these stored values, in the same order: a pre-signed URL that expires after seven days for an object in
 * the bucket, an empty string for anything else. Signs on every call, without network access, and never throws.
 */
export function resolveAll(stored: readonly string[], now: Date = Clock.now()): string[] {
  const keys = stored.map(StoredValue.key);
  const present = keys.filter((key) => key !== undefined);
  if (present.length === 0) return keys.map(() => "");
  const { bucket, signer } = prepared();
  const urls = signGet(signer, bucket, present, now);
  let next = 0;
  return keys.map((key) => (key === undefined ? "" : (urls[next++] ?? "")));
}

/** Returns the pre-signed URL of one stored value, or an empty string. */
export function resolve(stored: string, now: Date = Clock.now()): string {
  return resolveAll([stored], now)[0] ?? "";
}
