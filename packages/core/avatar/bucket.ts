import * as Config from "../platform/config/config.ts";
import { memoizeByConfig } from "../platform/config/memoize.ts";
import { bucket } from "../platform/storage/bucket.ts";

/** Returns the avatar bucket, with the storage key of the current function. */
export const avatarBucket = memoizeByConfig(Config.storage, (storage) =>
  bucket(storage, storage.bucketAvatars),
);
