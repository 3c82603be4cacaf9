import { useSyncExternalStore } from "react";

const query = matchMedia("(min-width: 60rem)");

/** Tells whether the side menu fits beside the page. frame.css uses the same width. */
export function useWide(): boolean {
  return useSyncExternalStore(
    (listener) => {
      query.addEventListener("change", listener);
      return () => query.removeEventListener("change", listener);
    },
    () => query.matches,
  );
}
