import * as z from "zod/mini";
import type { Actor } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { singleLine } from "../../base/text.ts";
import * as Event from "../../event/event.ts";
import { db, type Reader } from "../../platform/db/engine.ts";
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
    "Not an IPv4 or IPv6 address or CIDR range, or one that takes in every address.",
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

/** From where the workspace may be reached; off and empty until an admin says something else. */
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
 * Set the whole list. From the moment it is enabled, calls from elsewhere are refused. Throws 409 `would_lock_you_out` for
 * one that would refuse the caller. A list whose emergency way in cannot work is taken, with a warning.
 */
export async function put(
  actor: Actor,
  { workspaceId }: Membership,
  input: Allowlist,
  now: Date = Clock.now(),
): Promise<View> {
  const entries = input.entries.flatMap(({ cidr, label }) => {
    const network = IpRanges.parseNetwork(cidr);
    return network ? [{ cidr: IpRanges.formatNetwork(network), label }] : [];
  });
  const networks = entries.map(({ cidr }) => cidr);
  if (input.enabled && !IpRanges.includesIp(networks, actor.ip))
    throw new Fault(
      "conflict",
      "would_lock_you_out",
      `Your own address, ${actor.ip}, is not on this list. Add it, then enable the list.`,
    );
  await transaction(async (tx) => {
    const before = await tx
      .selectFrom("ip_allowlists")
      .select(["enabled", "entries"])
      .where("workspace_id", "=", workspaceId)
      .executeTakeFirst();
    const values = { enabled: input.enabled, entries: JSON.stringify(entries), updated_at: now };
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
      enabled: { before: before?.enabled ?? false, after: input.enabled },
      entries: { before: before?.entries ?? [], after: entries },
    };
    const target = { type: "workspace", id: workspaceId, name } as const;
    await Event.record(
      tx,
      actor,
      { action: "security.ip_allowlist_changed", target, workspaceId, changes },
      now,
    );
  });
  return {
    enabled: input.enabled,
    entries,
    warnings: await warnings(db(), workspaceId, input.enabled),
  };
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
        "No admin of this workspace has a second factor, so the emergency bypass cannot work: whoever loses these addresses is locked out. Turn on a second factor.",
    },
  ];
}
