import "./card.css";
import { ArrowDownRight, ArrowUpRight } from "lucide-react";
import type { ReactNode } from "react";

export type Figure = {
  label: string;
  /** The figure itself, or several, one for each currency. */
  value: string | readonly string[];
  /** One short line below. */
  note?: ReactNode;
};

/** Headline figures in one card. */
export function Figures({ label, figures }: { label: string; figures: readonly Figure[] }) {
  return (
    <section aria-label={label}>
      <dl className="card figures">
        {figures.map(({ label, value, note }) => {
          const values = typeof value === "string" ? [value] : value;
          return (
            <div key={label}>
              <dt>{label}</dt>
              <dd className="figure-value" data-many={values.length > 1 || undefined}>
                {values.map((one) => (
                  <div key={one}>{one}</div>
                ))}
              </dd>
              {note !== undefined && <dd className="figure-note">{note}</dd>}
            </div>
          );
        })}
      </dl>
    </section>
  );
}

/** A change against an earlier period, with an arrow. Growth is green where it is good. */
export function Change({
  value,
  text,
  good = false,
}: {
  /** The change; its sign sets the arrow. */
  value: number;
  text: string;
  /** Set where more is better. */
  good?: boolean;
}) {
  const Arrow = value < 0 ? ArrowDownRight : ArrowUpRight;
  return (
    <span className="change" data-look={good && value > 0 ? "good" : undefined}>
      {value !== 0 && <Arrow aria-hidden="true" />}
      {text}
    </span>
  );
}
