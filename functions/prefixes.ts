import { routes } from "./routes.ts";

/**
 * The first path segments of the API. The router forwards them to it, so no page of the web client may start with one. Below
 * `.well-known`, a page would read as the file that a client looks for there, such as the configuration of a protocol.
 */
export const apiPrefixes: readonly string[] = [
  ...new Set(Object.keys(routes).flatMap((key) => /^\w+ \/([^/]+)/.exec(key)?.[1] ?? [])),
  ".well-known",
];
