import type { ReactNode } from "react";
import type { State } from "./forced-states.ts";

/** A part of the design page. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="design-section" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** Controls in a state that is otherwise seen only under the pointer or with the focus. */
export function Forced({ state, children }: { state: State; children: ReactNode }) {
  return (
    <div className="design-row" data-forced={state}>
      <span className="hint design-state">{state}</span>
      {children}
    </div>
  );
}

export const forcedStates = ["hover", "focus", "pressed"] as const;
export const nothing = () => {};
