import { createClient, type Problem } from "@svc/client";

/** `behind` means that the server has a newer client than this page. */
export type ServerStatus = "here" | "away" | "behind";

/** Statuses of responses that a server or gateway in trouble sends. 0 is no response. */
const suspicious = [0, 502, 503, 504];

const firstDelayMs = 1000;
const longestDelayMs = 30_000;

/** The least time between two checks for a new release. */
const releaseMs = 10 * 60_000;

/** Separate from `base/api.ts`, which reports its problems here. */
const api = createClient({ retries: 0, timeoutMs: 10_000 });

let status: ServerStatus = "here";
let checking: Promise<boolean> | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let delayMs = firstDelayMs;
let releaseCheckedAt = Date.now();

const listeners = new Set<() => void>();

/** Returns whether the server responds, as far as this page knows. */
export function serverStatus(): ServerStatus {
  return status;
}

/** Calls the listener after each change of the status. Returns the function that unsubscribes it. */
export function subscribeToServer(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Checks the server after a request that failed as if it were away. Further failures do not delay the next check. */
export function reportProblem(problem: Problem): void {
  if (status !== "away" && suspicious.includes(problem.status)) void checkServer();
}

/**
 * Asks the server whether it responds, and returns the answer. While it does not, it is asked again: after a second, then less
 * and less often, at once when the network or the page comes back, and never while the page is hidden.
 */
export function checkServer(): Promise<boolean> {
  clearTimeout(timer);
  checking ??= responds().finally(() => {
    checking = undefined;
  });
  return checking;
}

async function responds(): Promise<boolean> {
  const here = await api.get("/health").then(
    () => true,
    ({ status }: Problem) => !suspicious.includes(status),
  );
  if (here) {
    delayMs = firstDelayMs;
    if (status === "away") {
      change("here");
      // The server may have been replaced by a new release.
      void checkRelease();
    }
    return true;
  }
  if (status === "here") change("away");
  timer = setTimeout(() => document.hidden || void checkServer(), delayMs);
  delayMs = Math.min(2 * delayMs, longestDelayMs);
  return false;
}

/** Compares the scripts of this page with those that the server has now. Returns whether they differ. */
export async function checkRelease(): Promise<boolean> {
  releaseCheckedAt = Date.now();
  const response = await fetch("/", { cache: "no-store" }).catch(() => undefined);
  if (!response?.ok) return false;
  const latest = new DOMParser().parseFromString(await response.text(), "text/html");
  const changed = entryOf(latest) !== entryOf(document);
  if (changed && status !== "away") change("behind");
  return changed;
}

/** Returns the path of the entry script. Its name has a hash, which changes with every part of the client. */
function entryOf(page: Document): string | null | undefined {
  return page.querySelector('script[type="module"][src]')?.getAttribute("src");
}

/** Watches for the return of the network, and for new releases whenever the page is shown again. Call it once. */
export function watchServer(): void {
  addEventListener("online", () => status === "away" && void checkServer());
  const onShown = () => {
    if (document.hidden) return;
    if (status === "away") void checkServer();
    else if (Date.now() - releaseCheckedAt > releaseMs) void checkRelease();
  };
  document.addEventListener("visibilitychange", onShown);
  addEventListener("focus", onShown);
}

function change(next: ServerStatus): void {
  status = next;
  for (const listener of listeners) listener();
}
