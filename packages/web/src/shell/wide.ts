import { useSyncExternalStore } from "react";

const query = matchMedia("(min-width: 60rem)");

/** Whether the side menu has room beside the page; frame.css has the same width. */
export function useWide(): boolean {
  return useSyncExternalStore(
    (listener) => {
      query.addEventListener("change", listener);
      return () => query.removeEventListener("change", listener);
    },
    () => query.matches,
  );
}
