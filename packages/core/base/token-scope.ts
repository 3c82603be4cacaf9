import type { Actor } from "./actor.ts";
import { Fault } from "./fault.ts";

/** The scopes of API tokens, in ascending order: each includes the ones before it. */
export const scopes = ["read", "write", "admin"] as const;
export type TokenScope = (typeof scopes)[number];

/** Throws `forbidden` `insufficient_scope` if the caller uses an API token below this scope. Sessions always pass. */
export function requireScope({ grant }: Pick<Actor, "grant">, scope: TokenScope): void {
  const needed = scopes.indexOf(scope);
  if (!grant || grant.scopes.some((given) => scopes.indexOf(given as TokenScope) >= needed)) return;
  throw new Fault(
    "forbidden",
    "insufficient_scope",
    `This request requires an API token with the scope ${scope}.`,
  );
}
