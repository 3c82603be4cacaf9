import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { addDays } from "../base/day.ts";
import { db } from "../platform/db/engine.ts";
import { openBanks, type Table } from "../testing/bank.ts";
import { owner } from "../testing/people.ts";
import { clearRates } from "../testing/rates.ts";
import { converter } from "./convert.ts";
import { minorUnits } from "./currency.ts";
import { refresh } from "./feeds/refresh.ts";

const last = "2026-11-18";
const now = new Date(`${last}T15:15:00Z`);

beforeEach(clearRates);

/** Units of each currency for one euro on the weekdays of sixty days, slightly different each day. */
function euroRates(): Table {
  const days = Array.from({ length: 60 }, (_, n) => addDays(last, -n)).filter(
    (day) => ![0, 6].includes(new Date(day).getUTCDay()),
  );
  return Object.fromEntries(
    days.map((day, n) => [day, { USD: `1.${1600 - n}`, JPY: `180.${10 + n}`, GBP: `0.8${800 + n}` }]),
  );
}

describe("converter", () => {
  test("converts every amount, currency and day exactly, like integer arithmetic on the published rates", async () => {
    const ecb = euroRates();
    await using _banks = await openBanks({ ecb });
    await refresh({}, {}, now);
    const { workspaceId } = await owner("Ada", "ENTERPRISE");
    const currencies = ["EUR", "USD", "JPY", "GBP"];
    const [from, until] = [addDays(last, -50), addDays(last, 10)];
    for (const to of currencies) {
      const { convert } = await converter({ workspaceId, to, currencies, from, until });
      const day = fc.integer({ min: 0, max: 60 }).map((n) => addDays(from, n));
      const minor = fc.bigInt({ min: 0n, max: 10n ** 13n });
      fc.assert(
        fc.property(minor, fc.constantFrom(...currencies), day, (minor, currency, day) => {
          const published = Object.keys(ecb)
            .filter((one) => one <= day)
            .sort()
            .at(-1) as string;
          // Rates have at most four decimal places, so they are whole numbers of ten-thousandths.
          const units = (code: string) => {
            const [whole = "", places = ""] = (ecb[published]?.[code] ?? "1").split(".");
            return BigInt(whole + places.padEnd(4, "0"));
          };
          const top = minor * units(to) * 10n ** BigInt(minorUnits(to));
          const bottom = units(currency) * 10n ** BigInt(minorUnits(currency));
          const [floor, rest] = [top / bottom, top % bottom];
          const up = 2n * rest > bottom || (2n * rest === bottom && floor % 2n === 1n);
          const converted = convert({ minor, currency }, day);
          expect(BigInt(converted?.amount.replace(".", "") ?? "")).toBe(up ? floor + 1n : floor);
          const same = currency === to;
          expect(converted).toMatchObject({
            currency: to,
            rateDate: same ? day : published,
            rateSource: same ? "fixed" : "ECB",
          });
        }),
      );
    }
  });

  test("runs four statements for 3,000 amounts", async () => {
    await using _banks = await openBanks({ ecb: euroRates() });
    await refresh({}, {}, now);
    const { workspaceId } = await owner("Ada", "ENTERPRISE");
    const executor = db().getExecutor();
    const before = executor.executeQuery;
    let statements = 0;
    Object.defineProperty(executor, "executeQuery", {
      configurable: true,
      value(...query: unknown[]) {
        statements++;
        return Reflect.apply(before, executor, query);
      },
    });
    const { convert } = await converter({
      workspaceId,
      to: "USD",
      currencies: ["EUR", "JPY", "GBP"],
      from: addDays(last, -40),
      until: last,
    });
    const all = Array.from({ length: 3000 }, (_, n) =>
      convert(
        { minor: BigInt(n), currency: ["EUR", "JPY", "GBP"][n % 3] as string },
        addDays(last, -(n % 41)),
      ),
    );
    Reflect.deleteProperty(executor, "executeQuery");
    expect(all.every(Boolean)).toBe(true);
    expect(statements).toBe(4);
  });

  test("uses the workspace's override and names it as the source", async () => {
    const { workspaceId } = await owner("Ada", "ENTERPRISE");
    const values = {
      rate: "2",
      reason: "x",
      created_by: "usr_x",
      updated_at: now,
      base: "EUR",
      valid_to: null,
    };
    await db()
      .insertInto("rate_overrides")
      .values({ workspace_id: workspaceId, currency: "USD", valid_from: "2026-11-10", ...values })
      .execute();
    const options = { to: "EUR", currencies: ["USD"], from: "2026-11-01", until: last };
    const { convert } = await converter({ workspaceId, ...options });
    const money = { minor: 1001n, currency: "USD" };
    expect(convert(money, "2026-11-10")).toEqual({
      amount: "5.00",
      currency: "EUR",
      rate: "0.5",
      rateDate: "2026-11-10",
      rateSource: "override",
    });
    expect(convert(money, "2026-11-09")?.rateSource).toBe("ECB");
  });

  test.each([
    // Table B has no retired currencies, so the lev goes through the euro of table A.
    ["BGN", "KWD", { a: { EUR: "4" }, b: { KWD: "12" } }, "17.043"],
    ["KWD", "USD", { ecb: { USD: "1.25", PLN: "4" }, b: { KWD: "12" } }, "375.00"],
  ])("loads the rates that %s to %s goes through", async (from, to, rates, amount) => {
    const { ecb, a, b }: { ecb?: object; a?: object; b?: object } = rates;
    const on = (table?: object) => (table ? ({ [last]: table } as Table) : {});
    await using _banks = await openBanks({ ecb: on(ecb), a: on(a), b: on(b) });
    await refresh({}, {}, now);
    const { workspaceId } = await owner("Ada", "ENTERPRISE");
    const { convert } = await converter({ workspaceId, to, currencies: [from], from: last, until: last });
    const minor = 100n * 10n ** BigInt(minorUnits(from));
    expect(convert({ minor, currency: from }, last)).toMatchObject({ amount, rateSource: "NBP-B" });
  });

  test("loads the rates of the currency in which an override was agreed", async () => {
    await using _banks = await openBanks({ ecb: { [last]: { USD: "1.2", CHF: "0.9", GBP: "0.8" } } });
    await refresh({}, {}, now);
    const { workspaceId } = await owner("Ada", "ENTERPRISE");
    const override = { currency: "USD", base: "CHF", rate: "2", valid_from: last, valid_to: null };
    await db()
      .insertInto("rate_overrides")
      .values({ workspace_id: workspaceId, ...override, reason: "x", created_by: "usr_x", updated_at: now })
      .execute();
    const options = { to: "GBP", currencies: ["USD"], from: last, until: last };
    const { convert } = await converter({ workspaceId, ...options });
    // 9 USD are 4.50 CHF, which are 5 EUR.
    expect(convert({ minor: 900n, currency: "USD" }, last)?.amount).toBe("4.00");
  });

  test("returns undefined for a day without a rate", async () => {
    await using _banks = await openBanks({ ecb: { [last]: { USD: "1.16" } } });
    await refresh({}, {}, now);
    const { workspaceId } = await owner("Ada", "ENTERPRISE");
    const options = { to: "EUR", currencies: ["USD"], from: "2026-11-01", until: "2026-12-31" };
    const { convert, exchange, rate } = await converter({ workspaceId, ...options });
    const money = { minor: 100n, currency: "USD" };
    for (const day of ["2026-11-17", "2026-12-03"])
      expect([convert(money, day), exchange(money, day), rate("USD", day)]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
    expect(convert(money, "2026-12-02")?.amount).toBe("0.86");
    expect(rate("USD", last)?.exact).toEqual({ n: 100n, d: 116n });
  });
});
