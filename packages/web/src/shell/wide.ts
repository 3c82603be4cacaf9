import { useSyncExternalStore } from "react";

const query = matchMedia("(min-width: 53.8125rem)");

/** Tells whether the sidebar fits beside the page, from 861 px. frame.css uses the same width. */
export function useWide(): boolean {
  return useSyncExternalStore(
    (listener) => {
      query.addEventListener("change", listener);
      return () => query.removeEventListener("change", listener);
    },
    () => query.matches,
  );
}
