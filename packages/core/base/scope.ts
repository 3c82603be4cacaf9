import type { Actor } from "./actor.ts";
import { Fault } from "./fault.ts";

/** What an API token may do; each includes the ones before it. `admin` is for what needs the role admin or owner. */
export const scopes = ["read", "write", "admin"] as const;
export type Scope = (typeof scopes)[number];

/** Throws 403 `insufficient_scope` when a program calls whose token does not reach as far. People may do what their role allows. */
export function demand({ grant }: Pick<Actor, "grant">, scope: Scope): void {
  const needed = scopes.indexOf(scope);
  if (!grant || grant.scopes.some((given) => scopes.indexOf(given as Scope) >= needed)) return;
  throw new Fault("forbidden", "insufficient_scope", `This needs a token with the scope ${scope}.`);
}
