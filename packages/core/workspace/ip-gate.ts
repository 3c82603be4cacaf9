import type { Actor } from "../base/actor.ts";
import * as Clock from "../base/clock.ts";
import * as Event from "../event/event.ts";
import * as IpRanges from "../platform/net/ip-ranges.ts";

/** The enabled IP allowlist of a workspace, or null if it is disabled. */
export type AllowedRanges = readonly { cidr: string }[] | null;

/**
 * Returns whether a workspace's IP allowlist allows the call. Admins with an emergency session bypass it. Records
 * `security.ip_denied` if it does not.
 */
export async function allows(
  actor: Actor,
  workspace: { id: string; name: string; mayBypass: boolean },
  allowed: AllowedRanges,
  now: Date = Clock.now(),
): Promise<boolean> {
  if (!allowed) return true;
  const networks = allowed.map(({ cidr }) => cidr);
  if (IpRanges.includesIp(networks, actor.ip)) return true;
  if (workspace.mayBypass && actor.bypassUntil && actor.bypassUntil > now) return true;
  const { id, name } = workspace;
  const target = { type: "workspace", id, name } as const;
  const denial = { action: "security.ip_denied", target, details: {}, workspaceId: id } as const;
  await Event.recordFailure(actor, denial, now);
  return false;
}
