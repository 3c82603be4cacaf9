import type { View as Entry } from "@svc/core/audit/audit-log";

/** The number of changes to show. The others are collapsed. */
const shownChanges = 3;

/** Shows the old and new value of each changed field, and the request id for finding the request in the log. */
export function Changes({ entry: { changes, requestId, userAgent } }: { entry: Entry }) {
  const names = Object.keys(changes.after);
  const lines = names.map((name) => (
    <div key={name} className="change">
      <span className="hint">{name}</span> {change(changes.before[name], changes.after[name])}
    </div>
  ));
  return (
    <>
      {lines.slice(0, shownChanges)}
      <details>
        <summary className="nowrap">
          {lines.length > shownChanges
            ? `${lines.length - shownChanges} more, and request details`
            : "Request details"}
        </summary>
        {lines.slice(shownChanges)}
        <div className="hint">{requestId}</div>
        {userAgent && <div className="hint">{userAgent}</div>}
      </details>
    </>
  );
}

function change(before: unknown, after: unknown) {
  return (
    <>
      {!isEmpty(before) && <del>{formatted(before)}</del>}
      {!isEmpty(before) && !isEmpty(after) && <span aria-hidden="true"> → </span>}
      {isEmpty(after) ? !isEmpty(before) ? " removed" : "" : <ins>{formatted(after)}</ins>}
    </>
  );
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

/** Formats a value: lists with commas, objects as names and values. */
function formatted(value: unknown): string {
  if (Array.isArray(value)) return value.map(formatted).join(", ");
  if (typeof value === "object" && value !== null)
    return Object.entries(value)
      .filter(([, one]) => !isEmpty(one))
      .map(([name, one]) => `${name} ${formatted(one)}`)
      .join("; ");
  if (typeof value === "boolean") return value ? "yes" : "no";
  return value === "" ? "(empty)" : String(value);
}
