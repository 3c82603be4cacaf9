import type { ServerResponse } from "node:http";
import { sql } from "kysely";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { addDays } from "../../base/day.ts";
import { db } from "../../platform/db/engine.ts";
import { log } from "../../platform/log/log.ts";
import { ecbXml, nbpJson, openBanks, type Table } from "../../testing/bank.ts";
import { owner } from "../../testing/people.ts";
import { clearRates } from "../../testing/rates.ts";
import { authorize } from "../../workspace/authorization.ts";
import * as Convert from "../convert.ts";
import * as Listing from "../listing.ts";
import { maxBytes } from "./download.ts";
import { refresh } from "./refresh.ts";

/** A Wednesday, after the banks have published. */
const now = new Date("2026-11-18T15:15:00Z");
const today = "2026-11-18";
const published = (): { ecb: Table; a: Table; b: Table } => ({
  ecb: { "2026-11-17": { USD: "1.16", GBP: "0.88" }, [today]: { USD: "1.1601", GBP: "0.8812" } },
  a: { "2026-11-17": { EUR: "4.23", CLP: "0.0039" }, [today]: { EUR: "4.24", CLP: "0.0040" } },
  b: { "2026-11-11": { KWD: "11.9" }, [today]: { KWD: "12" } },
});
const at = (day: string, time = "15:15:00Z") => new Date(`${day}T${time}`);
const stored = async () =>
  (await db().selectFrom("rates").selectAll().orderBy("day").orderBy("source").orderBy("code").execute()).map(
    ({ source, day, code, rate }) => `${source} ${day} ${code} ${rate}`,
  );
const corrections = async () =>
  (await db().selectFrom("rate_corrections").selectAll().orderBy("revision").execute()).map(
    ({ source, day, code, revision, previous_rate, rate }) =>
      `${source} ${day} ${code} ${revision} ${previous_rate} ${rate}`,
  );
const outcomes = (refreshed: Awaited<ReturnType<typeof refresh>>) =>
  refreshed.feeds.map(({ feed, outcome, rates }) => `${feed} ${outcome} ${rates}`);

/** Returns the membership of the owner of a new workspace. */
async function membershipOf() {
  const { id, sessionId, workspaceId } = await owner("Ada", "ENTERPRISE");
  const actor = { userId: id, sessionId, ip: "127.0.0.1", userAgent: "test", requestId: "test" };
  return authorize(actor, workspaceId);
}

beforeEach(clearRates);

describe("refresh", () => {
  test("stores what the banks have published, once", async () => {
    await using banks = await openBanks(published());
    expect(outcomes(await refresh({}, {}, now))).toEqual([
      "eurofxref-hist-90d taken 4",
      "nbp-a-90d taken 4",
      "nbp-b-90d taken 2",
    ]);
    expect(await stored()).toContain("NBP-A 2026-11-18 CLP 0.0040");
    expect(await stored()).toHaveLength(10);
    expect(outcomes(await refresh({}, {}, now))).toEqual([
      "eurofxref-daily unchanged 0",
      "nbp-a unchanged 0",
      "nbp-b unchanged 0",
    ]);
    // By the third refresh, the short document is known too, and the bank returns 304.
    await refresh({}, {}, now);
    expect(banks.state.requests.filter((path) => path.includes("eurofxref"))).toEqual([
      "/eurofxref/eurofxref-hist-90d.xml",
      "/eurofxref/eurofxref-daily.xml",
      "/eurofxref/eurofxref-daily.xml",
    ]);
    expect(banks.state.requests.filter((path) => path.includes("/A/"))).toEqual([
      "/tables/A/2026-08-20/2026-11-18/?format=json",
      "/tables/A/2026-11-18/2026-11-18/?format=json",
      "/tables/A/2026-11-18/2026-11-18/?format=json",
    ]);
    expect(await stored()).toHaveLength(10);
  });

  test("sends the ETag of the last response and stores nothing after a 304", async () => {
    await using banks = await openBanks(published());
    await refresh({}, {}, now);
    await refresh({}, {}, now);
    const sent: unknown[] = [];
    banks.state.answers.set("daily", ({ headers }, response) => {
      sent.push(headers["if-none-match"]);
      response.writeHead(304).end();
    });
    expect(outcomes(await refresh({}, {}, now))[0]).toBe("eurofxref-daily unchanged 0");
    expect(sent).toEqual([expect.stringMatching(/^".+"$/)]);
  });

  test("sends If-Modified-Since to a bank without ETags", async () => {
    await using banks = await openBanks(published());
    const sent: unknown[] = [];
    banks.state.answers.set("eurofxref", ({ headers }, response) => {
      sent.push([headers["if-none-match"], headers["if-modified-since"]]);
      response
        .writeHead(200, { "last-modified": "Wed, 18 Nov 2026 15:00:00 GMT" })
        .end(ecbXml({ [today]: { USD: "1.16" } }));
    });
    for (let n = 0; n < 3; n++) await refresh({}, {}, now);
    expect(sent).toEqual([
      [undefined, undefined],
      [undefined, undefined],
      [undefined, "Wed, 18 Nov 2026 15:00:00 GMT"],
    ]);
  });

  test("requests the long documents once a day, and only what is new in later runs of the day", async () => {
    await using banks = await openBanks({ ...published(), b: { "2026-11-11": { KWD: "11.9" } } });
    const requested = async (day: string) => {
      banks.state.requests.length = 0;
      await refresh({}, {}, at(day));
      return banks.state.requests.map((path) => path.replace("/?format=json", "").replace(/^\/\w+\//, ""));
    };
    const long = ["eurofxref-hist-90d.xml", "A/2026-08-20/2026-11-18", "B/2026-08-20/2026-11-18"];
    const short = ["eurofxref-daily.xml", "A/2026-11-18/2026-11-18", "B/2026-11-11/2026-11-18"];
    expect(await requested(today)).toEqual(long);
    expect(await requested(today)).toEqual(short);
    expect(await requested("2027-02-17")).toEqual([
      "eurofxref-hist-90d.xml",
      "A/2026-11-19/2027-02-17",
      "B/2026-11-19/2027-02-17",
    ]);
  });

  test("finds the correction of a rate that was published weeks ago", async () => {
    await using banks = await openBanks(published());
    await refresh({}, {}, now);
    banks.state.a = {
      "2026-11-17": { EUR: "4.23", CLP: "0.0041" },
      "2026-12-15": { EUR: "4.2", CLP: "0.004" },
    };
    const { corrected } = await refresh({}, {}, at("2026-12-15"));
    expect(corrected).toMatchObject([{ source: "NBP-A", code: "CLP", day: "2026-11-17", rate: "0.0041" }]);
  });

  test("sends an ETag only with a request for the same range of days", async () => {
    await using banks = await openBanks(published());
    const sent: unknown[] = [];
    banks.state.answers.set("/A/", ({ headers }, response) => {
      sent.push(headers["if-none-match"]);
      response.writeHead(200, { etag: '"a"' }).end(nbpJson("A", { [today]: { EUR: "4.24" } }));
    });
    for (const day of [today, today, today, "2026-11-19"]) await refresh({}, {}, at(day));
    expect(sent).toEqual([undefined, undefined, '"a"', undefined]);
  });

  test("takes a 404 of the National Bank of Poland as a range without a table", async () => {
    await using banks = await openBanks(published());
    await refresh({}, {}, now);
    banks.state.answers.set("/tables/", (_request, response) => void response.writeHead(404).end());
    expect(outcomes(await refresh({}, {}, now))).toEqual([
      "eurofxref-daily unchanged 0",
      "nbp-a unchanged 0",
      "nbp-b unchanged 0",
    ]);
  });

  test("names the sources whose newest table is too old, each by its limit", async () => {
    await using banks = await openBanks({
      ecb: { "2026-11-13": { USD: "1.16" } },
      a: { "2026-11-13": { EUR: "4.23" } },
    });
    const stale = async (day: string) => (await refresh({}, {}, at(day))).stale;
    expect(await stale(today)).toEqual(["NBP-B"]);
    banks.state.b = { "2026-11-09": { KWD: "12" } };
    expect(await stale(today)).toEqual([]);
    expect(await stale("2026-11-19")).toEqual(["ECB", "NBP-A", "NBP-B"]);
    banks.state.ecb = { "2026-11-19": { USD: "1.16" } };
    expect(await stale("2026-11-19")).toEqual(["NBP-A", "NBP-B"]);
  });

  test("stores each rate once when ten refreshes run at once", async () => {
    await using _banks = await openBanks(published());
    await Promise.all(Array.from({ length: 10 }, () => refresh({}, {}, now)));
    expect(await stored()).toHaveLength(10);
  });

  test("stores ninety days of 30 currencies in transactions within the limits of every engine", async () => {
    const currencies = Array.from(
      { length: 30 },
      (_, n) => `A${String.fromCharCode(65 + (n % 26))}${n > 25 ? "B" : "A"}`,
    );
    const ecb = Object.fromEntries(
      Array.from({ length: 90 }, (_, n) => [
        addDays(today, -n),
        Object.fromEntries(currencies.map((code, at) => [code, `${at + 1}.${1000 + n}`])),
      ]),
    );
    await using _banks = await openBanks({ ecb });
    expect(outcomes(await refresh({}, {}, now))[0]).toBe("eurofxref-hist-90d taken 2700");
    const written = await sql<{ rates: number }>`
      SELECT count(*)::int AS rates FROM rates GROUP BY xmin::text ORDER BY 1`.execute(db());
    expect(written.rows).toEqual([{ rates: 1200 }, { rates: 1500 }]);
  });

  test("keeps the first value of a corrected rate, and converts with the last one", async () => {
    await using banks = await openBanks(published());
    await refresh({}, {}, now);
    const { workspaceId } = await membershipOf();
    const query = { workspaceId, to: "EUR", currencies: ["USD"], from: today, until: today };
    const converted = async () =>
      (await Convert.converter(query)).convert({ minor: 11_701_000n, currency: "USD" }, today)?.amount;
    expect(await converted()).not.toBe("100000.00");
    for (const rate of ["1.1650", "1.1701"]) {
      banks.state.ecb = { [today]: { USD: rate, GBP: "0.88120" } };
      const refreshed = await refresh({}, {}, now);
      expect(outcomes(refreshed)[0]).toBe("eurofxref-daily taken 0");
      expect(refreshed.corrected).toMatchObject([{ source: "ECB", code: "USD", day: today, rate }]);
      expect((await refresh({}, {}, now)).corrected).toEqual([]);
    }
    expect(await stored()).toContain(`ECB ${today} USD 1.1601`);
    expect(await corrections()).toEqual([
      `ECB ${today} USD 1 1.1601 1.1650`,
      `ECB ${today} USD 2 1.1650 1.1701`,
    ]);
    expect(await converted()).toBe("100000.00");
  });

  test("stores a correction once when ten refreshes run at once", async () => {
    await using banks = await openBanks(published());
    await refresh({}, {}, now);
    banks.state.ecb = { [today]: { USD: "1.1701" } };
    const refreshed = await Promise.all(Array.from({ length: 10 }, () => refresh({}, {}, now)));
    expect(refreshed.flatMap(({ corrected }) => corrected)).toHaveLength(1);
    expect(await corrections()).toHaveLength(1);
  });

  test("quarantines a correction of a fifth or more until an operator accepts it", async () => {
    await using banks = await openBanks(published());
    await refresh({}, {}, now);
    banks.state.ecb = { [today]: { USD: "11.601" } };
    const { quarantined, corrected } = await refresh({}, {}, now);
    expect([quarantined.length, corrected.length]).toEqual([1, 0]);
    expect(await corrections()).toEqual([]);
    expect((await refresh({ accept: ["USD"] }, {}, now)).accepted).toBe(1);
    expect(await corrections()).toEqual([`ECB ${today} USD 1 1.1601 11.601`]);
  });

  test("does not accept a quarantined rate that the bank has replaced since", async () => {
    await using banks = await openBanks(published());
    banks.state.ecb = { "2026-11-17": { USD: "1.16" } };
    await refresh({}, {}, at("2026-11-17"));
    banks.state.ecb = { [today]: { USD: "11.6" } };
    await refresh({}, {}, now);
    banks.state.ecb = { [today]: { USD: "1.1601" } };
    await refresh({}, {}, at(today, "16:15:00Z"));
    await refresh({ accept: ["USD"] }, {}, at(today, "17:15:00Z"));
    expect(await stored()).toContain(`ECB ${today} USD 1.1601`);
    expect(await corrections()).toEqual([]);
  });
});

describe("refresh with rates that are accepted after their day was locked", () => {
  test.each([
    ["a rate", { "2026-11-17": { USD: "1.16" } }],
    ["a correction", { "2026-11-17": { USD: "1.16" }, [today]: { USD: "1.1601" } }],
  ])("keeps the conversions of the locked day when %s was quarantined before", async (_, before) => {
    await using banks = await openBanks({ ecb: before });
    await refresh({}, {}, at(today, "14:15:00Z"));
    banks.state.ecb = { [today]: { USD: "2.32" } };
    expect((await refresh({}, {}, now)).quarantined).toHaveLength(1);
    const [locked, open] = [await membershipOf(), await membershipOf()];
    await db()
      .insertInto("period_locks")
      .values({ workspace_id: locked.workspaceId, locked_until: today, locked_at: at(today, "16:15:00Z") })
      .execute();
    const days = { to: "USD", currencies: ["EUR"], from: today, until: today };
    const rateOf = async ({ workspaceId }: { workspaceId: string }) =>
      (await Convert.converter({ workspaceId, ...days })).rate("EUR", today)?.text;
    const unchanged = await rateOf(locked);
    await refresh({ accept: ["USD"] }, {}, at(today, "17:15:00Z"));
    expect([await rateOf(locked), await rateOf(open)]).toEqual([unchanged, "2.32"]);
  });
});

/** Ways in which a bank's server, or a proxy in front of it, can fail. */
const failures: [string, (response: ServerResponse) => void][] = [
  ["a decimal comma", (response) => response.end(ecbXml({ "2026-11-19": { USD: "1,17" } }))],
  ["truncated XML", (response) => response.end(ecbXml({ "2026-11-19": { USD: "1.17" } }).slice(0, -30))],
  ["an HTML error page with status 200", (response) => response.end("<html><body>Sorry<br></body></html>")],
  [
    "an entity bomb",
    (response) =>
      response.end(
        `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]><Envelope>&b;</Envelope>`,
      ),
  ],
  ["status 500", (response) => response.writeHead(500).end("oops")],
  ["status 404", (response) => response.writeHead(404).end()],
  ["bytes that are not UTF-8", (response) => response.end(Buffer.from([0x3c, 0xff, 0xfe]))],
  ["a connection that breaks at once", (response) => response.destroy()],
  [
    "a connection that breaks during the body",
    (response) => response.writeHead(200, { "content-length": 99 }).write("<", () => response.destroy()),
  ],
  [
    "an announced body of 50 MB",
    (response) => response.writeHead(200, { "content-length": 50_000_000 }).write("<a>"),
  ],
  ["a server that hangs", () => {}],
  ["a body that never ends", (response) => response.writeHead(200).write("<a>")],
];

describe("refresh when a bank fails", () => {
  test.each(failures)(
    "keeps the last good rates and still refreshes from the other bank after %s",
    async (_, fail) => {
      await using banks = await openBanks(published());
      await refresh({}, {}, now);
      const before = await stored();
      banks.state.answers.set("eurofxref", (_request, response) => void fail(response));
      banks.state.a = { ...banks.state.a, "2026-11-19": { EUR: "4.25", CLP: "0.0041" } };
      const refreshed = await refresh({}, { timeoutMs: 300 }, at("2026-11-19"));
      expect(refreshed.feeds).toMatchObject([
        { feed: "eurofxref-hist-90d", outcome: "refused", rates: 0, reason: expect.any(String) },
        { feed: "nbp-a-90d", outcome: "taken", rates: 2 },
        { feed: "nbp-b-90d", outcome: "unchanged" },
      ]);
      expect((await stored()).filter((line) => line.startsWith("ECB"))).toEqual(
        before.filter((line) => line.startsWith("ECB")),
      );
    },
  );

  test("stops an unannounced body of 50 MB at the size limit", async () => {
    await using banks = await openBanks();
    let sent = 0;
    const ended = Promise.withResolvers<void>();
    banks.state.answers.set("eurofxref", (_request, response) => {
      const chunk = Buffer.alloc(65_536, "a");
      const push = () => {
        while (sent < 50_000_000 && !response.destroyed) {
          sent += chunk.length;
          if (!response.write(chunk)) return void response.once("drain", push);
        }
        response.end();
      };
      response.on("close", () => ended.resolve());
      push();
    });
    const { feeds } = await refresh({}, {}, now);
    await ended.promise;
    expect(feeds[0]).toMatchObject({
      outcome: "refused",
      reason: `The document has more than ${maxBytes} bytes.`,
    });
    expect(sent).toBeLessThan(25_000_000);
  });

  test("logs the failure with its reason", async () => {
    await using banks = await openBanks(published());
    banks.state.answers.set("/A/", (_request, response) => void response.end("<html>"));
    const error = vi.spyOn(log, "error").mockImplementation(() => {});
    await refresh({}, {}, now);
    expect(error.mock.calls).toEqual([
      [
        "rates refused",
        { feed: "nbp-a-90d", outcome: "refused", rates: 0, reason: "The document is not JSON." },
      ],
    ]);
    error.mockRestore();
  });

  test("keeps using the last rates, then marks them stale, then only lists them", async () => {
    await using banks = await openBanks(published());
    const membership = await membershipOf();
    const { workspaceId } = membership;
    await refresh({}, {}, now);
    banks.state.answers.set("", (_request, response) => void response.writeHead(503).end());
    const seen = async (day: string) => {
      expect((await refresh({}, {}, at(day))).feeds.map(({ outcome }) => outcome)).toEqual(
        Array(3).fill("refused"),
      );
      const { data } = await Listing.list(membership, at(day));
      const usd = data.find(({ code }) => code === "USD");
      const options = { workspaceId, to: "EUR", currencies: ["USD"], from: day, until: day };
      const converted = (await Convert.converter(options)).convert({ minor: 10_000n, currency: "USD" }, day);
      return [usd?.rate, usd?.rateDate, usd?.stale, converted?.rateDate];
    };
    expect(await seen("2026-11-19")).toEqual(["1.1601", today, false, today]);
    expect(await seen("2026-11-24")).toEqual(["1.1601", today, true, today]);
    expect(await seen("2026-12-02")).toEqual(["1.1601", today, true, today]);
    expect(await seen("2026-12-03")).toEqual(["1.1601", today, true, undefined]);
  });
});

test("the list keeps the last rates of a bank that stopped while the other one continues", async () => {
  await using banks = await openBanks(published());
  const membership = await membershipOf();
  await refresh({}, {}, now);
  banks.state.answers.set("eurofxref", (_request, response) => void response.writeHead(503).end());
  banks.state.a = { "2026-12-10": { EUR: "4.3", CLP: "0.004" } };
  await refresh({}, {}, at("2026-12-10"));
  const { data } = await Listing.list(membership, at("2026-12-10"));
  const rateOf = (wanted: string) => {
    const { rate, rateDate, stale } = data.find(({ code }) => code === wanted) ?? {};
    return [rate, rateDate, stale];
  };
  expect(rateOf("GBP")).toEqual(["0.8812", today, true]);
  expect(rateOf("CLP")).toEqual(["1075", "2026-12-10", false]);
});

describe("refresh with a rate that jumps", () => {
  test("quarantines and reports the rate once, stores the others, and uses it once it is accepted", async () => {
    await using banks = await openBanks(published());
    await refresh({}, {}, now);
    const tomorrow = "2026-11-19";
    banks.state.ecb = { ...banks.state.ecb, [tomorrow]: { USD: "1.40", GBP: "0.88" } };
    const error = vi.spyOn(log, "error").mockImplementation(() => {});
    const first = await refresh({}, {}, at(tomorrow));
    expect(error.mock.calls).toEqual([["rates quarantined", { rates: first.quarantined }]]);
    error.mockRestore();
    expect(first.quarantined).toEqual([
      {
        source: "ECB",
        code: "USD",
        day: tomorrow,
        rate: "1.40",
        document: "EXR",
        previousDay: today,
        previousRate: "1.1601",
      },
    ]);
    expect(first.feeds[0]).toEqual({ feed: "eurofxref-hist-90d", outcome: "taken", rates: 1 });
    expect((await refresh({}, {}, at(tomorrow))).quarantined).toEqual([]);
    const used = async () =>
      (await stored()).filter((line) => line.includes(tomorrow) && line.startsWith("ECB"));
    expect(await used()).toEqual([`ECB ${tomorrow} GBP 0.88`]);
    expect((await refresh({ accept: ["USD"] }, {}, at(tomorrow))).accepted).toBe(1);
    expect(await used()).toEqual([`ECB ${tomorrow} GBP 0.88`, `ECB ${tomorrow} USD 1.40`]);
    // The next day is compared with the accepted rate.
    banks.state.ecb = { ...banks.state.ecb, "2026-11-20": { USD: "1.41", GBP: "0.88" } };
    expect((await refresh({ accept: ["USD"] }, {}, at("2026-11-20"))).quarantined).toEqual([]);
  });
});

test("refresh rejects an NBP response that contains a table other than the requested one", async () => {
  await using banks = await openBanks(published());
  banks.state.answers.set("/B/", (_request, response) => void response.end(nbpJson("A", published().a)));
  expect((await refresh({}, {}, now)).feeds[2]).toMatchObject({ feed: "nbp-b-90d", outcome: "refused" });
});
