import * as z from "zod/mini";
import type { Actor } from "../base/actor.ts";
import * as Clock from "../base/clock.ts";
import { Day, dayIn } from "../base/day.ts";
import { Fault } from "../base/fault.ts";
import { invalid } from "../base/invalid.ts";
import { singleLine } from "../base/text.ts";
import type { DataOf } from "../event/catalog.ts";
import * as Event from "../event/event.ts";
import type { Reader, Tx } from "../platform/db/engine.ts";
import { transaction } from "../platform/db/transaction.ts";
import * as Currency from "./currency.ts";
import type { Override } from "./rate-selection.ts";
import * as Rational from "./rational.ts";

/** A workspace's override: `rate` units of `currency` for one unit of `base`, from `validFrom` to `validTo` (inclusive). */
export const View = z.object({
  currency: z.string(),
  base: z.string(),
  rate: z.string(),
  validFrom: Day,
  validTo: z.nullable(Day),
  reason: z.string(),
});
export type View = z.infer<typeof View>;

export const Put = z.object({
  rate: z.string().check(
    z.regex(/^\d{1,12}(?:\.\d{1,12})?$/, "Rate must be a decimal number such as 1.085."),
    z.refine((rate) => /[1-9]/.test(rate), "Rate must be greater than zero."),
  ),
  validFrom: z.optional(Day),
  validTo: z.optional(z.nullable(Day)),
  reason: singleLine(1, 500),
});
export type Put = z.infer<typeof Put>;

export const Remove = z.object({ valid_from: z.optional(Day) });
export type Remove = z.infer<typeof Remove>;

const columns = ["currency", "base", "rate", "valid_from", "valid_to", "reason"] as const;

/** Loads a workspace's overrides for `selectRate`. Without `currencies`, all are loaded. */
export async function load(
  reader: Reader,
  workspaceId: string,
  currencies?: readonly string[],
): Promise<Override[]> {
  let query = reader.selectFrom("rate_overrides").select(columns).where("workspace_id", "=", workspaceId);
  if (currencies) query = query.where("currency", "in", currencies);
  const rows = await query.orderBy("currency").orderBy("valid_from").execute();
  return rows.map(({ currency, base, rate, valid_from, valid_to }) => ({
    currency,
    base,
    rate: Rational.parse(rate),
    validFrom: valid_from,
    validTo: valid_to,
  }));
}

/**
 * Sets the workspace's override of a currency from a day on, by default from today in the workspace's time zone. Replaces an
 * override that begins on the same day; earlier ones stay valid until then. Setting the same override twice records no
 * second event. Throws `missing` `currency_not_found`, `conflict` `currency_is_base`, and `invalid` when the override ends
 * before it begins.
 */
export async function put(
  actor: Actor,
  { workspaceId }: { workspaceId: string },
  code: string,
  input: Put,
  now: Date = Clock.now(),
): Promise<View> {
  if (!Currency.isListed(code)) throw Currency.notFound();
  return transaction(async (tx) => {
    const override = await overrideFrom(tx, workspaceId, code, input, now);
    const [previous] = await views(tx, workspaceId, code, override.validFrom);
    if (previous && JSON.stringify(previous) === JSON.stringify(override)) return override;
    await save(tx, actor, workspaceId, override, now);
    await recordChange(tx, actor, workspaceId, code, previous ? [previous] : [], [override], now);
    return override;
  });
}

/** Completes and validates an override from the input. */
async function overrideFrom(
  tx: Tx,
  workspaceId: string,
  code: string,
  { rate, validFrom, validTo = null, reason }: Put,
  now: Date,
): Promise<View> {
  const { base_currency: base, timezone } = await tx
    .selectFrom("workspaces")
    .select(["base_currency", "timezone"])
    .where("id", "=", workspaceId)
    .executeTakeFirstOrThrow();
  if (code === base)
    throw new Fault(
      "conflict",
      "currency_is_base",
      `${code} is the workspace’s base currency. Its rate is always 1.`,
    );
  const first = validFrom ?? dayIn(timezone, now);
  if (validTo !== null && validTo < first)
    throw invalid(
      { pointer: "/validTo" },
      "range_reversed",
      "The last day must not be before the first day.",
    );
  return { currency: code, base, rate: withoutTrailingZeros(rate), validFrom: first, validTo, reason };
}

async function save(tx: Tx, actor: Actor, workspaceId: string, override: View, now: Date): Promise<void> {
  const { currency, base, rate, validFrom, validTo, reason } = override;
  const values = { base, rate, valid_to: validTo, reason, created_by: actor.userId, updated_at: now };
  await tx
    .insertInto("rate_overrides")
    .values({ workspace_id: workspaceId, currency, valid_from: validFrom, ...values })
    .onConflict((conflict) =>
      conflict.columns(["workspace_id", "currency", "valid_from"]).doUpdateSet(values),
    )
    .execute();
}

/**
 * Removes all overrides of a currency, or only the one that begins on `valid_from`. Published rates apply again on all the
 * days that they covered. Throws `missing` `currency_not_found` and `missing` `override_not_found`.
 */
export async function remove(
  actor: Actor,
  { workspaceId }: { workspaceId: string },
  code: string,
  { valid_from }: Remove,
  now: Date = Clock.now(),
): Promise<void> {
  if (!Currency.isListed(code)) throw Currency.notFound();
  await transaction(async (tx) => {
    const removed = await views(tx, workspaceId, code, valid_from);
    if (removed.length === 0)
      throw new Fault("missing", "override_not_found", "Override not found for this currency.");
    await tx
      .deleteFrom("rate_overrides")
      .where("workspace_id", "=", workspaceId)
      .where("currency", "=", code)
      .where(
        "valid_from",
        "in",
        removed.map(({ validFrom }) => validFrom),
      )
      .execute();
    await recordChange(tx, actor, workspaceId, code, removed, [], now);
  });
}

/** Lists the overrides of a workspace, optionally only those of one currency, or the one that begins on `day`. */
export async function views(reader: Reader, workspaceId: string, code?: string, day?: Day): Promise<View[]> {
  let query = reader.selectFrom("rate_overrides").select(columns).where("workspace_id", "=", workspaceId);
  if (code !== undefined) query = query.where("currency", "=", code);
  if (day !== undefined) query = query.where("valid_from", "=", day);
  const rows = await query.orderBy("currency").orderBy("valid_from").execute();
  return rows.map(({ currency, base, rate, valid_from, valid_to, reason }) => ({
    currency,
    base,
    rate,
    validFrom: valid_from,
    validTo: valid_to,
    reason,
  }));
}

/** Records one `currency.changed` event. `changed` distinguishes it from a change of the base currency. */
async function recordChange(
  tx: Tx,
  actor: Actor,
  workspaceId: string,
  code: string,
  before: View[],
  after: View[],
  at: Date,
): Promise<void> {
  const target = { type: "currency", id: code, name: Currency.describe(code).name } as const;
  const changes = { override: { before, after } };
  const data: DataOf<"currency.changed"> = { changed: "override", currency: code, before, after };
  await Event.publish(tx, actor, { action: "currency.changed", target, workspaceId, changes, data }, at);
}

/** Normalizes a decimal, so that 1.50 and 1.5 are the same rate. */
function withoutTrailingZeros(rate: string): string {
  const [whole = "", fraction = ""] = rate.split(".");
  const places = fraction.replace(/0+$/, "");
  return BigInt(whole) + (places && `.${places}`);
}
