import "./card.css";
import { type ReactNode, useId } from "react";

/** A card: a header with title and tools, and its content below. */
export function Card({
  title,
  count,
  tools,
  children,
}: {
  title: string;
  /** A number or short text beside the title. */
  count?: ReactNode;
  /** Tools at the right, or one link. */
  tools?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section className="card" aria-labelledby={id}>
      <header className="card-head">
        <h2 id={id}>{title}</h2>
        {count !== undefined && <span className="card-count">{count}</span>}
        {tools && <div className="card-tools">{tools}</div>}
      </header>
      {children}
    </section>
  );
}
