import { allowed, subscribe } from "./consent.ts";
import { cacheNames, cachePrefix } from "./picture-cache-names.ts";

/**
 * The cache of pictures in Cache Storage. It begins and ends here; the service worker `picture-worker.ts` reads and fills it. The
 * worker never creates a cache, so nothing is stored without consent or after the session.
 */

let begun: Promise<unknown> = Promise.resolve();

/** Resolves once the last call of `beginPictures` is done. */
export function picturesBegun(): Promise<unknown> {
  return begun;
}

/** Begins a user's cache, if functional storage is allowed, and deletes the caches of others. */
export function beginPictures(userId: string): void {
  begun = change(async () => {
    const name = `${cachePrefix}:${userId}`;
    for (const other of await cacheNames()) if (other !== name) await caches.delete(other);
    if (allowed("functional")) await caches.open(name);
  });
}

/** Deletes all pictures. */
export function clearPictures(): Promise<void> {
  return change(async () => {
    for (const name of await cacheNames()) await caches.delete(name);
  });
}

/** Deletes the pictures and the service worker while functional storage is not allowed. */
export function watchPictures(): void {
  const update = async () => {
    if (allowed("functional")) return;
    await clearPictures();
    for (const registration of (await navigator.serviceWorker?.getRegistrations()) ?? [])
      await registration.unregister();
  };
  void update();
  subscribe(() => void update());
}

/** Runs a change of the caches while the worker writes nothing. Does nothing where the browser has no caches. */
async function change(run: () => Promise<void>): Promise<void> {
  // Not available in insecure contexts, and blocked by some privacy settings.
  if (typeof caches === "undefined" || !navigator.locks) return;
  await navigator.locks.request(cachePrefix, run).catch(() => {});
}
