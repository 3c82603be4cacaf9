import * as z from "zod/mini";
import type { Actor } from "../base/actor.ts";
import * as Clock from "../base/clock.ts";
import { Day, dayIn } from "../base/day.ts";
import { Fault } from "../base/fault.ts";
import { line } from "../base/text.ts";
import type { DataOf } from "../event/catalog.ts";
import * as Event from "../event/event.ts";
import type { Reader, Tx } from "../platform/db/engine.ts";
import { transaction } from "../platform/db/transaction.ts";

import type { Override } from "./choice.ts";
import * as Currency from "./currency.ts";
import * as Rational from "./rational.ts";

/** A workspace's own rate of a currency: `rate` units of it for one of `base`, on each day from validFrom to validTo. */
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
    z.regex(/^\d{1,12}(?:\.\d{1,12})?$/, "Not a decimal number such as 1.0850, as a string."),
    z.refine((rate) => /[1-9]/.test(rate), "A rate is more than zero."),
  ),
  validFrom: z.optional(Day),
  validTo: z.optional(z.nullable(Day)),
  reason: line(1, 500),
});
export type Put = z.infer<typeof Put>;

export const Remove = z.object({ valid_from: z.optional(Day) });
export type Remove = z.infer<typeof Remove>;

const columns = ["currency", "base", "rate", "valid_from", "valid_to", "reason"] as const;

/** The overrides of a workspace, of these currencies or of all, for `choose`. */
export async function all(
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
 * Give a currency a rate of the workspace's own from a day on, by default from today in its time zone. One that begins
 * on the same day is replaced, earlier ones hold until then; what is so already records nothing. Throws 404
 * `currency_not_found`, 409 `currency_is_base`, and 422 for an end before the beginning.
 */
export async function put(
  actor: Actor,
  { workspaceId }: { workspaceId: string },
  code: string,
  input: Put,
  now: Date = Clock.now(),
): Promise<View> {
  if (!Currency.isListed(code)) throw missing();
  return transaction(async (tx) => {
    const { base_currency: base, timezone } = await tx
      .selectFrom("workspaces")
      .select(["base_currency", "timezone"])
      .where("id", "=", workspaceId)
      .executeTakeFirstOrThrow();
    if (code === base)
      throw new Fault("conflict", "currency_is_base", `${code} is the base currency: its rate is 1.`);
    const override: View = {
      currency: code,
      base,
      rate: plain(input.rate),
      validFrom: input.validFrom ?? dayIn(timezone, now),
      validTo: input.validTo ?? null,
      reason: input.reason,
    };
    if (override.validTo !== null && override.validTo < override.validFrom) throw endsBeforeItBegins();
    const [previous] = await views(tx, workspaceId, code, override.validFrom);
    if (previous && JSON.stringify(previous) === JSON.stringify(override)) return override;
    const values = {
      base,
      rate: override.rate,
      valid_to: override.validTo,
      reason: override.reason,
      created_by: actor.userId,
      updated_at: now,
    };
    await tx
      .insertInto("rate_overrides")
      .values({ workspace_id: workspaceId, currency: code, valid_from: override.validFrom, ...values })
      .onConflict((conflict) =>
        conflict.columns(["workspace_id", "currency", "valid_from"]).doUpdateSet(values),
      )
      .execute();
    await record(tx, actor, workspaceId, code, previous ? [previous] : [], [override], now);
    return override;
  });
}

/**
 * Take the overrides of a currency away, or the one that begins on `valid_from`: published rates hold again, on all
 * its days. Throws 404 `currency_not_found` and `override_not_found`.
 */
export async function remove(
  actor: Actor,
  { workspaceId }: { workspaceId: string },
  code: string,
  { valid_from }: Remove,
  now: Date = Clock.now(),
): Promise<void> {
  if (!Currency.isListed(code)) throw missing();
  await transaction(async (tx) => {
    const removed = await views(tx, workspaceId, code, valid_from);
    if (removed.length === 0)
      throw new Fault("missing", "override_not_found", "There is no such override of this currency.");
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
    await record(tx, actor, workspaceId, code, removed, [], now);
  });
}

/** What no currency of ours is. */
export function missing(): Fault {
  return new Fault(
    "missing",
    "currency_not_found",
    "There is no such currency; GET /api/v1/currencies lists them.",
  );
}

/** The overrides of a workspace as they are shown: all, or those of a currency, or the one of it that begins on a day. */
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

/** One event for one call. `changed` tells it apart from a change of the base currency. */
async function record(
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
  await Event.record(tx, actor, { action: "currency.changed", target, workspaceId, changes, data }, at);
}

/** The same number without zeros that say nothing, so that 1.50 and 1.5 are the same rate. */
function plain(rate: string): string {
  const [whole = "", fraction = ""] = rate.split(".");
  const places = fraction.replace(/0+$/, "");
  return BigInt(whole) + (places && `.${places}`);
}

function endsBeforeItBegins(): Fault {
  const detail = "The last day is before the first.";
  return new Fault("invalid", "invalid_input", "Some values cannot be taken. See errors.", {
    errors: [{ pointer: "/validTo", code: "range_reversed", detail }],
  });
}
