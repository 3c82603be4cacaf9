import * as Config from "../platform/config/config.ts";
import { memoizeByConfig } from "../platform/config/memoize.ts";
import { bucket } from "../platform/storage/bucket.ts";

/** The bucket of report files, with the credentials of this function. */
export const filesBucket = memoizeByConfig(Config.storage, (storage) => bucket(storage, storage.bucket));
