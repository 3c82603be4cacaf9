import { useEffect, useSyncExternalStore } from "react";
import { allowed } from "./consent.ts";
import { picturesBegun } from "./picture-cache.ts";
import script from "./picture-worker.ts?worker&url";

/** How long pictures wait for the service worker on the first visit. Placeholders are shown meanwhile. */
const longestWaitMs = 1000;

let state: "idle" | "waiting" | "ready" = "idle";
const listeners = new Set<() => void>();

/**
 * Tells whether pictures can be loaded: the service worker that keeps them is in control, or is not used. Starts the worker with
 * the first URL of a picture, which names the bucket. On the first visit, pictures that did not wait would not be kept.
 */
export function usePicturesReady(url: string | undefined): boolean {
  useEffect(() => {
    if (url !== undefined && state === "idle") void start(url);
  }, [url]);
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state === "ready",
  );
}

async function start(url: string): Promise<void> {
  state = "waiting";
  await Promise.race([prepare(url), wait(longestWaitMs)]).catch(() => {});
  state = "ready";
  for (const listener of listeners) listener();
}

/** Registers the service worker and waits until it controls the page. */
async function prepare(url: string): Promise<void> {
  const bucket = bucketOf(url);
  // The development server serves modules, which cannot control the whole site.
  if (!import.meta.env.PROD || !bucket || !allowed("functional") || !navigator.serviceWorker) return;
  await picturesBegun();
  const address = new URL(`${script}?bucket=${encodeURIComponent(bucket)}`, location.origin).href;
  const container = navigator.serviceWorker;
  const inControl = () => container.controller?.scriptURL === address;
  if (inControl()) return;
  const controlled = new Promise<void>((resolve) => {
    container.addEventListener("controllerchange", () => inControl() && resolve());
  });
  const { active } = await container.register(address);
  // A page that was reloaded without caches stays without the worker.
  if (active?.scriptURL === address) return;
  await controlled;
}

/** Returns what precedes the object key in the URL of a picture. */
function bucketOf(url: string): string | undefined {
  const { origin, pathname } = new URL(url);
  return /^(.*\/)avatars(?:-small)?\/[^/]+\/\d+\.webp$/.exec(origin + pathname)?.[1];
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
