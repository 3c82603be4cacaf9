import { posix } from "node:path";

/** The top folders of packages/core, lowest first. Each one imports only from itself and from earlier ones. */
export const layers = [
  "base",
  "platform",
  "event",
  "avatar",
  "money",
  "workspace",
  "identity",
  "tracking",
  "report",
  "webhook",
  "audit",
  "consent",
  "lifecycle",
] as const;

/** One import of another file of core, by its path within core. */
export type Import = { file: string; line: number; target: string };

const specifier = /(?:\bfrom\s*|\bimport\s*\(?\s*)"(\.{1,2}\/[^"]+)"/g;

/** Finds the relative imports and re-exports of a file, those of types included. `file` is its path within core. */
export function importsOf(file: string, source: string): Import[] {
  return [...source.matchAll(specifier)].map((match) => ({
    file,
    line: source.slice(0, match.index + match[0].length).split("\n").length,
    target: posix.join(posix.dirname(file), match[1] ?? ""),
  }));
}

/** Returns a sentence for each import that runs against the order of layers, with file and line. */
export function againstOrder(imports: readonly Import[]): string[] {
  return imports
    .filter(({ file, target }) => rank(target) > rank(file) || rank(target) === -1)
    .map(
      ({ file, line, target }) => `packages/core/${file}:${line} imports ${target}, which is not below it`,
    );
}

function rank(path: string): number {
  return (layers as readonly string[]).indexOf(path.split("/")[0] ?? "");
}

/** Returns the folders that import each other in a circle, each circle as one list; empty when there are none. */
export function folderCycles(imports: readonly Import[]): string[][] {
  const edges = new Map<string, Set<string>>();
  for (const { file, target } of imports) {
    const [from, to] = [posix.dirname(file), posix.dirname(target)];
    if (from !== to) edges.set(from, (edges.get(from) ?? new Set()).add(to));
  }
  const reachable = (start: string): Set<string> => {
    const seen = new Set<string>();
    const queue = [...(edges.get(start) ?? [])];
    for (let next = queue.pop(); next !== undefined; next = queue.pop())
      if (!seen.has(next)) {
        seen.add(next);
        queue.push(...(edges.get(next) ?? []));
      }
    return seen;
  };
  const reach = new Map([...edges.keys()].map((folder) => [folder, reachable(folder)]));
  const inCycle = [...reach].filter(([folder, seen]) => seen.has(folder)).map(([folder]) => folder);
  const circles = inCycle.map((folder) =>
    inCycle.filter((other) => reach.get(folder)?.has(other) && reach.get(other)?.has(folder)).sort(),
  );
  return [...new Map(circles.map((circle) => [circle.join(), circle])).values()];
}
