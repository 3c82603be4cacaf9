import { routes } from "./routes.ts";

/** The first segments of the API's paths: what the router hands on to it. No page of the web client may begin so. */
export const apiPrefixes: readonly string[] = [
  ...new Set(Object.keys(routes).flatMap((key) => /^\w+ \/([^/]+)/.exec(key)?.[1] ?? [])),
];
