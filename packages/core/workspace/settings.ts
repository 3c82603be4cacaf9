import type { Selectable } from "kysely";
import * as z from "zod/mini";
import type { Actor } from "../base/actor.ts";
import * as Clock from "../base/clock.ts";
import { CurrencyCode } from "../base/currency-code.ts";
import { Timezone } from "../base/day.ts";
import { Day } from "../base/day-bounds.ts";
import { Fault } from "../base/fault.ts";
import { Id } from "../base/id.ts";
import { type IfMatch, requireMatch } from "../base/if-match.ts";
import { Instant } from "../base/instant.ts";
import { Name } from "../base/text.ts";
import type { DataOf } from "../event/catalog.ts";
import * as Event from "../event/event.ts";
import * as Currency from "../money/currency.ts";
import * as PeriodLock from "../money/period-lock.ts";
import { db, type Reader, type Tx } from "../platform/db/engine.ts";
import type { Workspaces } from "../platform/db/schema.ts";
import { transaction } from "../platform/db/transaction.ts";
import { changed, executeUnlessChanged, versionOf } from "../platform/db/version.ts";
import { type Membership, Plan, Role, requirePlanAndRole } from "./authorization.ts";
import { hasSecondFactor } from "./second-factor.ts";

/**
 * A workspace with its settings. `weekStart` is 1 for Monday to 7 for Sunday (ISO 8601). Without `membersSeeMoney`, members see
 * no hourly rates and budgets, and only the amounts on their own time entries. `requireTwoFactor` is enforced while the
 * workspace is on the ENTERPRISE plan. `lockedUntil` is the last day, in the time zone of the workspace, on which nothing may
 * change; it binds while the workspace is on the ENTERPRISE plan.
 */
export const View = z.object({
  id: Id,
  name: z.string(),
  plan: Plan,
  role: Role,
  baseCurrency: CurrencyCode,
  timezone: z.string(),
  weekStart: z.int(),
  membersSeeMoney: z.boolean(),
  requireTwoFactor: z.boolean(),
  lockedUntil: z.nullable(Day),
  createdAt: Instant,
  updatedAt: Instant,
  /** The ETag without its quotes. */
  version: z.string(),
});
export type View = z.infer<typeof View>;

export const Update = z.partial(
  z.object({
    name: Name,
    baseCurrency: CurrencyCode,
    timezone: Timezone,
    weekStart: z.int().check(z.gte(1), z.lte(7)),
    membersSeeMoney: z.boolean(),
    requireTwoFactor: z.boolean(),
    lockedUntil: z.nullable(Day),
  }),
);
export type Update = z.infer<typeof Update>;

/**
 * Returns whether a body, which may be malformed, requests features of the ENTERPRISE plan. Each can always be turned off, and
 * stay as it is.
 */
export function isEnterprise(
  { requireTwoFactor }: Record<string, unknown>,
  { requiresTwoFactor }: Membership,
): boolean {
  return (
    requireTwoFactor !== undefined && requireTwoFactor !== false && requireTwoFactor !== requiresTwoFactor
  );
}

/** Returns the workspace of the caller's membership. */
export async function get({ workspaceId, role }: Membership): Promise<View> {
  return view(await load(db(), workspaceId), role);
}

function load(reader: Reader, workspaceId: string): Promise<Row> {
  return reader.selectFrom("workspaces").selectAll().where("id", "=", workspaceId).executeTakeFirstOrThrow();
}

type Row = Selectable<Workspaces>;

function view(row: Row, role: Role): View {
  return {
    id: row.id,
    name: row.name,
    plan: row.plan as Plan,
    role,
    baseCurrency: row.base_currency,
    timezone: row.timezone,
    weekStart: row.week_start,
    membersSeeMoney: row.members_see_money !== false,
    requireTwoFactor: row.require_two_factor === true,
    lockedUntil: row.locked_until,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    version: versionOf(row, role),
  };
}

/**
 * Updates the given settings. Records `workspace.updated`, and `currency.changed` for a new base currency; values that stay
 * the same record nothing. Throws `invalid` `currency_unsupported`, `stale` `changed_meanwhile`, `forbidden`
 * `two_factor_required` if the caller requires a second factor but has none, `forbidden` `plan_upgrade_required` for a lock,
 * `conflict` `period_locked` for a new time zone or base currency while a lock stands, and what `PeriodLock.move` throws.
 */
export async function update(
  actor: Actor,
  membership: Membership,
  input: Update,
  ifMatch?: IfMatch,
  now: Date = Clock.now(),
): Promise<View> {
  const { workspaceId, role } = membership;
  return transaction(async (tx) => {
    const row = await load(tx, workspaceId);
    const current = view(row, role);
    await requireMatch(ifMatch, current.version, () => current);
    const before = valuesOf(current);
    const { baseCurrency = before.baseCurrency, requireTwoFactor = false } = input;
    if (baseCurrency !== before.baseCurrency)
      Currency.requireSupported(baseCurrency, { pointer: "/baseCurrency" });
    if (requireTwoFactor && !before.requireTwoFactor) await requireOwnSecondFactor(tx, actor);
    const after = {
      name: input.name ?? before.name,
      timezone: input.timezone ?? before.timezone,
      weekStart: input.weekStart ?? before.weekStart,
      baseCurrency,
      membersSeeMoney: input.membersSeeMoney ?? before.membersSeeMoney,
      requireTwoFactor: input.requireTwoFactor ?? before.requireTwoFactor,
      lockedUntil: input.lockedUntil === undefined ? before.lockedUntil : input.lockedUntil,
    };
    const changes = differences(before, after);
    if (Object.keys(changes).length === 0) return current;
    await requireUnlocked(tx, membership, before, after, now);
    const written = tx
      .updateTable("workspaces")
      .set({
        name: after.name,
        timezone: after.timezone,
        week_start: after.weekStart,
        base_currency: after.baseCurrency,
        members_see_money: after.membersSeeMoney,
        require_two_factor: after.requireTwoFactor,
        locked_until: after.lockedUntil,
        ...changed(now),
      })
      .where("id", "=", workspaceId)
      .where("version", "is not distinct from", row.version)
      .returningAll();
    const stored = await executeUnlessChanged(written);
    await recordChanges(tx, actor, workspaceId, { before, after, changes }, now);
    return view(stored, role);
  });
}

type Values = {
  name: string;
  timezone: string;
  weekStart: number;
  baseCurrency: string;
  membersSeeMoney: boolean;
  requireTwoFactor: boolean;
  lockedUntil: string | null;
};

type Changes = Partial<Record<keyof Values, Event.Change>>;

function valuesOf(view: View): Values {
  const { name, timezone, weekStart, baseCurrency, membersSeeMoney, requireTwoFactor, lockedUntil } = view;
  return { name, timezone, weekStart, baseCurrency, membersSeeMoney, requireTwoFactor, lockedUntil };
}

/**
 * Moves the lock, if its day changes, and otherwise requires that no locked day gets another start or currency. Lifting a lock
 * may go with such a change.
 */
async function requireUnlocked(
  tx: Tx,
  membership: Membership,
  before: Values,
  after: Values,
  now: Date,
): Promise<void> {
  const { workspaceId, plan } = membership;
  const moved = before.timezone !== after.timezone || before.baseCurrency !== after.baseCurrency;
  if (moved && plan === "ENTERPRISE" && before.lockedUntil !== null && after.lockedUntil !== null)
    throw PeriodLock.periodLocked(
      before.lockedUntil,
      `The days until ${before.lockedUntil} are locked, so time zone and base currency cannot change. Lift the lock first.`,
    );
  if (before.lockedUntil === after.lockedUntil) return;
  if (after.lockedUntil !== null) requirePlanAndRole(membership, { plan: "ENTERPRISE" });
  const lock = { before: before.lockedUntil, after: after.lockedUntil, timezone: after.timezone };
  await PeriodLock.move(tx, workspaceId, lock, now);
}

/** Throws `forbidden` `two_factor_required` if the caller has no second factor. */
async function requireOwnSecondFactor(tx: Tx, { userId }: Actor): Promise<void> {
  const { found } = await tx.selectNoFrom(hasSecondFactor(userId).as("found")).executeTakeFirstOrThrow();
  if (!found)
    throw new Fault(
      "forbidden",
      "two_factor_required",
      "Set up two-factor authentication for your own account first. Then require it of all members.",
    );
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
