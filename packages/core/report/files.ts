import * as Config from "../platform/config/config.ts";
import { memoizeByConfig } from "../platform/config/memoize.ts";
import { bucket } from "../platform/storage/bucket.ts";

/** The general bucket of the environment, with the key that this function was given. */
export const filesBucket = memoizeByConfig(Config.storage, (storage) => bucket(storage, storage.bucket));
