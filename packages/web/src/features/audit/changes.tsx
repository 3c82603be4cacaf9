import type { AuditEntry } from "@svc/client";
import { number } from "../../base/format.ts";
import { messages } from "./messages.ts";

/** The number of changes to show. The others are collapsed. */
const shownChanges = 3;

/** Shows the old and new value of each changed field, or that it changed if the values are not recorded, and the request id for finding the request in the log. */
export function Changes({ entry: { changes, fields, actor, requestId, userAgent } }: { entry: AuditEntry }) {
  const lines = fields.map((name) => (
    <div key={name} className="audit-change">
      <span className="hint">{name}</span>{" "}
      {name in changes.after ? change(changes.before[name], changes.after[name]) : messages.changed}
    </div>
  ));
  return (
    <>
      {lines.slice(0, shownChanges)}
      <details>
        <summary className="nowrap">
          {lines.length > shownChanges
            ? messages.moreChanges(number(lines.length - shownChanges))
            : messages.requestDetails}
        </summary>
        {lines.slice(shownChanges)}
        <div className="hint">{requestId}</div>
        {userAgent && <div className="hint">{userAgent}</div>}
        {actor.tokenId && <div className="hint">{messages.apiToken(actor.tokenId)}</div>}
      </details>
    </>
  );
}

function change(old: unknown, after: unknown) {
  // A value that stays the same identifies what was changed.
  const before = old === after ? null : old;
  return (
    <>
      {!isEmpty(before) && <del>{formatted(before)}</del>}
      {!isEmpty(before) && !isEmpty(after) && <span aria-hidden="true"> → </span>}
      {isEmpty(after) ? !isEmpty(before) && <> {messages.removed}</> : <ins>{formatted(after)}</ins>}
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
  if (typeof value === "boolean") return value ? messages.yes : messages.no;
  return value === "" ? messages.empty : String(value);
}
