import * as Config from "../platform/config/config.ts";
import { derived } from "../platform/config/derived.ts";
import { bucket } from "../platform/storage/bucket.ts";

/** The avatar bucket of the environment, with the key that this function was given. */
export const avatarBucket = derived(Config.storage, (storage) => bucket(storage, storage.bucketAvatars));
