import { useSyncExternalStore } from "react";

/** Returns the fragment of the URL without `#`: the operation or event that a link leads to. */
export function useFragment(): string {
  return useSyncExternalStore(subscribe, () => location.hash.slice(1));
}

function subscribe(listener: () => void): () => void {
  addEventListener("hashchange", listener);
  return () => removeEventListener("hashchange", listener);
}
