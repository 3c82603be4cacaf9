/** The route that a request belongs to, and the values of its path's parameters. */
export type Match = { routeKey: string; pathParameters: Record<string, string> };

type Segment = { kind: "exact" | "parameter" | "greedy"; name: string };

type Line = { routeKey: string; method: string; segments: Segment[] };

const rank = { exact: 0, parameter: 1, greedy: 2 };

/**
 * Finds routes the way an HTTP API does: of those that fit, the one with an exact segment before one with `{name}`, that
 * before the greedy `{name+}`, a named method before ANY, and `$default` when none fits. Undefined when there is no
 * `$default` either. The path is as on the request line; its segments are compared and handed on decoded. Throws
 * URIError when one cannot be decoded.
 */
export function matcher(routeKeys: readonly string[]): (method: string, path: string) => Match | undefined {
  const lines = routeKeys
    .filter((key) => key !== "$default")
    .map(parsed)
    .sort(bySpecificity);
  const fallback = routeKeys.includes("$default") ? { routeKey: "$default", pathParameters: {} } : undefined;
  return (method, path) => {
    const segments = path.slice(1).split("/").map(decodeURIComponent);
    for (const line of lines) {
      if (line.method !== method && line.method !== "ANY") continue;
      const pathParameters = fit(line.segments, segments);
      if (pathParameters) return { routeKey: line.routeKey, pathParameters };
    }
    return fallback;
  };
}

function parsed(routeKey: string): Line {
  const [method = "", path = ""] = routeKey.split(" ");
  const segments = path
    .slice(1)
    .split("/")
    .map((text): Segment => {
      const [, name, plus] = /^\{([\w-]+)(\+?)\}$/.exec(text) ?? [];
      return name ? { kind: plus ? "greedy" : "parameter", name } : { kind: "exact", name: text };
    });
  return { routeKey, method, segments };
}

function bySpecificity(a: Line, b: Line): number {
  for (const [at, { kind }] of a.segments.entries()) {
    const other = b.segments[at];
    if (!other) break;
    if (kind !== other.kind) return rank[kind] - rank[other.kind];
  }
  return b.segments.length - a.segments.length || Number(a.method === "ANY") - Number(b.method === "ANY");
}

function fit(pattern: readonly Segment[], path: readonly string[]): Record<string, string> | undefined {
  const values: [string, string][] = [];
  for (const [at, { kind, name }] of pattern.entries()) {
    const value = kind === "greedy" ? path.slice(at).join("/") : path[at];
    if (kind === "exact" ? value !== name : !value) return undefined;
    if (kind !== "exact") values.push([name, value ?? ""]);
    if (kind === "greedy") return Object.fromEntries(values);
  }
  return path.length === pattern.length ? Object.fromEntries(values) : undefined;
}
