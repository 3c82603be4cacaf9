import * as z from "zod/mini";
import type { Actor } from "../base/actor.ts";
import * as Clock from "../base/clock.ts";
import { Timezone } from "../base/day.ts";
import { Name } from "../base/text.ts";
import type { DataOf } from "../event/catalog.ts";
import * as Event from "../event/event.ts";
import * as Currency from "../money/currency.ts";
import { db } from "../platform/db/engine.ts";
import { transaction } from "../platform/db/transaction.ts";
import { type Membership, Plan, Role } from "./authorization.ts";

/** A workspace as its members see it. `weekStart`: 1 is Monday, 7 is Sunday (ISO 8601). */
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

/** The workspace of the caller's membership. */
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
 * Change what is given and keep the rest; a new base currency is an event of its own, `currency.changed`. What is so
 * already records nothing. Throws 422 `currency_unsupported`.
 */
export async function update(
  actor: Actor,
  membership: Membership,
  { name, baseCurrency, timezone, weekStart }: Update,
  now: Date = Clock.now(),
): Promise<View> {
  if (baseCurrency !== undefined) Currency.requireSupported(baseCurrency, { pointer: "/baseCurrency" });
  const { workspaceId } = membership;
  await transaction(async (tx) => {
    const row = await tx
      .selectFrom("workspaces")
      .selectAll()
      .where("id", "=", workspaceId)
      .executeTakeFirstOrThrow();
    const before = {
      name: row.name,
      timezone: row.timezone,
      weekStart: row.week_start,
      baseCurrency: row.base_currency,
    };
    const after = {
      name: name ?? before.name,
      timezone: timezone ?? before.timezone,
      weekStart: weekStart ?? before.weekStart,
      baseCurrency: baseCurrency ?? before.baseCurrency,
    };
    const { baseCurrency: base, ...changes } = differences(before, after);
    if (!base && Object.keys(changes).length === 0) return;
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
    const target = { type: "workspace", id: workspaceId, name: after.name } as const;
    if (Object.keys(changes).length > 0)
      await Event.record(tx, actor, { action: "workspace.updated", target, workspaceId, changes }, now);
    if (base) {
      const data: DataOf<"currency.changed"> = {
        changed: "base_currency",
        currency: after.baseCurrency,
        before: before.baseCurrency,
        after: after.baseCurrency,
      };
      const recorded = { target, workspaceId, changes: { baseCurrency: base }, data };
      await Event.publish(tx, actor, { action: "currency.changed", ...recorded }, now);
    }
  });
  return get(membership);
}

function differences<T extends object>(before: T, after: T): Partial<Record<keyof T, Event.Change>> {
  const names = (Object.keys(after) as (keyof T)[]).filter((name) => before[name] !== after[name]);
  return Object.fromEntries(
    names.map((name) => [name, { before: before[name], after: after[name] }]),
  ) as Partial<Record<keyof T, Event.Change>>;
}
