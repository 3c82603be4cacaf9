import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";

export type MenuItem = { label: string; onSelect: () => void };

/**
 * A button that opens a list of actions. Arrow keys, Home, End and Escape work as in the ARIA practices for menus. What it
 * offers stays as it was when it was opened: an action that became another one would be taken for what it was, and would
 * lose the focus.
 */
export function Menu({
  label,
  children,
  items,
}: {
  /** Name of the button for screen readers. */
  label: string;
  children: ReactNode;
  items: readonly MenuItem[];
}) {
  const [offered, setOffered] = useState<readonly MenuItem[]>();
  const open = offered !== undefined;
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const entries = () => [...(root.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];

  useEffect(() => {
    if (!open) return;
    root.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
    const outside = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) setOffered(undefined);
    };
    document.addEventListener("pointerdown", outside);
    document.addEventListener("focusin", outside);
    return () => {
      document.removeEventListener("pointerdown", outside);
      document.removeEventListener("focusin", outside);
    };
  }, [open]);

  function onKeyDown(event: KeyboardEvent): void {
    const all = entries();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 };
    const next = to[event.key];
    if (event.key === "Escape") {
      setOffered(undefined);
      button.current?.focus();
    } else if (next !== undefined && all.length > 0) {
      event.preventDefault();
      all[(next + all.length) % all.length]?.focus();
    }
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it listens for the keys of the menu inside it.
    <div className="menu" ref={root} onKeyDown={open ? onKeyDown : undefined}>
      <button
        ref={button}
        type="button"
        className="button"
        data-look="quiet"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOffered(open ? undefined : items)}
      >
        {children}
      </button>
      {open && (
        <div role="menu" id={id} aria-label={label} className="menu-items">
          {offered.map((item) => (
            <button
              key={item.label}
              type="button"
              role="menuitem"
              tabIndex={-1}
              onClick={() => {
                setOffered(undefined);
                button.current?.focus();
                item.onSelect();
              }}
            >
              {item.label}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
