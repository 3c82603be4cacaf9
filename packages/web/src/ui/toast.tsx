import { lazy, Suspense, useSyncExternalStore } from "react";
import type { ToastAction } from "./toast-region.tsx";

const loadRegion = () => import("./toast-region.tsx");
const Region = lazy(loadRegion);

let used = false;
const listeners = new Set<() => void>();

/**
 * Shows and announces a success message for five seconds, or for ten with an action such as Undo. It stays while it is hovered
 * or focused. Errors are shown where they occurred instead.
 */
export function toast(text: string, action?: ToastAction): void {
  used = true;
  for (const listener of listeners) listener();
  void loadRegion().then(({ show }) => show(text, action));
}

/** The place of toasts, which loads with the first one. Render it once. */
export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => used,
  );
  return shown ? (
    <Suspense>
      <Region />
    </Suspense>
  ) : null;
}
