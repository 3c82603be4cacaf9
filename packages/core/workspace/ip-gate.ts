import type { Actor } from "../base/actor.ts";
import * as Clock from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import * as Event from "../event/event.ts";
import { transaction } from "../platform/db/transaction.ts";
import { log } from "../platform/log/log.ts";
import * as IpRanges from "../platform/net/ip-ranges.ts";

/** The enabled IP allowlist of a workspace, or null if it is disabled. */
export type AllowedRanges = readonly { cidr: string }[] | null;

/**
 * Enforces a workspace's IP allowlist. Admins with an emergency session bypass it. Throws `forbidden` `ip_not_allowed` and
 * records `security.ip_denied`.
 */
export async function enforce(
  actor: Actor,
  workspace: { id: string; name: string; mayBypass: boolean },
  allowed: AllowedRanges,
  now: Date = Clock.now(),
): Promise<void> {
  if (!allowed) return;
  const networks = allowed.map(({ cidr }) => cidr);
  if (IpRanges.includesIp(networks, actor.ip)) return;
  if (workspace.mayBypass && actor.bypassUntil && actor.bypassUntil > now) return;
  await recordDenial(actor, workspace, now);
  throw new Fault(
    "forbidden",
    "ip_not_allowed",
    "This workspace does not allow access from your IP address.",
  );
}

/** Records the denial. If recording fails, the call is still denied. */
async function recordDenial(
  actor: Actor,
  { id, name }: { id: string; name: string },
  now: Date,
): Promise<void> {
  const target = { type: "workspace", id, name } as const;
  try {
    await transaction((tx) =>
      Event.record(
        tx,
        actor,
        { action: "security.ip_denied", target, workspaceId: id, outcome: "failure" },
        now,
      ),
    );
  } catch (error) {
    log.error("ip denial not recorded", { requestId: actor.requestId, error: error as Error });
  }
}
