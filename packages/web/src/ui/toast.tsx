import { useSyncExternalStore } from "react";

type Toast = { id: number; text: string };

let toasts: readonly Toast[] = [];
let count = 0;
const listeners = new Set<() => void>();

function show(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Shows and announces a success message for six seconds. Errors are shown where they occurred instead. */
export function toast(text: string): void {
  const id = ++count;
  show([...toasts, { id, text }]);
  setTimeout(() => show(toasts.filter((one) => one.id !== id)), 6000);
}

/** The container of toasts. Render it once, from the start, so that screen readers announce new toasts. */
export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}
