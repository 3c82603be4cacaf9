import "./filter-chip.css";
import { type LucideIcon, Plus, X } from "lucide-react";
import { type ReactNode, type RefObject, useRef, useState } from "react";
import { Dialog } from "react-aria-components/Dialog";
import { Popover } from "react-aria-components/Popover";
import type { Filters } from "./filters.tsx";
import { type PickOption, PickPopover } from "./pick-popover.tsx";

type ChipProps = {
  label: string;
  Icon?: LucideIcon;
  /** The chosen value as text; undefined while the filter is not set. */
  value: string | undefined;
  /** The name of the button that removes the filter. */
  removeLabel: string;
  onRemove: () => void;
  /** Returns what opens below the chip. */
  children: (anchor: RefObject<HTMLElement | null>, close: () => void) => ReactNode;
};

/** A filter as a chip: dashed until it is set. A click opens its choices. */
export function FilterChip({ label, Icon, value, removeLabel, onRemove, children }: ChipProps) {
  const anchor = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  return (
    <span className="filter-chip" data-set={value !== undefined || undefined}>
      <button
        ref={anchor}
        type="button"
        className="filter-chip-open"
        aria-haspopup="dialog"
        aria-label={value === undefined ? label : `${label}: ${value}`}
        onClick={() => setOpen(true)}
      >
        {value === undefined ? <Plus /> : Icon && <Icon />}
        <span className="clip">{value ?? label}</span>
      </button>
      {value !== undefined && (
        <button
          type="button"
          className="filter-chip-remove"
          aria-label={removeLabel}
          onClick={() => {
            onRemove();
            anchor.current?.focus();
          }}
        >
          <X />
        </button>
      )}
      {open && children(anchor, () => setOpen(false))}
    </span>
  );
}

/** A filter whose value is one of some options. */
export function PickChip<Name extends string>({
  filters,
  name,
  label,
  Icon,
  options,
  removeLabel,
  empty,
  onSearch,
}: {
  filters: Filters<Name>;
  name: Name;
  label: string;
  Icon?: LucideIcon;
  options: readonly PickOption[];
  removeLabel: string;
  empty: string;
  onSearch?: (typed: string) => void;
}) {
  const value = filters.values[name];
  const set = (next: string) => filters.set({ [name]: next } as never);
  return (
    <FilterChip
      label={label}
      {...(Icon && { Icon })}
      value={value === "" ? undefined : (options.find(({ id }) => id === value)?.text ?? value)}
      removeLabel={removeLabel}
      onRemove={() => set("")}
    >
      {(anchor, close) => (
        <PickPopover
          label={label}
          anchor={anchor}
          options={options}
          selected={value === "" ? [] : [value]}
          onSelect={([id = ""]) => set(id)}
          {...(onSearch && { onSearch })}
          onClose={close}
          empty={empty}
        />
      )}
    </FilterChip>
  );
}

/** Fields that open below a chip. */
export function ChipDialog({
  label,
  anchor,
  onClose,
  children,
}: {
  label: string;
  anchor: RefObject<HTMLElement | null>;
  onClose: () => void;
  children: ReactNode;
}) {
  return (
    <Popover
      className="menu"
      isOpen
      onOpenChange={onClose}
      triggerRef={anchor}
      placement="bottom start"
      offset={4}
    >
      <Dialog className="chip-dialog" aria-label={label}>
        {children}
      </Dialog>
    </Popover>
  );
}
