import * as Config from "../platform/config/config.ts";
import { memoizeByConfig } from "../platform/config/memoize.ts";
import { bucket } from "../platform/storage/bucket.ts";

// Import this file dynamically where requests can do without the bucket: the S3 client is most of a cold start.

/** Returns the avatar bucket, with the storage key of the current function. */
export const avatarBucket = memoizeByConfig(Config.storage, (storage) =>
  bucket(storage, storage.bucketAvatars),
);

/** Stores an object of a picture under a key that no picture had before. Objects never change, so browsers may keep them. */
export function putPicture(key: string, webp: Uint8Array): Promise<"stored" | "exists"> {
  return avatarBucket().put(key, webp, {
    contentType: "image/webp",
    cacheControl: "private, max-age=604800, immutable",
    ifAbsent: true,
  });
}
