import { useSyncExternalStore } from "react";

let printing = false;

/** Tells whether the page is being printed, so that it can render what is otherwise not on the screen. */
export function usePrinting(): boolean {
  return useSyncExternalStore(subscribe, () => printing);
}

function subscribe(listener: () => void): () => void {
  const set = (value: boolean) => () => {
    printing = value;
    listener();
  };
  const [before, after] = [set(true), set(false)];
  addEventListener("beforeprint", before);
  addEventListener("afterprint", after);
  return () => {
    removeEventListener("beforeprint", before);
    removeEventListener("afterprint", after);
  };
}
