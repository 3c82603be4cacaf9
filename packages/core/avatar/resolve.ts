import * as Clock from "../base/clock.ts";
import * as Config from "../platform/config/config.ts";
import { memoizeByConfig } from "../platform/config/memoize.ts";
import { signer, signGet } from "../platform/storage/signer.ts";
import * as StoredValue from "./stored-value.ts";

/** Signing needs the key and the names of the environment, prepared once; the addresses are new each time. */
const prepared = memoizeByConfig(Config.storage, (storage) => ({
  bucket: storage.bucketAvatars,
  signer: signer(storage),
}));

/**
 * What clients are shown for these stored values, in the same order: for an object of ours a pre-signed URL that is good
 * for seven days from now, for anything else the empty string. Signed anew at every call, without any network call, and
 * never a failure.
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

/** The same for one stored value. */
export function resolve(stored: string, now: Date = Clock.now()): string {
  return resolveAll([stored], now)[0] ?? "";
}
