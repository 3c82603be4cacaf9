/** The beginning of the name of a user's cache of pictures, before their id. Also the name of the lock for changes. */
export const cachePrefix = "svc_pictures";

/** Returns the names of the caches of pictures: at most one. */
export async function cacheNames(): Promise<string[]> {
  return (await caches.keys()).filter((name) => name.startsWith(cachePrefix));
}
