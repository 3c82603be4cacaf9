import type { View as Entry } from "@svc/core/audit/audit-log";

/** So many changes are shown at once; more are folded. */
const shownAtOnce = 3;

/** What was before and what is now, field by field, and where the request can be found in the log. */
export function Changes({ entry: { changes, requestId, userAgent } }: { entry: Entry }) {
  const names = Object.keys(changes.after);
  const lines = names.map((name) => (
    <div key={name} className="change">
      <span className="hint">{name}</span> {change(changes.before[name], changes.after[name])}
    </div>
  ));
  return (
    <>
      {lines.slice(0, shownAtOnce)}
      <details>
        <summary className="nowrap">
          {lines.length > shownAtOnce ? `${lines.length - shownAtOnce} more, and the request` : "Request"}
        </summary>
        {lines.slice(shownAtOnce)}
        <div className="hint">{requestId}</div>
        {userAgent && <div className="hint">{userAgent}</div>}
      </details>
    </>
  );
}

function change(before: unknown, after: unknown) {
  return (
    <>
      {!absent(before) && <del>{written(before)}</del>}
      {!absent(before) && !absent(after) && <span aria-hidden="true"> → </span>}
      {absent(after) ? !absent(before) ? " removed" : "" : <ins>{written(after)}</ins>}
    </>
  );
}

function absent(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

/** Words and numbers as they are, lists with commas, fields of a thing with their names. */
function written(value: unknown): string {
  if (Array.isArray(value)) return value.map(written).join(", ");
  if (typeof value === "object" && value !== null)
    return Object.entries(value)
      .filter(([, one]) => !absent(one))
      .map(([name, one]) => `${name} ${written(one)}`)
      .join("; ");
  if (typeof value === "boolean") return value ? "yes" : "no";
  return value === "" ? "(empty)" : String(value);
}
