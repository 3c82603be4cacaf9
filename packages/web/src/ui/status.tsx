import "./status.css";
import type { ReactNode } from "react";

/** A state of an object. The usual state is a dot and a text; only exceptions have a badge. */
export function Status({ look, children }: { look: "usual" | "good" | "warn" | "bad"; children: ReactNode }) {
  if (look === "warn" || look === "bad")
    return (
      <span className="badge" data-look={look}>
        {children}
      </span>
    );
  return (
    <span className="status" data-look={look}>
      {children}
    </span>
  );
}
