import * as z from "zod/mini";
import type { Actor } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { singleLine } from "../../base/text.ts";
import * as Event from "../../event/event.ts";
import { db, type Reader, type Tx } from "../../platform/db/engine.ts";
import { transaction } from "../../platform/db/transaction.ts";
import * as IpRanges from "../../platform/net/ip-ranges.ts";
import type { Membership } from "../../workspace/authorization.ts";
import * as Factors from "../factors/factors.ts";

export const maxEntries = 200;

const Cidr = z.string().check(
  z.trim(),
  z.maxLength(50),
  z.refine(
    (text) => IpRanges.parseNetwork(text) !== undefined,
    "Must be an IPv4 or IPv6 address or range that does not include every address.",
  ),
);

export const Allowlist = z.object({
  enabled: z.boolean(),
  entries: z
    .array(z.object({ cidr: Cidr, label: z._default(singleLine(0, 100), "") }))
    .check(z.maxLength(maxEntries)),
});
export type Allowlist = z.infer<typeof Allowlist>;

const Warning = z.object({ code: z.literal("bypass_unavailable"), detail: z.string() });

export const View = z.object({
  enabled: z.boolean(),
  entries: z.array(z.object({ cidr: z.string(), label: z.string() })),
  warnings: z.array(Warning),
});
export type View = z.infer<typeof View>;

/** Returns the workspace's IP allowlist. It is disabled and empty by default. */
export async function get({ workspaceId }: Membership): Promise<View> {
  const row = await db()
    .selectFrom("ip_allowlists")
    .select(["enabled", "entries"])
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst();
  const list = { enabled: row?.enabled ?? false, entries: row?.entries ?? [] };
  return { ...list, warnings: await warnings(db(), workspaceId, list.enabled) };
}

/**
 * Replaces the workspace's IP allowlist. While it is enabled, calls from other IP addresses are rejected. Warns if no
 * admin could use the emergency bypass. Throws `conflict` `would_lock_you_out` if the list would block the caller.
 */
export async function put(
  actor: Actor,
  { workspaceId }: Membership,
  { enabled, entries: given }: Allowlist,
  now: Date = Clock.now(),
): Promise<View> {
  const entries = given.flatMap(({ cidr, label }) => {
    const network = IpRanges.parseNetwork(cidr);
    return network ? [{ cidr: IpRanges.formatNetwork(network), label }] : [];
  });
  const networks = entries.map(({ cidr }) => cidr);
  if (enabled && !IpRanges.includesIp(networks, actor.ip))
    throw new Fault(
      "conflict",
      "would_lock_you_out",
      `Your IP address, ${actor.ip}, is not on this list. Add it, then enable the list.`,
    );
  await transaction((tx) => store(tx, actor, workspaceId, { enabled, entries }, now));
  return { enabled, entries, warnings: await warnings(db(), workspaceId, enabled) };
}

async function store(
  tx: Tx,
  actor: Actor,
  workspaceId: string,
  { enabled, entries }: Allowlist,
  now: Date,
): Promise<void> {
  const before = await tx
    .selectFrom("ip_allowlists")
    .select(["enabled", "entries"])
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst();
  const values = { enabled, entries: JSON.stringify(entries), updated_at: now };
  await tx
    .insertInto("ip_allowlists")
    .values({ workspace_id: workspaceId, ...values })
    .onConflict((conflict) => conflict.column("workspace_id").doUpdateSet(values))
    .execute();
  const { name } = await tx
    .selectFrom("workspaces")
    .select("name")
    .where("id", "=", workspaceId)
    .executeTakeFirstOrThrow();
  const changes = {
    enabled: { before: before?.enabled ?? false, after: enabled },
    entries: { before: before?.entries ?? [], after: entries },
  };
  const target = { type: "workspace", id: workspaceId, name } as const;
  const action = "security.ip_allowlist_changed";
  await Event.record(tx, actor, { action, target, workspaceId, changes }, now);
}

async function warnings(reader: Reader, workspaceId: string, enabled: boolean): Promise<View["warnings"]> {
  if (!enabled) return [];
  const admins = await reader
    .selectFrom("memberships")
    .select("user_id")
    .where("workspace_id", "=", workspaceId)
    .where("role", "in", ["admin", "owner"])
    .where("status", "=", "active")
    .execute();
  for (const { user_id } of admins) if (await Factors.enabled(reader, user_id)) return [];
  return [
    {
      code: "bypass_unavailable",
      detail:
        "No admin of this workspace has a second factor, so the emergency bypass is unavailable. If all listed IP addresses are lost, everyone is locked out. Turn on two-factor authentication for an admin.",
    },
  ];
}
