import * as Config from "../config/config.ts";
import { derived } from "../config/derived.ts";
import { bucket } from "../storage/bucket.ts";

/** The general bucket of the environment, with the key that this function was given. */
export const filesBucket = derived(Config.storage, (storage) => bucket(storage, storage.bucket));
