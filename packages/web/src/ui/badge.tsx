import type { ReactNode } from "react";

/** A short state of an object. The usual state needs none: only exceptions have a look. */
export function Badge({ look, children }: { look?: "good" | "warn" | "bad"; children: ReactNode }) {
  return (
    <span className="badge" data-look={look}>
      {children}
    </span>
  );
}
