/**
 * The service worker that keeps pictures. Each response of the API signs new URLs, so the browser's own cache would load every
 * picture again with each page. This cache has the URL without its query as the key, which belongs to one picture for ever. The
 * page decides whether there is a cache: picture-cache.ts.
 */
import { cacheNames, cachePrefix } from "./picture-cache-names.ts";

type WorkerEvent = Event & {
  waitUntil(work: Promise<unknown>): void;
  /** Sends matching requests to the network without this worker. Not in every browser. */
  addRoutes?(routes: { condition: { urlPattern: string }; source: "network" }): Promise<void>;
};
type FetchEvent = WorkerEvent & { request: Request; respondWith(response: Promise<Response>): void };
type Worker = typeof globalThis & {
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
};

const worker = globalThis as Worker;

/** The bucket: the beginning of all URLs of pictures, up to the object key. */
const bucket = new URL(location.href).searchParams.get("bucket") ?? "";

/** How long a picture is kept, in milliseconds: as long as its signed URL works. */
const lifeMs = 7 * 86_400_000;

addEventListener("install", (event) => {
  void worker.skipWaiting();
  const routes = { condition: { urlPattern: `${location.origin}/*` }, source: "network" } as const;
  (event as WorkerEvent).addRoutes?.(routes).catch(() => {});
});

addEventListener("activate", (event) => (event as WorkerEvent).waitUntil(worker.clients.claim()));

addEventListener("fetch", (event) => {
  const { request } = event as FetchEvent;
  const key = keyOf(request);
  if (key === undefined) return;
  (event as FetchEvent).waitUntil(sweepOnce());
  (event as FetchEvent).respondWith(respond(key, event as FetchEvent));
});

/** Returns the key of a picture, or undefined for every other request. */
function keyOf({ method, destination, url }: Request): string | undefined {
  if (method !== "GET" || destination !== "image" || bucket === "") return undefined;
  const { origin, pathname } = new URL(url);
  const key = origin + pathname;
  const isPicture =
    key.startsWith(bucket) && /^avatars(?:-small)?\/[^/]+\/\d+\.webp$/.test(key.slice(bucket.length));
  return isPicture ? key : undefined;
}

async function respond(key: string, event: FetchEvent): Promise<Response> {
  const [name] = await cacheNames();
  if (name === undefined) return fetch(event.request);
  const found = await caches.match(key, { cacheName: name });
  if (found && !isExpired(found)) return found;
  // The browser's own cache would keep the signed URL, also after the session.
  const load = {
    mode: "cors",
    credentials: "omit",
    cache: "no-store",
    referrerPolicy: "no-referrer",
  } as const;
  const response = await fetch(event.request.url, load).catch(() => undefined);
  // Where the bucket does not allow CORS, the page loads the picture as without a worker.
  if (!response) return fetch(event.request);
  if (response.status === 200 && response.headers.get("content-type") === "image/webp")
    event.waitUntil(store(name, key, response.clone()));
  return response;
}

/** Stores a picture, unless its cache was deleted meanwhile. */
async function store(name: string, key: string, response: Response): Promise<void> {
  const picture = await response.blob();
  const headers = { "content-type": "image/webp", date: new Date().toUTCString() };
  await navigator.locks.request(cachePrefix, async () => {
    if (await caches.has(name)) await (await caches.open(name)).put(key, new Response(picture, { headers }));
  });
}

function isExpired(picture: Response): boolean {
  return Date.parse(picture.headers.get("date") ?? "") + lifeMs <= Date.now();
}

let swept: Promise<void> | undefined;

/** Deletes expired pictures, once in the life of this worker. Browsers end an idle worker after a minute or less. */
function sweepOnce(): Promise<void> {
  swept ??= navigator.locks.request(cachePrefix, async () => {
    for (const name of await cacheNames()) {
      const cache = await caches.open(name);
      for (const key of await cache.keys()) {
        const picture = await cache.match(key);
        if (picture && isExpired(picture)) await cache.delete(key);
      }
    }
  });
  return swept;
}
