import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Part, partsOf } from "./sums.ts";

const parts = (since: string, before: string) =>
  partsOf({ since: new Date(since), before: new Date(before) }).map((part) =>
    part.unit === "entry"
      ? `${part.sign < 0 ? "less " : ""}${part.since.toISOString()}/${part.before.toISOString()}`
      : `${part.unit} ${part.from}/${part.to}`,
  );

describe("partsOf", () => {
  it("returns months only for whole months", () => {
    expect(parts("2026-03-01T00:00:00Z", "2026-05-01T00:00:00Z")).toEqual(["month 2026-03-01/2026-05-01"]);
  });

  it("returns the entries before the first day, days, and less the entries after the range, in another time zone", () => {
    expect(parts("2026-02-28T23:00:00Z", "2026-03-31T22:00:00Z")).toEqual([
      "2026-02-28T23:00:00.000Z/2026-03-01T00:00:00.000Z",
      "month 2026-03-01/2026-04-01",
      "less 2026-03-31T22:00:00.000Z/2026-04-01T00:00:00.000Z",
    ]);
  });

  it("returns days outside of whole months", () => {
    expect(parts("2026-01-30T00:00:00Z", "2026-03-02T00:00:00Z")).toEqual([
      "day 2026-01-30/2026-02-01",
      "month 2026-02-01/2026-03-01",
      "day 2026-03-01/2026-03-02",
    ]);
  });

  it("returns entries only within a day", () => {
    const range = ["2026-03-01T12:00:00.000Z", "2026-03-01T23:00:00.000Z"] as const;
    expect(parts(...range)).toEqual([range.join("/")]);
  });

  it("returns parts that count every instant in any range once and no other", () => {
    const instant = fc.date({
      min: new Date("1970-01-01"),
      max: new Date("2099-12-31"),
      noInvalidDate: true,
    });
    const bounds = (part: Part) =>
      part.unit === "entry" ? [+part.since, +part.before] : [Date.parse(part.from), Date.parse(part.to)];
    fc.assert(
      fc.property(instant, instant, (one, other) => {
        fc.pre(+one !== +other);
        const [since, before] = one < other ? [one, other] : [other, one];
        const found = partsOf({ since, before });
        const times = [...found.flatMap(bounds), +since, +before].flatMap((at) => [at - 1, at]);
        for (const at of times) {
          const counted = found.map((part) => {
            const [from = 0, to = 0] = bounds(part);
            return at >= from && at < to ? (part.unit === "entry" ? part.sign : 1) : 0;
          });
          const expected = at >= +since && at < +before ? 1 : 0;
          expect(counted.reduce<number>((sum, times) => sum + times, 0)).toBe(expected);
        }
      }),
    );
  });
});
