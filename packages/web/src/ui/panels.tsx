import "./panels.css";
import type { ReactNode } from "react";

/** The sections of a settings page, each as a card. With `columns`, they stand side by side where there is room. */
export function Panels({ columns = false, children }: { columns?: boolean; children: ReactNode }) {
  return (
    <div className="panels" data-columns={columns || undefined}>
      {children}
    </div>
  );
}
