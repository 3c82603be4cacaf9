import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";

export type MenuItem = { label: string; onSelect: () => void };

/**
 * A button that opens a list of actions, with the keys of the ARIA menu pattern: arrow keys, Home, End and Escape. An open menu
 * does not follow changes of `items`, because replacing them would move the focus and could make the user select the wrong
 * action.
 */
export function Menu({
  label,
  children,
  items,
}: {
  /** The accessible name of the button. */
  label: string;
  children: ReactNode;
  items: readonly MenuItem[];
}) {
  const [openItems, setOpenItems] = useState<readonly MenuItem[]>();
  const open = openItems !== undefined;
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const entries = () => [...(root.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];

  useEffect(() => {
    if (!open) return;
    root.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
    const outside = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) setOpenItems(undefined);
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
      setOpenItems(undefined);
      button.current?.focus();
    } else if (next !== undefined && all.length > 0) {
      event.preventDefault();
      all[(next + all.length) % all.length]?.focus();
    }
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of the menu inside.
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
        onClick={() => setOpenItems(open ? undefined : items)}
      >
        {children}
      </button>
      {open && (
        <div role="menu" id={id} aria-label={label} className="menu-items">
          {openItems.map((item) => (
            <button
              key={item.label}
              type="button"
              role="menuitem"
              tabIndex={-1}
              onClick={() => {
                setOpenItems(undefined);
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
