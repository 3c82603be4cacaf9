import "./filters.css";
import { type ReactNode, useEffect, useId, useState } from "react";
import { useSearchParams } from "wouter";
import { Button } from "./button.tsx";
import { messages } from "./messages.ts";

export type Filters<Name extends string> = {
  values: Record<Name, string>;
  set: (changes: Partial<Record<Name, string>>) => void;
  clear: () => void;
  /** The number of filters that differ from their initial values. */
  count: number;
};

/**
 * Stores the filters of a page in the URL, so that they can be shared and survive navigation. With `push`, the browser's back
 * button returns to the filters before.
 */
export function useFilters<Name extends string>(
  initial: Record<Name, string>,
  { push = false }: { push?: boolean } = {},
): Filters<Name> {
  const [parameters, setParameters] = useSearchParams();
  const names = Object.keys(initial) as Name[];
  const values = Object.fromEntries(
    names.map((name) => [name, parameters.get(name) ?? initial[name]]),
  ) as Record<Name, string>;
  return {
    values,
    set: (changes) =>
      setParameters(
        (before) => {
          const after = new URLSearchParams(before);
          for (const [name, value] of Object.entries(changes) as [Name, string][])
            if (value === initial[name]) after.delete(name);
            else after.set(name, value);
          return after;
        },
        { replace: !push },
      ),
    clear: () => setParameters({}, { replace: !push }),
    count: names.filter((name) => values[name] !== initial[name]).length,
  };
}

/** The filter fields with a button that clears them. Rarely used fields go into `more`, which is collapsed at first. */
export function FilterBar({
  filters,
  children,
  more,
  moreOpen = false,
}: {
  filters: Filters<string>;
  children: ReactNode;
  more?: ReactNode;
  /** Set when a filter in `more` has a value. */
  moreOpen?: boolean;
}) {
  return (
    <search className="filter-bar">
      <div className="filter-fields">{children}</div>
      {more && (
        <details open={moreOpen || undefined}>
          <summary>{messages.moreFilters}</summary>
          <div className="filter-fields">{more}</div>
        </details>
      )}
      {filters.count > 0 && (
        <Button look="quiet" onClick={filters.clear}>
          {messages.clearFilters(filters.count)}
        </Button>
      )}
    </search>
  );
}

/** A select filter. The first option means no filter. */
export function SelectFilter<Name extends string>({
  filters,
  name,
  label,
  options,
}: {
  filters: Filters<Name>;
  name: Name;
  label: string;
  options: readonly { value: string; label: string }[];
}) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={filters.values[name]}
        onChange={({ target }) => filters.set({ [name]: target.value } as never)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}

/**
 * Returns what the user types into a filter, and the function that changes it. The filter has the value after a short pause in
 * typing, so that not every key press sends a request.
 */
export function useTyped<Name extends string>(
  filters: Filters<Name>,
  name: Name,
  isComplete: (typed: string) => boolean = () => true,
): [string, (typed: string) => void] {
  const applied = filters.values[name];
  const [typed, setTyped] = useState(applied);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only after typing.
  useEffect(() => {
    if (typed.trim() === applied || !isComplete(typed)) return;
    const timer = setTimeout(() => filters.set({ [name]: typed.trim() } as never), pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  // Follow changes from outside, such as the clear button.
  useEffect(() => setTyped((now) => (now.trim() === applied ? now : applied)), [applied]);
  return [typed, setTyped];
}

/** A text filter. */
export function TextFilter<Name extends string>({
  filters,
  name,
  label,
  placeholder,
}: {
  filters: Filters<Name>;
  name: Name;
  label: string;
  placeholder?: string;
}) {
  const id = useId();
  const [typed, setTyped] = useTyped(filters, name);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="search"
        aria-keyshortcuts="/"
        value={typed}
        placeholder={placeholder}
        onChange={({ target }) => setTyped(target.value)}
      />
    </div>
  );
}

const pauseMs = 300;
