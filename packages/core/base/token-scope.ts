import type { Actor, Grant } from "./actor.ts";
import { Fault } from "./fault.ts";

/** The scopes of API tokens, in ascending order: each includes the ones before it. */
export const scopes = ["read", "write", "admin"] as const;
export type TokenScope = (typeof scopes)[number];

/** Returns whether an API token has this scope or one that includes it. */
export function hasScope({ scopes: granted }: Grant, scope: TokenScope): boolean {
  const needed = scopes.indexOf(scope);
  return granted.some((given) => scopes.indexOf(given as TokenScope) >= needed);
}

/** Throws `forbidden` `insufficient_scope` if the caller uses an API token below this scope. Sessions always pass. */
export function requireScope({ grant }: Pick<Actor, "grant">, scope: TokenScope): void {
  if (!grant || hasScope(grant, scope)) return;
  throw new Fault(
    "forbidden",
    "insufficient_scope",
    `This request requires an API token with the scope ${scope}.`,
  );
}
