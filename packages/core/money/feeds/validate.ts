import { type Day, daysFrom } from "../../base/day.ts";
import { maxAgeDays } from "../choice.ts";
import * as Rational from "../rational.ts";
import type { Bulletin } from "./bulletin.ts";

/** A move of a fifth or more from one table to the next is more often a slip than a market. */
const tooHigh = Rational.parse("1.2");
const tooLow = Rational.parse("0.8");

export type Rate = { code: string; day: Day; rate: string };

/** A rate of a bulletin that is not known yet, with the document it is from. */
export type NewRate = Rate & { document: string };

export type Quarantined = NewRate & { previousDay: Day; previousRate: string };

export type Judged = { good: NewRate[]; quarantined: Quarantined[] };

/**
 * Which of these bulletins' rates, oldest first, are new and can be believed, given those already known of their table.
 * Each is held against the last good one of its currency; one too old to serve says nothing any more. What is known
 * stays as it is, whatever the bulletin says now.
 */
export function judge(bulletins: readonly Bulletin[], known: readonly Rate[]): Judged {
  const there = new Map(known.map((rate) => [`${rate.day} ${rate.code}`, rate]));
  const firstDay = bulletins[0]?.day ?? "";
  const last = new Map<string, Rate>();
  for (const rate of known)
    if (rate.day < firstDay && rate.day > (last.get(rate.code)?.day ?? "")) last.set(rate.code, rate);
  const judged: Judged = { good: [], quarantined: [] };
  for (const { day, document, rates } of bulletins)
    for (const [code, rate] of rates) {
      const before = last.get(code);
      const already = there.get(`${day} ${code}`);
      if (already) last.set(code, already);
      else if (before && daysFrom(before.day, day) <= maxAgeDays && jumped(before.rate, rate))
        judged.quarantined.push({
          code,
          day,
          rate,
          document,
          previousDay: before.day,
          previousRate: before.rate,
        });
      else {
        judged.good.push({ code, day, rate, document });
        last.set(code, { code, day, rate });
      }
    }
  return judged;
}

function jumped(before: string, after: string): boolean {
  const ratio = Rational.over(Rational.parse(after), Rational.parse(before));
  return Rational.compare(ratio, tooHigh) >= 0 || Rational.compare(ratio, tooLow) <= 0;
}
