import type { Actor } from "../base/actor.ts";
import * as Clock from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import * as Event from "../event/event.ts";
import { transaction } from "../platform/db/transaction.ts";
import { log } from "../platform/log/log.ts";
import * as IpRanges from "../platform/net/ip-ranges.ts";

/** The list of a workspace as the admission reads it: null when it is off. */
export type Entries = readonly { cidr: string }[] | null;

/**
 * Let a call through that comes from where the workspace may be reached. An administrator with an emergency session passes
 * too. Throws 403 `ip_not_allowed`, and writes down that it did.
 */
export async function pass(
  actor: Actor,
  workspace: { id: string; name: string; mayBypass: boolean },
  entries: Entries,
  now: Date = Clock.now(),
): Promise<void> {
  if (!entries) return;
  const networks = entries.map(({ cidr }) => cidr);
  if (IpRanges.includesIp(networks, actor.ip)) return;
  if (workspace.mayBypass && actor.bypassUntil && actor.bypassUntil > now) return;
  await denied(actor, workspace, now);
  throw new Fault("forbidden", "ip_not_allowed", "This workspace cannot be reached from your address.");
}

/** The refusal stands even when it cannot be written down. */
async function denied(actor: Actor, { id, name }: { id: string; name: string }, now: Date): Promise<void> {
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
    log.error("refusal not recorded", { requestId: actor.requestId, error: error as Error });
  }
}
