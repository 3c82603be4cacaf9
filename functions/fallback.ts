import { api } from "./http/api.ts";
import { preflight } from "./http/cors.ts";
import { problemReply } from "./http/faults.ts";
import { routes } from "./routes.ts";

/** Paths of the table, as patterns, with the methods that each has. */
const known = table(Object.keys(routes));

/** What no route answers: 404 for an unknown path, 405 with Allow for a known one, and the browser's preflight. */
export const handler = api({ summary: "Every other path", returns: {} }).handler(
  async ({ event }) => event,
  (event, { origin }) => {
    const { method } = event.requestContext.http;
    const methods = known.filter(({ path }) => path.test(event.rawPath)).flatMap(({ methods }) => methods);
    const members = { instance: event.rawPath, requestId: origin.requestId };
    if (methods.length === 0)
      return problemReply(404, "Not Found", {
        ...members,
        code: "route_not_found",
        detail: "There is nothing at this path.",
      });
    if (method === "OPTIONS") return { status: 204, headers: preflight(event.headers.origin, methods) };
    const reply = problemReply(405, "Method Not Allowed", {
      ...members,
      code: "method_not_allowed",
      detail: `This path takes ${methods.join(", ")}.`,
    });
    return { ...reply, headers: { ...reply.headers, allow: methods.join(", ") } };
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
