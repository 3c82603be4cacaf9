import * as z from "zod/mini";
import type { Actor } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { type IfMatch, requireMatch } from "../../base/if-match.ts";
import { singleLine } from "../../base/text.ts";
import * as Event from "../../event/event.ts";
import { db, type Reader, type Tx } from "../../platform/db/engine.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { changed, executeUnlessChanged, versionOf } from "../../platform/db/version.ts";
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
  z.meta({
    description: "An IP address, or a range in CIDR notation.",
    examples: ["203.0.113.0/24", "2001:db8::/32"],
  }),
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
  /** The ETag without its quotes. */
  version: z.string(),
});
export type View = z.infer<typeof View>;

/** Returns the workspace's IP allowlist. It is disabled and empty by default. */
export async function get({ workspaceId }: Pick<Membership, "workspaceId">): Promise<View> {
  return view(db(), workspaceId, await load(db(), workspaceId));
}

type Stored = Allowlist & { version: string | null };

async function load(reader: Reader, workspaceId: string): Promise<Stored> {
  const row = await reader
    .selectFrom("ip_allowlists")
    .select(["enabled", "entries", "version"])
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst();
  return row ?? { enabled: false, entries: [], version: null };
}

async function view(reader: Reader, workspaceId: string, stored: Stored): Promise<View> {
  const { enabled, entries, version } = stored;
  const found = await warnings(reader, workspaceId, enabled);
  return {
    enabled,
    entries,
    warnings: found,
    version: versionOf({ id: workspaceId, version }, ...found.map(({ code }) => code)),
  };
}

/**
 * Replaces the workspace's IP allowlist. While it is enabled, calls from other IP addresses are rejected. Warns if no
 * admin could use the emergency bypass. The same list records no event. Throws `conflict` `would_lock_you_out` if the list would
 * block the caller, and `stale` `changed_meanwhile`.
 */
export async function put(
  actor: Actor,
  { workspaceId }: Membership,
  { enabled, entries: given }: Allowlist,
  ifMatch?: IfMatch,
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
  const stored = await transaction((tx) => store(tx, actor, workspaceId, { enabled, entries }, ifMatch, now));
  return view(db(), workspaceId, stored);
}

async function store(
  tx: Tx,
  actor: Actor,
  workspaceId: string,
  { enabled, entries }: Allowlist,
  ifMatch: IfMatch | undefined,
  now: Date,
): Promise<Stored> {
  const before = await load(tx, workspaceId);
  if (ifMatch !== undefined) {
    const current = await view(tx, workspaceId, before);
    await requireMatch(ifMatch, current.version, () => current);
  }
  const changes = {
    enabled: { before: before.enabled, after: enabled },
    entries: { before: before.entries, after: entries },
  };
  const stays = Object.values(changes).every(
    (one) => JSON.stringify(one.before) === JSON.stringify(one.after),
  );
  if (stays) return before;
  const values = { enabled, entries: JSON.stringify(entries), ...changed(now) };
  const written = tx
    .insertInto("ip_allowlists")
    .values({ workspace_id: workspaceId, ...values })
    .onConflict((conflict) =>
      conflict
        .column("workspace_id")
        .doUpdateSet(values)
        .where("ip_allowlists.version", "is not distinct from", before.version),
    )
    .returning("version");
  const { version } = await executeUnlessChanged(written);
  const { name } = await tx
    .selectFrom("workspaces")
    .select("name")
    .where("id", "=", workspaceId)
    .executeTakeFirstOrThrow();
  const target = { type: "workspace", id: workspaceId, name } as const;
  const action = "security.ip_allowlist_changed";
  await Event.record(tx, actor, { action, target, workspaceId, changes }, now);
  return { enabled, entries, version };
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
