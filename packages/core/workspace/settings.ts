import * as z from "zod/mini";
import type { Actor } from "../base/actor.ts";
import * as Clock from "../base/clock.ts";
import { Timezone } from "../base/day.ts";
import { Name } from "../base/text.ts";
import type { DataOf } from "../event/catalog.ts";
import * as Event from "../event/event.ts";
import * as Currency from "../money/currency.ts";
import { db, type Tx } from "../platform/db/engine.ts";
import { transaction } from "../platform/db/transaction.ts";
import { type Membership, Plan, Role } from "./authorization.ts";

/** A workspace with its settings. `weekStart` is 1 for Monday to 7 for Sunday (ISO 8601). */
export const View = z.object({
  id: z.string(),
  name: z.string(),
  plan: Plan,
  role: Role,
  baseCurrency: z.string(),
  timezone: z.string(),
  weekStart: z.int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type View = z.infer<typeof View>;

export const Update = z.partial(
  z.object({
    name: Name,
    baseCurrency: z.string(),
    timezone: Timezone,
    weekStart: z.int().check(z.gte(1), z.lte(7)),
  }),
);
export type Update = z.infer<typeof Update>;

/** Returns the workspace of the caller's membership. */
export async function get({ workspaceId, plan, role }: Membership): Promise<View> {
  const row = await db()
    .selectFrom("workspaces")
    .selectAll()
    .where("id", "=", workspaceId)
    .executeTakeFirstOrThrow();
  return {
    id: row.id,
    name: row.name,
    plan,
    role,
    baseCurrency: row.base_currency,
    timezone: row.timezone,
    weekStart: row.week_start,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/**
 * Updates the given settings. Records `workspace.updated`, and `currency.changed` for a new base currency; values that stay
 * the same record nothing. Throws `invalid` `currency_unsupported`.
 */
export async function update(
  actor: Actor,
  membership: Membership,
  input: Update,
  now: Date = Clock.now(),
): Promise<View> {
  if (input.baseCurrency !== undefined)
    Currency.requireSupported(input.baseCurrency, { pointer: "/baseCurrency" });
  const { workspaceId } = membership;
  await transaction(async (tx) => {
    const before = await load(tx, workspaceId);
    const after = {
      name: input.name ?? before.name,
      timezone: input.timezone ?? before.timezone,
      weekStart: input.weekStart ?? before.weekStart,
      baseCurrency: input.baseCurrency ?? before.baseCurrency,
    };
    const changes = differences(before, after);
    if (Object.keys(changes).length === 0) return;
    await tx
      .updateTable("workspaces")
      .set({
        name: after.name,
        timezone: after.timezone,
        week_start: after.weekStart,
        base_currency: after.baseCurrency,
        updated_at: now,
      })
      .where("id", "=", workspaceId)
      .execute();
    await recordChanges(tx, actor, workspaceId, { before, after, changes }, now);
  });
  return get(membership);
}

type Values = { name: string; timezone: string; weekStart: number; baseCurrency: string };

type Changes = Partial<Record<keyof Values, Event.Change>>;

async function load(tx: Tx, workspaceId: string): Promise<Values> {
  return tx
    .selectFrom("workspaces")
    .select(["name", "timezone", "week_start as weekStart", "base_currency as baseCurrency"])
    .where("id", "=", workspaceId)
    .executeTakeFirstOrThrow();
}

async function recordChanges(
  tx: Tx,
  actor: Actor,
  workspaceId: string,
  { before, after, changes: all }: { before: Values; after: Values; changes: Changes },
  now: Date,
): Promise<void> {
  const { baseCurrency, ...changes } = all;
  const target = { type: "workspace", id: workspaceId, name: after.name } as const;
  if (Object.keys(changes).length > 0)
    await Event.record(tx, actor, { action: "workspace.updated", target, workspaceId, changes }, now);
  if (!baseCurrency) return;
  const data: DataOf<"currency.changed"> = {
    changed: "base_currency",
    currency: after.baseCurrency,
    before: before.baseCurrency,
    after: after.baseCurrency,
  };
  const recorded = { target, workspaceId, changes: { baseCurrency }, data };
  await Event.publish(tx, actor, { action: "currency.changed", ...recorded }, now);
}

function differences(before: Values, after: Values): Changes {
  const names = (Object.keys(after) as (keyof Values)[]).filter((name) => before[name] !== after[name]);
  return Object.fromEntries(names.map((name) => [name, { before: before[name], after: after[name] }]));
}
