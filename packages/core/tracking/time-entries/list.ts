import * as z from "zod/mini";
import type { Actor } from "../../base/actor.ts";
import * as Clock from "../../base/clock.ts";
import { CurrencyCode } from "../../base/currency-code.ts";
import * as Cursor from "../../base/cursor.ts";
import { type Day, dayIn, Timezone } from "../../base/day.ts";
import { defaultLimit, FeedMeta, FeedQuery, feedPage } from "../../base/feed.ts";
import { idPattern } from "../../base/id.ts";
import { invalid, invalidWithCode } from "../../base/invalid.ts";
import { type Page, PageMeta, PageQuery, pageMeta, requestedPage } from "../../base/page.ts";
import { converter } from "../../money/convert.ts";
import * as Currency from "../../money/currency.ts";
import { MissingRate, missingRates } from "../../money/missing-rates.ts";
import * as Money from "../../money/money.ts";
import { db } from "../../platform/db/engine.ts";
import type { Membership } from "../../workspace/authorization.ts";
import { type Condition, Filters, matching } from "./filters.ts";
import * as TimeEntry from "./time-entry.ts";

/** Number of rows that pages can reach. Use the cursor for deeper reads; its cost does not grow with depth. */
export const pagedRows = 10_000;

const sorts = ["-started_at", "started_at", "-updated_at", "updated_at"] as const;

export const ListQuery = z.object({
  ...Filters.shape,
  ...FeedQuery.shape,
  ...PageQuery.shape,
  sort: z.optional(z.enum(sorts)),
  convert_to: z.optional(CurrencyCode),
  timezone: z.optional(Timezone),
});
export type ListQuery = z.infer<typeof ListQuery>;

/** Present with `convert_to`: the entries in `data` that could not be converted. */
const missing = { missingRates: z.optional(z.array(MissingRate)) };

export const Meta = z.union([z.extend(FeedMeta, missing), z.extend(PageMeta, missing)]);

export const List = z.object({ data: z.array(TimeEntry.View), meta: Meta });
export type List = z.infer<typeof List>;

/** Entries end before the year 2100. */
const endOfTime = Date.UTC(2100);

type Order = { sort: (typeof sorts)[number]; column: "started_at" | "updated_at"; direction: "asc" | "desc" };

/**
 * Lists time entries, newest first by default, after a cursor or by page. Throws what `matching` throws, `invalid` for a
 * cursor of another list or sort order, and `invalid` `page_too_deep`.
 */
export async function list(
  actor: Actor,
  membership: Membership,
  query: ListQuery,
  now: Date = Clock.now(),
): Promise<List> {
  const { convert_to, timezone = membership.timezone } = query;
  if (convert_to !== undefined) Currency.requireSupported(convert_to, { parameter: "convert_to" });
  const page = requestedPage(query);
  if (page && (query.cursor !== undefined || query.limit !== undefined))
    throw invalid(
      { parameter: "page" },
      "one_or_the_other",
      "Use either cursor and limit, or page and per_page.",
    );
  const order = orderOf(query.sort);
  const condition = await matching(actor, { ...membership, timezone }, query);
  const { rows, meta } = page
    ? await listPage(condition, order, page)
    : await listAfter(condition, order, query);
  const entries = rows.map((row) => TimeEntry.entry(row, now));
  if (convert_to === undefined) return { data: await TimeEntry.views(entries), meta };
  const data = await TimeEntry.views(entries, converterTo(membership, convert_to));
  // Reports need no rate for an amount of zero.
  const unconverted = data.filter(({ converted, amount }) => converted === null && Number(amount) !== 0);
  const days = unconverted.map(({ currency, startedAt }) => ({
    currency,
    day: dayOf(membership, startedAt),
  }));
  return { data, meta: { ...meta, missingRates: missingRates(days) } };
}

/** Returns a function that converts entries, each at the rate of its day. */
function converterTo(membership: Membership, to: string): TimeEntry.Convert {
  const { workspaceId } = membership;
  return async (entries) => {
    const days = entries.map(({ startedAt }) => dayOf(membership, startedAt));
    const [from, until] = [[...days].sort()[0], [...days].sort().at(-1)];
    if (!from || !until) return [];
    const currencies = [...new Set(entries.map(({ currency }) => currency))];
    const { convert } = await converter({ workspaceId, to, currencies, from, until });
    return entries.map(({ amount, currency }, at) =>
      convert(Money.parse(amount, currency, "/amount"), days[at] ?? until),
    );
  };
}

function dayOf({ timezone }: Membership, startedAt: string): Day {
  return dayIn(timezone, new Date(startedAt));
}

async function listAfter(condition: Condition, order: Order, { cursor, limit = defaultLimit }: FeedQuery) {
  let query = sorted(condition, order).limit(limit + 1);
  if (cursor !== undefined) {
    const [at, id] = positionOf(cursor, order);
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple(order.column, "id"), order.direction === "desc" ? "<" : ">", tuple(at, id)),
    );
  }
  return feedPage(await query.execute(), limit, (last) =>
    Cursor.encode([order.sort, last[order.column].getTime(), last.id]),
  );
}

async function listPage(condition: Condition, order: Order, page: Page) {
  const offset = (page.page - 1) * page.perPage;
  if (offset >= pagedRows)
    throw invalidWithCode(
      { parameter: "page" },
      "page_too_deep",
      `Pages reach only the first ${pagedRows} rows. Use the cursor to read further.`,
    );
  const limit = Math.min(page.perPage, pagedRows - offset);
  const [rows, { total }] = await Promise.all([
    sorted(condition, order).limit(limit).offset(offset).execute(),
    db()
      .selectFrom(
        db().selectFrom("time_entries").select("id").where(condition).limit(pagedRows).as("reachable"),
      )
      .select(({ fn }) => fn.countAll<bigint>().as("total"))
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, meta: pageMeta(page, Number(total)) };
}

function sorted(condition: Condition, { column, direction }: Order) {
  return db()
    .selectFrom("time_entries")
    .selectAll()
    .where(condition)
    .orderBy(column, direction)
    .orderBy("id", direction);
}

function orderOf(sort: Order["sort"] = "-started_at"): Order {
  const descending = sort.startsWith("-");
  return {
    sort,
    column: (descending ? sort.slice(1) : sort) as Order["column"],
    direction: descending ? "desc" : "asc",
  };
}

/** Decodes the position of a cursor. The row at that position may have been deleted since. */
function positionOf(cursor: string, { sort }: Order): [Date, string] {
  const [cursorSort, at, id] = Cursor.decode(cursor) ?? [];
  const valid = cursorSort === sort && typeof at === "number" && at >= 0 && at < endOfTime;
  if (!valid || typeof id !== "string" || !idPattern.test(id))
    throw invalid(
      { parameter: "cursor" },
      "cursor_invalid",
      "Cursor is not valid for this list and sort order.",
    );
  return [new Date(at), id];
}
