import { csvLine } from "../../base/csv.ts";
import * as Cursor from "../../base/cursor.ts";
import { firstIdSince } from "../../event/columns.ts";
import { db } from "../../platform/db/engine.ts";
import type { Membership } from "../../workspace/authorization.ts";
import { cursorOf, type formats, type Query, rangeOf, read, type View, view } from "../audit-log.ts";
import * as Checkpoint from "./checkpoint.ts";
import { type End, firstLink, linkLines, proofOf } from "./exported.ts";

/** Largest number of rows and bytes of one export call. A Lambda response is limited to 6 MB. */
export const exportedRows = 10_000;
export const exportedBytes = 5_000_000;

export type Export = { format: (typeof formats)[number]; text: string; nextCursor: string | null };

/**
 * Exports audit log entries as CSV (RFC 4180, with a header line) or as newline-delimited JSON. After the entries, the last
 * part has the latest checkpoint. Without filters other than times, NDJSON also has the chain, from which `verifyExport` proves
 * that nothing was changed and nothing is missing. Throws `invalid` `cursor_invalid` and `before_from`.
 */
export async function exportEntries(
  membership: Membership,
  query: Query,
  format: Export["format"],
): Promise<Export> {
  const link = linkOfCursor(query.cursor);
  if (link !== undefined) return exportChain(membership, query, link);
  const { rows, meta } = await read(membership, query, exportedRows);
  const isCsv = format === "csv";
  let text = isCsv ? csvLine([...columns.map(([name]) => name), "sequence"]) : "";
  let bytes = text.length;
  let last: (typeof rows)[number] | undefined;
  for (const row of rows) {
    const shown = view(row);
    const proof = proofOf(row, shown);
    const next = isCsv
      ? csvOf(shown, proof ? String(proof.sequence) : "")
      : lineOf({ ...shown, ...(proof && { proof }) });
    bytes += Buffer.byteLength(next);
    if (last && bytes > exportedBytes) return { format, text, nextCursor: cursorOf(last) };
    text += next;
    last = row;
  }
  if (meta.nextCursor) return { format, text, nextCursor: meta.nextCursor };
  if (isCsv) return { format, text: text + (await csvEnd(membership)), nextCursor: null };
  const { since } = rangeOf(membership, query);
  const first = isFiltered(query)
    ? undefined
    : await firstLink(membership.workspaceId, since && firstIdSince(since));
  if (first !== undefined) return { format, text, nextCursor: Cursor.encode(["link", first]) };
  return { format, text: text + lineOf({ end: await endOf(membership, query) }), nextCursor: null };
}

/** Exports the links of the chain, and the end of the file. */
async function exportChain(membership: Membership, query: Query, first: number): Promise<Export> {
  const end = await endOf(membership, query);
  const { lines, next } = await linkLines(membership.workspaceId, first, end.checkpoint ?? undefined);
  const text = lines.map((links) => lineOf({ links })).join("");
  if (next !== undefined) return { format: "ndjson", text, nextCursor: Cursor.encode(["link", next]) };
  return { format: "ndjson", text: text + lineOf({ end }), nextCursor: null };
}

/** Returns the number of the link at which the chain continues, if the cursor has one. */
function linkOfCursor(cursor: string | undefined): number | undefined {
  const [kind, first, ...more] = (cursor && Cursor.decode(cursor)) || [];
  const isLink = kind === "link" && Number.isSafeInteger(first) && more.length === 0;
  return isLink && Number(first) > 0 ? Number(first) : undefined;
}

function isFiltered({ category, actor, action, target, ip, outcome }: Query): boolean {
  return [category, actor, action, target, ip, outcome].some((filter) => filter !== undefined);
}

async function endOf(membership: Membership, query: Query): Promise<End> {
  const { since, before } = rangeOf(membership, query);
  return {
    checkpoint: (await Checkpoint.latest(db(), membership.workspaceId)) ?? null,
    since: since?.toISOString() ?? null,
    before: before?.toISOString() ?? null,
    isFiltered: isFiltered(query),
  };
}

/** Returns the last record of a CSV file, which has the checkpoint as JSON in the column `after`. Empty if there is none. */
async function csvEnd({ workspaceId }: Membership): Promise<string> {
  const checkpoint = await Checkpoint.latest(db(), workspaceId);
  if (!checkpoint) return "";
  const values: Record<string, string> = {
    at: checkpoint.at,
    action: "audit_log.checkpoint",
    after: JSON.stringify(checkpoint),
  };
  return csvLine([...columns.map(([name]) => values[name] ?? ""), String(checkpoint.sequence)]);
}

/** The columns of the CSV, in order. The sequence follows. */
const columns: readonly (readonly [string, (entry: View) => string | null])[] = [
  ["id", ({ id }) => id],
  ["at", ({ at }) => at],
  ["actor_type", ({ actor }) => actor.type],
  ["actor_id", ({ actor }) => actor.id],
  ["actor_name", ({ actor }) => actor.name],
  ["actor_email", ({ actor }) => actor.email],
  ["action", ({ action }) => action],
  ["target_type", ({ target }) => target.type],
  ["target_id", ({ target }) => target.id],
  ["target_name", ({ target }) => target.name],
  ["ip", ({ ip }) => ip],
  ["user_agent", ({ userAgent }) => userAgent],
  ["request_id", ({ requestId }) => requestId],
  ["outcome", ({ outcome }) => outcome],
  ["before", ({ changes }) => JSON.stringify(changes.before)],
  ["after", ({ changes }) => JSON.stringify(changes.after)],
  ["category", ({ category }) => category],
  ["token_id", ({ actor }) => actor.tokenId],
  ["country", ({ country }) => country],
  ["city", ({ city }) => city],
  ["occurrences", ({ occurrences }) => String(occurrences)],
  ["fields", ({ fields }) => fields.join(" ")],
];

function csvOf(entry: View, sequence: string): string {
  return csvLine([...columns.map(([, value]) => value(entry)), sequence]);
}

function lineOf(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
