import * as Config from "../platform/config/config.ts";
import { memoizeByConfig } from "../platform/config/memoize.ts";
import { bucket } from "../platform/storage/bucket.ts";

/** The avatar bucket of the environment, with the key that this function was given. */
export const avatarBucket = memoizeByConfig(Config.storage, (storage) =>
  bucket(storage, storage.bucketAvatars),
);
