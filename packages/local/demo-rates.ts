import { addDays, type Day, dayIn } from "@svc/core/base/day";
import { codes } from "@svc/core/money/currency";
import type { PublishedTable } from "@svc/core/money/feeds/published-table";
import { storeTables } from "@svc/core/money/feeds/store";
import { type Source, sources } from "@svc/core/money/rate-selection";
import * as Rational from "@svc/core/money/rational";
import { snapshot } from "@svc/core/money/snapshot";
import { db } from "@svc/core/platform/db/engine";

/** The name of the made-up tables, in place of the bank's. */
const document = "made-up demo rates";

/** The demo rates begin this many days ago, before the demo time entries. */
const days = 60;

/**
 * Stores made-up rates of each working day until today that follow those of the snapshot, so that the demo workspace has fresh
 * rates without the network. Leaves out sources whose last rates come from their bank.
 */
export async function topUp(now: Date): Promise<void> {
  const today = dayIn("UTC", now);
  for (const source of sources) {
    const last = await db()
      .selectFrom("rates")
      .select(["day", "document"])
      .where("source", "=", source)
      .orderBy("day", "desc")
      .limit(1)
      .executeTakeFirst();
    if (last && last.document !== document) continue;
    await storeTables(
      source,
      tables(source, last ? addDays(last.day, 1) : addDays(today, -days), today),
      now,
    );
  }
}

function tables(source: Source, from: Day, until: Day): PublishedTable[] {
  const [shipped] = snapshot[source].slice(-1);
  if (!shipped) return [];
  const published = [...shipped.values].filter(([code]) => codes.includes(code) && code !== baseOf(source));
  const found: PublishedTable[] = [];
  for (let day = from; day <= until; day = addDays(day, 1)) {
    if (!isPublished(source, day)) continue;
    const rates = published.map(([code, value]) => {
      const known = Number(
        Rational.toDigits(source === "ECB" ? Rational.over(Rational.one, value) : value, 12),
      );
      return [code, sixDigits(known * drift(code, day))] as const;
    });
    found.push({ source, day, document, rates: new Map(rates) });
  }
  return found;
}

/** Formats a rate as banks do, with six significant digits. No rate is so small that it gets an exponent. */
function sixDigits(rate: number): string {
  return String(Number(rate.toPrecision(6)));
}

function baseOf(source: Source): string {
  return source === "ECB" ? "EUR" : "PLN";
}

/** Banks publish on working days, the National Bank of Poland its table B on Wednesdays. */
function isPublished(source: Source, day: Day): boolean {
  const weekday = new Date(day).getUTCDay();
  return source === "NBP-B" ? weekday === 3 : weekday !== 0 && weekday !== 6;
}

/** Returns a factor within 3 % of one that moves slowly from day to day, each currency in its own way. */
function drift(code: string, day: Day): number {
  const number = Date.parse(day) / 86_400_000;
  const phase = [...code].reduce((sum, letter) => sum * 7 + letter.charCodeAt(0), 0);
  return 1 + 0.015 * Math.sin(number / 9 + phase) + 0.01 * Math.sin(number / 2.3 + phase * 2);
}
