import * as Config from "../platform/config/config.ts";
import { derived } from "../platform/config/derived.ts";
import { bucket } from "../platform/storage/bucket.ts";

/** The general bucket of the environment, with the key that this function was given. */
export const filesBucket = derived(Config.storage, (storage) => bucket(storage, storage.bucket));
