/** The route of a request and the values of its path parameters. */
export type Match = { routeKey: string; pathParameters: Record<string, string> };

type Segment = { kind: "exact" | "parameter" | "greedy"; name: string };

type Pattern = { routeKey: string; method: string; segments: Segment[] };

const rank = { exact: 0, parameter: 1, greedy: 2 };

/**
 * Returns a function that finds the route of a request as an HTTP API does. An exact segment takes precedence over `{name}`,
 * `{name}` over the greedy `{name+}`, and a method over ANY. Falls back to `$default`, or undefined without one. Expects the
 * encoded path, compares decoded segments, and returns decoded parameters. Throws URIError if a segment cannot be decoded.
 */
export function matcher(routeKeys: readonly string[]): (method: string, path: string) => Match | undefined {
  const patterns = routeKeys
    .filter((key) => key !== "$default")
    .map(parseRouteKey)
    .sort(bySpecificity);
  const fallback = routeKeys.includes("$default") ? { routeKey: "$default", pathParameters: {} } : undefined;
  return (method, path) => {
    const segments = path.slice(1).split("/").map(decodeURIComponent);
    for (const pattern of patterns) {
      if (pattern.method !== method && pattern.method !== "ANY") continue;
      const pathParameters = matchSegments(pattern.segments, segments);
      if (pathParameters) return { routeKey: pattern.routeKey, pathParameters };
    }
    return fallback;
  };
}

function parseRouteKey(routeKey: string): Pattern {
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

function bySpecificity(a: Pattern, b: Pattern): number {
  for (const [at, { kind }] of a.segments.entries()) {
    const other = b.segments[at];
    if (!other) break;
    if (kind !== other.kind) return rank[kind] - rank[other.kind];
  }
  return b.segments.length - a.segments.length || Number(a.method === "ANY") - Number(b.method === "ANY");
}

function matchSegments(
  pattern: readonly Segment[],
  path: readonly string[],
): Record<string, string> | undefined {
  const values: [string, string][] = [];
  for (const [at, { kind, name }] of pattern.entries()) {
    const value = kind === "greedy" ? path.slice(at).join("/") : path[at];
    if (kind === "exact" ? value !== name : !value) return undefined;
    if (kind !== "exact") values.push([name, value ?? ""]);
    if (kind === "greedy") return Object.fromEntries(values);
  }
  return path.length === pattern.length ? Object.fromEntries(values) : undefined;
}
