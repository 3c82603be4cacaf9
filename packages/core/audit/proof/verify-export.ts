import * as z from "zod/mini";
import { View } from "../audit-log.ts";
import * as Checkpoint from "./checkpoint.ts";
import { isInserted, isLate, mayBeMissingBefore, type Problem } from "./examine.ts";
import { contentOf, End, EntryProof, Links } from "./exported.ts";
import { entryHash, groupHash, isErased, linkHash, mapGroups } from "./hashes.ts";

/** Public keys that the verifier trusts, by key id, and checkpoints that were kept elsewhere. */
export type Trusted = { publicKeys: ReadonlyMap<string, string>; checkpoints: readonly Checkpoint.View[] };

export type Report = {
  /** Entries that match their place in the chain. */
  proven: number;
  /** New entries that were not in the chain yet. Nothing proves them. */
  unproven: number;
  /** Entries with values that were erased. The hash of these values is proven, but not that they had to be erased. */
  erased: number;
  /** Entries with masked values. Nothing proves the values in their `changes`. */
  masked: number;
  /** Links without an entry: deleted by the retention, or outside of the time of the export. */
  withoutEntry: number;
  end: End | undefined;
  /** Each begins with a `Problem`, and names the entry, link or checkpoint, and the line if it has one. */
  problems: string[];
};

const Line = z.union([
  z.object({ ...View.shape, proof: z.optional(EntryProof) }),
  z.object({ links: Links }),
  z.object({ end: End }),
]);
type Line = z.infer<typeof Line>;

type Found = (problem: Problem, subject: string) => void;

/** An entry of the file, with the number of its line. `hash` is that of the entry as the file shows it. */
type Entry = { id: string; at: Date; line: number; hash: string };

type Read = {
  entries: Map<number, Entry>;
  unchained: Omit<Entry, "hash">[];
  links: (Links & { line: number })[];
  workspaces: Set<string>;
};

/**
 * Checks an NDJSON export of an audit log, line by line. Lines that are not those of an export, such as the part of a line at
 * which a copy was interrupted, are problems as well.
 */
export async function verifyExport(lines: AsyncIterable<string>, trusted: Trusted): Promise<Report> {
  const report: Report = {
    proven: 0,
    unproven: 0,
    erased: 0,
    masked: 0,
    withoutEntry: 0,
    end: undefined,
    problems: [],
  };
  const read: Read = { entries: new Map(), unchained: [], links: [], workspaces: new Set() };
  const found: Found = (problem, subject) => report.problems.push(`${problem}: ${subject}`);
  let number = 0;
  let previousId: string | undefined;
  for await (const text of lines) {
    number++;
    if (text === "") continue;
    const line = parsed(text);
    if (!line) found("file_truncated", `line ${number} is not a line of an export`);
    else if (report.end) found("file_truncated", `line ${number} follows the end of the export`);
    else if ("end" in line) report.end = line.end;
    else if ("links" in line) read.links.push({ ...line.links, line: number });
    else {
      if (previousId !== undefined && line.id >= previousId)
        found("entry_moved", `line ${number} (${line.id}) is not older than the one before`);
      if (previousId !== undefined && read.links.length > 0)
        found("entry_moved", `line ${number} (${line.id}) follows the chain`);
      previousId = line.id;
      addEntry(line, number, read, report, found);
    }
  }
  report.unproven = read.unchained.length;
  const { end } = report;
  if (!end) found("file_truncated", `the end of the export is missing after line ${number}`);
  else if (!end.checkpoint) found("file_without_chain", "the log had no checkpoint when it was exported");
  else if (end.isFiltered) found("file_without_chain", "the export was filtered");
  else checkChain(report, end, end.checkpoint, read, trusted, found);
  return report;
}

function parsed(text: string): Line | undefined {
  try {
    return Line.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function addEntry(
  line: View & { proof?: EntryProof | undefined },
  number: number,
  { entries, unchained, workspaces }: Read,
  report: Report,
  found: Found,
): void {
  const { id, proof } = line;
  const entry = { id, at: new Date(line.at), line: number };
  if (!proof) {
    unchained.push(entry);
    return;
  }
  workspaces.add(proof.workspaceId);
  const { sequence } = proof;
  if (entries.has(sequence)) found("entry_inserted", `line ${number} (${id}) repeats entry ${sequence}`);
  entries.set(sequence, { ...entry, hash: hashOf(line, proof, report) });
}

/** Returns the hash of an entry as the file shows it. */
function hashOf(line: View, proof: EntryProof, report: Report): string {
  const content = contentOf(line, proof.workspaceId);
  const isMasked = JSON.stringify(line.changes).includes("[masked]");
  let shortened: "masked" | "erased" | undefined;
  const hashes = mapGroups((group) => {
    const salt = proof.salts[group];
    if (salt !== undefined) return groupHash(content, group, salt);
    // No export shows data. Without its salt, another group may only be erased or masked: otherwise any value would be accepted.
    if (group === "data") return proof.hashes[group] ?? "";
    if (isErased(content, group)) shortened ??= "erased";
    else if (group === "changes" && isMasked) shortened = "masked";
    else return "";
    return proof.hashes[group] ?? "";
  });
  if (shortened) report[shortened]++;
  return entryHash(content, hashes);
}

function checkChain(
  report: Report,
  end: End,
  checkpoint: Checkpoint.View,
  { entries, unchained, links, workspaces }: Read,
  { publicKeys, checkpoints }: Trusted,
  found: Found,
): void {
  const { workspaceId } = checkpoint;
  for (const other of workspaces) if (other !== workspaceId) found("entry_inserted", `entries of ${other}`);
  const [since, before] = [end.since, end.before].map((time) =>
    time === null ? undefined : Date.parse(time),
  );
  const purgedBefore = checkpoint.purgedBefore === null ? null : new Date(checkpoint.purgedBefore);
  const mayBeMissing = mayBeMissingBefore(purgedBefore, new Date(checkpoint.at));
  let latest = 0;
  let hash = links[0]?.previous ?? "";
  let next = links[0]?.first ?? checkpoint.sequence + 1;
  const hashes = new Map<number, string>();
  if (end.since === null && next !== 1) found("link_missing", "link 1");
  for (const page of links) {
    if (page.first !== next || page.previous !== hash)
      found("link_missing", `link ${next}, before line ${page.line}`);
    for (const [atText, chainedText, entry] of page.links) {
      const [at, chainedAt] = [new Date(atText), new Date(chainedText)];
      hash = linkHash(hash, { workspaceId, sequence: next, at, chainedAt, entryHash: entry });
      hashes.set(next, hash);
      const shown = entries.get(next);
      const subject = shown
        ? `line ${shown.line} (${shown.id}), entry ${next} of the chain`
        : `entry ${next} of the chain, from ${atText}`;
      if (isInserted({ at, chainedAt }, latest)) found("entry_inserted", subject);
      const isOutside = at.getTime() < (since ?? 0) || at.getTime() >= (before ?? Number.POSITIVE_INFINITY);
      if (shown && shown.hash === entry) report.proven++;
      else if (shown) found("entry_changed", subject);
      else if (isOutside || at.getTime() < (mayBeMissing?.getTime() ?? 0)) report.withoutEntry++;
      else found("entry_missing", subject);
      entries.delete(next);
      latest = Math.max(latest, at.getTime());
      next++;
    }
  }
  for (const [sequence, { id, line }] of entries)
    found("entry_inserted", `line ${line} (${id}), entry ${sequence}, which the chain does not have`);
  for (const { id, at, line } of unchained)
    if (at.getTime() < latest && isLate(at, new Date(checkpoint.at)))
      found("entry_inserted", `line ${line} (${id}), which is not in the chain`);
  const mismatchOf = (one: Checkpoint.View): string | undefined => {
    if (one.workspaceId !== workspaceId) return "is of another workspace";
    // Without entries since its beginning, a file has no links and proves nothing.
    if (one === checkpoint && links.length === 0) return undefined;
    if (one === checkpoint && one.sequence !== next - 1) return `is not of the last link, ${next - 1}`;
    const hashInFile = hashes.get(one.sequence);
    if (hashInFile === undefined) return "is of an entry outside of the chain of the file";
    return hashInFile === one.hash ? undefined : "has another hash than the chain of the file";
  };
  for (const one of [checkpoint, ...checkpoints]) {
    const subject = `checkpoint of ${one.at}, entry ${one.sequence},`;
    const mismatch = mismatchOf(one);
    if (mismatch) found("checkpoint_mismatch", `${subject} ${mismatch}`);
    const key = publicKeys.size > 0 ? publicKeys.get(one.keyId) : one.publicKey;
    if (key === undefined) found("checkpoint_signature", `${subject} has the unknown key ${one.keyId}`);
    else if (!Checkpoint.isSignedBy(key, one))
      found("checkpoint_signature", `${subject} was not signed with the key ${one.keyId}`);
  }
}
