import type { Handler } from "../http/api.ts";
import { load } from "../load.ts";
import { type Route, routes } from "../routes.ts";
import { describe } from "./describe.ts";

/** Returns the OpenAPI document that the handlers describe now. */
export async function current(): Promise<object> {
  const handlers: Record<string, Handler> = {};
  for (const [key, { handler }] of Object.entries<Route>(routes))
    handlers[key] = await load<Handler>(handler);
  return describe(routes, handlers);
}
