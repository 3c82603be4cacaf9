import "./skeleton.css";

/** Gray lines in the place of rows that are loading. */
export function Skeleton({ label, rows }: { label: string; rows: number }) {
  return (
    <div role="status" className="skeleton">
      <span className="visually-hidden">{label}</span>
      {Array.from({ length: rows }, (_, row) => `row ${row}`).map((row) => (
        <div key={row} />
      ))}
    </div>
  );
}
