import { api } from "./http/api.ts";
import { preflight } from "./http/cors.ts";
import { problemReply } from "./http/faults.ts";
import { routes } from "./routes.ts";

/** The paths of the routes as patterns, with the methods of each. */
const known = table(Object.keys(routes));

/** Handles requests that match no route: 404 for an unknown path, 405 for a known one, and OPTIONS, both with Allow. */
export const handler = api({ summary: "Handle requests that match no route", returns: {} }).handler(
  async ({ event }) => event,
  (event, { origin }) => {
    const { method } = event.requestContext.http;
    const matching = known.filter(({ path }) => path.test(event.rawPath));
    // A path such as /api/v1/projects/recent is also one of /api/v1/projects/{id}.
    const methods = [...new Set(matching.flatMap(({ methods }) => methods))];
    const members = { instance: event.rawPath, requestId: origin.requestId };
    if (methods.length === 0)
      return problemReply(404, "Not Found", {
        ...members,
        code: "route_not_found",
        detail: "No endpoint exists at this path.",
      });
    const allow = [...methods, "OPTIONS"].join(", ");
    if (method === "OPTIONS")
      return { status: 204, headers: { ...preflight(event.headers.origin, methods), allow } };
    const reply = problemReply(405, "Method Not Allowed", {
      ...members,
      code: "method_not_allowed",
      detail: `This path supports ${allow}.`,
    });
    return { ...reply, headers: { ...reply.headers, allow } };
  },
);

function table(keys: readonly string[]): { path: RegExp; methods: string[] }[] {
  const byPath = new Map<string, string[]>();
  for (const key of keys) {
    const [method = "", path] = key.split(" ");
    if (path) byPath.set(path, [...(byPath.get(path) ?? []), method]);
  }
  return [...byPath].map(([path, methods]) => ({
    path: new RegExp(`^${path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`),
    methods,
  }));
}
