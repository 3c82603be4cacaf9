import "./filters.css";
import { type ReactNode, useEffect, useId, useState } from "react";
import { useSearchParams } from "wouter";
import { Button } from "./button.tsx";

export type Filters<Name extends string> = {
  values: Record<Name, string>;
  set: (changes: Partial<Record<Name, string>>) => void;
  clear: () => void;
  /** How many say something else than at first. */
  count: number;
};

/** What a list is narrowed by, kept in the page's address, so that it can be sent to somebody, and survives going away and back. */
export function useFilters<Name extends string>(initial: Record<Name, string>): Filters<Name> {
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
        { replace: true },
      ),
    clear: () => setParameters({}, { replace: true }),
    count: names.filter((name) => values[name] !== initial[name]).length,
  };
}

/** The fields of such filters, with a way to empty them all. Those that are seldom used may be folded away in `more`. */
export function FilterBar({
  filters,
  children,
  more,
  moreOpen = false,
}: {
  filters: Filters<string>;
  children: ReactNode;
  more?: ReactNode;
  /** One of the folded ones is set. */
  moreOpen?: boolean;
}) {
  return (
    <search className="filter-bar">
      <div className="filter-fields">{children}</div>
      {more && (
        <details open={moreOpen || undefined}>
          <summary>More filters</summary>
          <div className="filter-fields">{more}</div>
        </details>
      )}
      {filters.count > 0 && (
        <Button look="quiet" onClick={filters.clear}>
          Clear {filters.count === 1 ? "the filter" : `${filters.count} filters`}
        </Button>
      )}
    </search>
  );
}

/** One of several values, the first of which stands for no filter. */
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

/** Text or a day. Text is taken a moment after the last key, so that not every letter asks the server. */
export function TextFilter<Name extends string>({
  filters,
  name,
  label,
  type,
  placeholder,
}: {
  filters: Filters<Name>;
  name: Name;
  label: string;
  type: "search" | "date";
  placeholder?: string;
}) {
  const id = useId();
  const taken = filters.values[name];
  const [typed, setTyped] = useState(taken);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what counts is that something was typed.
  useEffect(() => {
    if (typed.trim() === taken) return;
    const waiting = setTimeout(() => filters.set({ [name]: typed.trim() } as never), pauseMs);
    return () => clearTimeout(waiting);
  }, [typed]);
  // Emptied from elsewhere.
  useEffect(() => setTyped((now) => (now.trim() === taken ? now : taken)), [taken]);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type={type}
        value={typed}
        placeholder={placeholder}
        onChange={({ target }) => setTyped(target.value)}
      />
    </div>
  );
}

const pauseMs = 300;
