import { describe, expect, test } from "vitest";
import { ecbXml, nbpJson } from "../../testing/bank.ts";
import * as Ecb from "./ecb.ts";
import * as Nbp from "./nbp.ts";
import { type PublishedTable, parseTable, sortByDay } from "./published-table.ts";
import { classify } from "./quarantine.ts";

const days = {
  "2026-03-17": { USD: "1.1530", JPY: "183.06" },
  "2026-03-18": { USD: "1.1525", JPY: "183.11" },
};
const feedRefused = expect.objectContaining({ code: "feed_refused", kind: "upstream" });
const dayAndRates = ({ day, rates }: PublishedTable) => [day, Object.fromEntries(rates)];

describe("Ecb.read", () => {
  test.each(["'", '"'] as const)(
    "reads a document of several days digit for digit, with attributes quoted by %s",
    (quote) => {
      const tables = sortByDay(Ecb.read(ecbXml(days, quote)), "2026-03-18");
      expect(tables.map(dayAndRates)).toEqual(Object.entries(days));
      expect(tables[0]).toMatchObject({ source: "ECB", document: "EXR" });
    },
  );

  const good = ecbXml(days);
  const entities = Array.from({ length: 9 }, (_, n) => `<!ENTITY a${n + 1} "${`&a${n};`.repeat(10)}">`).join(
    "",
  );
  test.each([
    ["a decimal comma", good.replace("1.1530", "1,1530")],
    ["an exponent", good.replace("1.1530", "1.1530e0")],
    ["a rate of zero", good.replace("1.1530", "0.000")],
    ["a negative rate", good.replace("1.1530", "-1.1530")],
    ["N/A for a rate", good.replace("1.1530", "N/A")],
    ["a missing rate", good.replace(' rate="1.1530"', "")],
    ["a missing day", good.replace(' time="2026-03-17"', "")],
    ["a day that does not exist", good.replace("2026-03-17", "2026-02-30")],
    ["a day in another form", good.replace("2026-03-17", "17.03.2026")],
    ["a duplicate currency", good.replace('"JPY"', '"USD"')],
    ["no tables", ecbXml({})],
    ["a table without rates", ecbXml({ "2026-03-18": {} })],
    ["a missing end", good.slice(0, -40)],
    ["an end in the middle of a tag", good.slice(0, good.indexOf("JPY") + 1)],
    ["an empty body", ""],
    ["an HTML page", "<!doctype html><html><body><h1>Service unavailable</h1><br></body></html>"],
    ["XHTML without a doctype", "<html><body><h1>Service unavailable</h1></body></html>"],
    ["JSON", "[]"],
    [
      "an entity bomb",
      good.replace("?>", `?><!DOCTYPE lolz [<!ENTITY a0 "lol">${entities}]>`).replace("1.1530", "&a9;"),
    ],
    ["an external entity", good.replace("?>", '?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>')],
    ["an undeclared entity", good.replace("1.1530", "&a9;")],
    ["a rate with an encoded decimal point", good.replace("1.1530", "1&#46;1530")],
  ])("rejects a document with %s", (_, xml) =>
    expect(() => sortByDay(Ecb.read(xml), "2026-03-18")).toThrow(feedRefused),
  );

  test("rejects a table that is dated in the future", () =>
    expect(() => sortByDay(Ecb.read(good), "2026-03-17")).toThrow(feedRefused));

  test("rejects two tables of the same day", () =>
    expect(() => sortByDay(Ecb.read(good.replace("2026-03-17", "2026-03-18")), "2026-03-18")).toThrow(
      feedRefused,
    ));
});

describe("parseTable", () => {
  const parse = (code: unknown, rate: unknown, day: unknown = "2026-03-18", document: unknown = "EXR") =>
    parseTable("ECB", day, document, [[code, rate]]);

  test.each(["1", "0.1", "999999999.000000000001"])("keeps the rate %s as it was published", (rate) =>
    expect([...parse("USD", rate).rates]).toEqual([["USD", rate]]),
  );

  test.each(["1000000000", "1.", ".5", "1.0000000000001", " 1", "1 ", "0", "0.0", 1, undefined])(
    "rejects the rate %j",
    (rate) => expect(() => parse("USD", rate)).toThrow(feedRefused),
  );

  test.each(["EURO", "xEUR", "EUR ", "eur", "EU", "", undefined, 978])("rejects the currency %j", (code) =>
    expect(() => parse(code, "1")).toThrow(feedRefused),
  );

  test.each(["+012026-03-18", "2026-03-18T00:00:00.000Z", "2026-3-18", "", undefined, 20260318])(
    "rejects the day %j",
    (day) => expect(() => parseTable("ECB", day, "EXR", [["USD", "1"]])).toThrow(feedRefused),
  );

  test.each(["", undefined, 1])("rejects the document name %j", (document) =>
    expect(() => parseTable("ECB", "2026-03-18", document, [["USD", "1"]])).toThrow(feedRefused),
  );
});

test("sortByDay sorts tables by day, without changing the list", () => {
  const tables = ["17", "19", "16", "18"].map((day) =>
    parseTable("ECB", `2026-03-${day}`, "EXR", [["USD", "1"]]),
  );
  const sorted = sortByDay(tables, "2026-03-19").map(({ day }) => day.slice(-2));
  expect(sorted).toEqual(["16", "17", "18", "19"]);
  expect(tables.map(({ day }) => day.slice(-2))).toEqual(["17", "19", "16", "18"]);
});

describe("Nbp.read", () => {
  test("reads rates digit for digit, not as floats", () => {
    const rates = { IDR: "0.00021300", EUR: "4.2304", XDR: "12345678.123456789012" };
    const [table] = Nbp.read("A", nbpJson("A", { "2026-03-04": rates }));
    expect(table).toMatchObject({ source: "NBP-A", day: "2026-03-04", document: "001/A/NBP/2026" });
    expect(Object.fromEntries(table?.rates ?? [])).toEqual(rates);
  });

  const good = nbpJson("B", { "2026-03-04": { KWD: "12.0172" }, "2026-03-11": { KWD: "12.02" } });
  test.each([
    ["a decimal comma", good.replace("12.0172", '"12,0172"')],
    ["an exponent", good.replace("12.0172", "1.20172e1")],
    ["a negative rate", good.replace("12.0172", "-12")],
    ["null for a rate", good.replace("12.0172", "null")],
    ["a missing day", good.replace('"effectiveDate"', '"tradingDate"')],
    ["another table", good.replace('"table":"B"', '"table":"A"')],
    ["a missing end", good.slice(0, -3)],
    ["an HTML page", "<html><body>Error</body></html>"],
    ["an object", "{}"],
    ["an empty list", "[]"],
    ["a table without rates", nbpJson("B", { "2026-03-04": {} })],
    ["a duplicate day", good.replace("2026-03-11", "2026-03-04")],
    ["100,000 nested lists", "[".repeat(100_000)],
  ])("rejects a document with %s", (_, json) =>
    expect(() => sortByDay(Nbp.read("B", json), "2026-03-18")).toThrow(feedRefused),
  );
});

describe("classify", () => {
  const stored = [{ code: "USD", day: "2026-03-17", rate: "1.0000", revision: 0 }];
  const classOf = (rate: string, day = "2026-03-18", before = stored) => {
    const table = { source: "ECB" as const, day, document: "EXR", rates: new Map([["USD", rate]]) };
    const { accepted, corrected, quarantined } = classify([table], before);
    if (accepted.length + corrected.length === 1) return corrected.length === 1 ? "corrected" : "accepted";
    return quarantined.length === 1 ? "quarantined" : "stored";
  };

  test.each([
    ["1.1999", "accepted"],
    ["1.2000", "quarantined"],
    ["0.8001", "accepted"],
    ["0.8000", "quarantined"],
    ["10", "quarantined"],
    ["0.0001", "quarantined"],
  ])("a rate that moves from 1 to %s is %s", (rate, expected) => expect(classOf(rate)).toBe(expected));

  test("accepts any rate when the last one is missing or more than 14 days old", () => {
    expect(classOf("5", "2026-03-18", [])).toBe("accepted");
    expect(classOf("5", "2026-03-31")).toBe("quarantined");
    expect(classOf("5", "2026-04-01")).toBe("accepted");
  });

  test.each([
    ["1.0", "stored"],
    ["1.1", "corrected"],
    ["1.2", "quarantined"],
  ])("a stored rate of 1.0000 that is published again as %s is %s", (rate, expected) =>
    expect(classOf(rate, "2026-03-17")).toBe(expected),
  );

  test("quarantines a correction that jumps from the day before, and keeps comparing with the stored rate", () => {
    const before = [...stored, { code: "USD", day: "2026-03-18", rate: "1.1", revision: 3 }];
    expect(classOf("1.2", "2026-03-18", before)).toBe("quarantined");
    const tables = [{ "2026-03-18": { USD: "1.19" } }, { "2026-03-19": { USD: "1.2" } }].flatMap((table) =>
      Ecb.read(ecbXml(table)),
    );
    expect(classify(tables, before)).toMatchObject({
      accepted: [{ day: "2026-03-19" }],
      corrected: [{ day: "2026-03-18", rate: "1.19", previousRate: "1.1", revision: 4 }],
      quarantined: [],
    });
  });

  test("compares with the last stored rate before the day, in whatever order the rates are stored", () => {
    const before = [
      { code: "USD", day: "2026-03-16", rate: "2" },
      { code: "USD", day: "2026-03-17", rate: "1" },
      { code: "USD", day: "2026-03-15", rate: "2" },
      { code: "USD", day: "2026-03-19", rate: "2" },
    ].map((rate) => ({ ...rate, revision: 0 }));
    expect(classOf("1.1", "2026-03-18", before)).toBe("accepted");
    expect(classOf("2", "2026-03-18", before)).toBe("quarantined");
  });

  test("compares each table with the one before it", () => {
    const tables = [
      { "2026-03-18": { USD: "1.1" } },
      { "2026-03-19": { USD: "1.3" } },
      { "2026-03-20": { USD: "1.57" } },
    ].flatMap((table) => Ecb.read(ecbXml(table)));
    const jumps = (known: typeof stored) => classify(tables, known).quarantined.map(({ day }) => day);
    expect(jumps(stored)).toEqual(["2026-03-20"]);
    expect(jumps([...stored, { code: "USD", day: "2026-03-19", rate: "1.4", revision: 0 }])).toEqual([
      "2026-03-20",
    ]);
  });

  test("quarantines only the jumping rate, not its neighbours or the return to normal on the next day", () => {
    const tables = [
      { "2026-03-18": { USD: "1.5", GBP: "0.8" } },
      { "2026-03-19": { USD: "1.01", GBP: "0.81" } },
    ].flatMap((table) => Ecb.read(ecbXml(table)));
    const { accepted, quarantined } = classify(tables, stored);
    expect(accepted.map(({ code, day }) => `${code} ${day}`)).toEqual([
      "GBP 2026-03-18",
      "USD 2026-03-19",
      "GBP 2026-03-19",
    ]);
    expect(quarantined).toEqual([
      {
        code: "USD",
        day: "2026-03-18",
        rate: "1.5",
        document: "EXR",
        previousDay: "2026-03-17",
        previousRate: "1.0000",
      },
    ]);
  });
});
