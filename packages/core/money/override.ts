import type { Selectable } from "kysely";
import * as z from "zod/mini";
import type { Actor } from "../base/actor.ts";
import * as Clock from "../base/clock.ts";
import { CurrencyCode } from "../base/currency-code.ts";
import { Day, dayIn } from "../base/day.ts";
import { Fault } from "../base/fault.ts";
import { type IfMatch, requireMatch } from "../base/if-match.ts";
import { invalid } from "../base/invalid.ts";
import { QueryFlag } from "../base/query.ts";
import { singleLine } from "../base/text.ts";
import type { DataOf } from "../event/catalog.ts";
import * as Event from "../event/event.ts";
import type { Reader, Tx } from "../platform/db/engine.ts";
import type { RateOverrides } from "../platform/db/schema.ts";
import { transaction } from "../platform/db/transaction.ts";
import { changed, executeUnlessChanged, versionOf } from "../platform/db/version.ts";
import * as Currency from "./currency.ts";
import * as PeriodLock from "./period-lock.ts";
import type { Override } from "./rate-selection.ts";
import * as Rational from "./rational.ts";

/** A workspace's override: `rate` units of `currency` for one unit of `base`, from `validFrom` to `validTo` (inclusive). */
export const View = z.object({
  currency: CurrencyCode,
  base: CurrencyCode,
  rate: z.string(),
  validFrom: Day,
  validTo: z.nullable(Day),
  reason: z.string(),
});
export type View = z.infer<typeof View>;

/** An override with its version: the ETag without its quotes. */
export const Stored = z.extend(View, { version: z.string() });
export type Stored = z.infer<typeof Stored>;

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

/** The override to remove: the one that begins on `valid_from`, or all of the currency. */
export const Remove = z.object({ valid_from: z.optional(Day), all: z.optional(QueryFlag) });
export type Remove = z.infer<typeof Remove>;

const columns = ["currency", "base", "rate", "valid_from", "valid_to", "reason", "version"] as const;

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
 * second event. Throws `missing` `currency_not_found`, `conflict` `currency_is_base`, `invalid` when the override ends before it
 * begins, `stale` `changed_meanwhile` unless `ifMatch` has the version of the one to replace, and `conflict` `period_locked` when
 * it would change the rate of a locked day.
 */
export async function put(
  actor: Actor,
  { workspaceId }: { workspaceId: string },
  code: string,
  input: Put,
  ifMatch?: IfMatch,
  now: Date = Clock.now(),
): Promise<Stored> {
  if (!Currency.isListed(code)) throw Currency.notFound();
  return transaction(async (tx) => {
    const override = await overrideFrom(tx, workspaceId, code, input, now);
    const [row] = await fetch(tx, workspaceId, code, override.validFrom);
    const stored = row && storedView(row);
    await requireMatch(ifMatch, stored?.version, () => stored);
    const previous = row && view(row);
    if (stored && isEqual(previous, override)) return stored;
    const changesLocked = (until: Day) => !isEqual(lockedPart(previous, until), lockedPart(override, until));
    const { userId } = actor;
    await PeriodLock.enterFrom(tx, { workspaceId, userId }, override.validFrom, changesLocked, now);
    const saved = await save(tx, actor, workspaceId, override, row?.version ?? null, now);
    await recordChange(tx, actor, workspaceId, code, previous ? [previous] : [], [override], now);
    return storedView(saved);
  });
}

/** Returns what an override determines for the days until `until`. Undefined if it begins later. */
function lockedPart(override: View | undefined, until: Day) {
  if (!override || override.validFrom > until) return undefined;
  const { base, rate, validFrom, validTo } = override;
  return [base, rate, validFrom, validTo !== null && validTo < until ? validTo : until];
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
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

/** Inserts an override, or replaces that of the same day if it still has this version. */
async function save(
  tx: Tx,
  actor: Actor,
  workspaceId: string,
  override: View,
  replaced: string | null,
  now: Date,
): Promise<Row> {
  const { currency, base, rate, validFrom, validTo, reason } = override;
  const values = { base, rate, valid_to: validTo, reason, created_by: actor.userId, ...changed(now) };
  const saved = tx
    .insertInto("rate_overrides")
    .values({ workspace_id: workspaceId, currency, valid_from: validFrom, ...values })
    .onConflict((conflict) =>
      conflict
        .columns(["workspace_id", "currency", "valid_from"])
        .doUpdateSet(values)
        .where("rate_overrides.version", "is not distinct from", replaced),
    )
    .returning(columns);
  return executeUnlessChanged(saved);
}

/**
 * Removes the override of a currency that begins on `valid_from`, or all with `all`. Published rates apply again on all the days
 * that they covered. Throws `missing` `currency_not_found`, `missing` `override_not_found`, `invalid` unless exactly one of the
 * two is given, `stale` `changed_meanwhile` unless `ifMatch` has the versions of all that would be removed, and `conflict`
 * `period_locked` if one of them covers a locked day.
 */
export async function remove(
  actor: Actor,
  { workspaceId }: { workspaceId: string },
  code: string,
  { valid_from, all }: Remove,
  ifMatch?: IfMatch,
  now: Date = Clock.now(),
): Promise<void> {
  if (!Currency.isListed(code)) throw Currency.notFound();
  if ((valid_from === undefined) !== (all === true))
    throw invalid(
      { parameter: "valid_from" },
      "one_or_the_other",
      "Name the override to remove by its first day, valid_from, or remove all of the currency with all=true.",
    );
  await transaction(async (tx) => {
    const rows = await fetch(tx, workspaceId, code, valid_from);
    if (rows.length === 0)
      throw new Fault("missing", "override_not_found", "Override not found for this currency.");
    for (const stored of rows.map(storedView)) await requireMatch(ifMatch, stored.version, () => stored);
    const since = rows.map((row) => row.valid_from).reduce((a, b) => (a < b ? a : b));
    const { userId } = actor;
    await PeriodLock.enterFrom(tx, { workspaceId, userId }, since, (until) => since <= until, now);
    for (const { valid_from: day, version } of rows)
      await executeUnlessChanged(
        tx
          .deleteFrom("rate_overrides")
          .where("workspace_id", "=", workspaceId)
          .where("currency", "=", code)
          .where("valid_from", "=", day)
          .where("version", "is not distinct from", version)
          .returning("valid_from"),
      );
    await recordChange(tx, actor, workspaceId, code, rows.map(view), [], now);
  });
}

/** Lists the overrides of a workspace, optionally only those of one currency. */
export async function list(reader: Reader, workspaceId: string, code?: string): Promise<Stored[]> {
  return (await fetch(reader, workspaceId, code)).map(storedView);
}

type Row = Pick<Selectable<RateOverrides>, (typeof columns)[number]>;

async function fetch(reader: Reader, workspaceId: string, code?: string, day?: Day): Promise<Row[]> {
  let query = reader.selectFrom("rate_overrides").select(columns).where("workspace_id", "=", workspaceId);
  if (code !== undefined) query = query.where("currency", "=", code);
  if (day !== undefined) query = query.where("valid_from", "=", day);
  return query.orderBy("currency").orderBy("valid_from").execute();
}

function view({ currency, base, rate, valid_from, valid_to, reason }: Row): View {
  return { currency, base, rate, validFrom: valid_from, validTo: valid_to, reason };
}

function storedView(row: Row): Stored {
  const id = `${row.currency}.${row.valid_from}`;
  return { ...view(row), version: versionOf({ id, version: row.version }) };
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
