import { describe, expect, test } from "vitest";
import { ecbXml, nbpJson } from "../../testing/bank.ts";
import { inOrder } from "./bulletin.ts";
import * as Ecb from "./ecb.ts";
import * as Nbp from "./nbp.ts";
import { judge } from "./validate.ts";

const days = {
  "2026-03-17": { USD: "1.1530", JPY: "183.06" },
  "2026-03-18": { USD: "1.1525", JPY: "183.11" },
};
const refused = expect.objectContaining({ code: "feed_refused", kind: "upstream" });
const plain = ({ day, rates }: { day: string; rates: ReadonlyMap<string, string> }) => [
  day,
  Object.fromEntries(rates),
];

describe("the European Central Bank’s document", () => {
  test.each(["'", '"'] as const)("is read with its quotes %s, many days, digit for digit", (quote) => {
    const bulletins = inOrder(Ecb.read(ecbXml(days, quote)), "2026-03-18");
    expect(bulletins.map(plain)).toEqual(Object.entries(days));
    expect(bulletins[0]).toMatchObject({ source: "ECB", document: "EXR" });
  });

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
    ["no rate", good.replace(' rate="1.1530"', "")],
    ["no day", good.replace(' time="2026-03-17"', "")],
    ["a day that is none", good.replace("2026-03-17", "2026-02-30")],
    ["a day in another form", good.replace("2026-03-17", "17.03.2026")],
    ["a currency twice", good.replace('"JPY"', '"USD"')],
    ["no days", ecbXml({})],
    ["a day without rates", ecbXml({ "2026-03-18": {} })],
    ["truncation", good.slice(0, -40)],
    ["truncation in the middle of a tag", good.slice(0, good.indexOf("JPY") + 1)],
    ["nothing", ""],
    ["an HTML page", "<!doctype html><html><body><h1>Service unavailable</h1><br></body></html>"],
    ["XHTML without a doctype", "<html><body><h1>Service unavailable</h1></body></html>"],
    ["JSON", "[]"],
    [
      "an entity bomb",
      good.replace("?>", `?><!DOCTYPE lolz [<!ENTITY a0 "lol">${entities}]>`).replace("1.1530", "&a9;"),
    ],
    ["an external entity", good.replace("?>", '?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>')],
    ["an entity that nobody declared", good.replace("1.1530", "&a9;")],
  ])("is refused with %s", (_, xml) => expect(() => inOrder(Ecb.read(xml), "2026-03-18")).toThrow(refused));

  test("is refused when it is of tomorrow", () =>
    expect(() => inOrder(Ecb.read(good), "2026-03-17")).toThrow(refused));

  test("is refused when a day comes twice", () =>
    expect(() => inOrder(Ecb.read(good.replace("2026-03-17", "2026-03-18")), "2026-03-18")).toThrow(refused));
});

describe("the National Bank of Poland’s tables", () => {
  test("are read digit for digit, not as floats", () => {
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
    ["no day", good.replace('"effectiveDate"', '"tradingDate"')],
    ["another table", good.replace('"table":"B"', '"table":"A"')],
    ["truncation", good.slice(0, -3)],
    ["an HTML page", "<html><body>Error</body></html>"],
    ["an object", "{}"],
    ["an empty list", "[]"],
    ["a table without rates", nbpJson("B", { "2026-03-04": {} })],
    ["a day twice", good.replace("2026-03-11", "2026-03-04")],
    ["nesting without end", "[".repeat(100_000)],
  ])("are refused with %s", (_, json) =>
    expect(() => inOrder(Nbp.read("B", json), "2026-03-18")).toThrow(refused),
  );
});

describe("a rate that moves", () => {
  const known = [{ code: "USD", day: "2026-03-17", rate: "1.0000" }];
  const judged = (rate: string, day = "2026-03-18", before = known) => {
    const bulletin = { source: "ECB" as const, day, document: "EXR", rates: new Map([["USD", rate]]) };
    const { good, quarantined } = judge([bulletin], before);
    return good.length === 1 ? "good" : quarantined.length === 1 ? "quarantined" : "known";
  };

  test.each([
    ["1.1999", "good"],
    ["1.2000", "quarantined"],
    ["0.8001", "good"],
    ["0.8000", "quarantined"],
    ["10", "quarantined"],
    ["0.0001", "quarantined"],
  ])("from 1 to %s is %s", (rate, verdict) => expect(judged(rate)).toBe(verdict));

  test("is held against nothing when there is nothing that still serves", () => {
    expect(judged("5", "2026-03-18", [])).toBe("good");
    expect(judged("5", "2026-03-31")).toBe("quarantined");
    expect(judged("5", "2026-04-01")).toBe("good");
  });

  test("does not change what is known of that day", () => expect(judged("1.1", "2026-03-17")).toBe("known"));

  test("is set aside alone: its neighbours and the next day's return are taken", () => {
    const bulletins = [
      { "2026-03-18": { USD: "1.5", GBP: "0.8" } },
      { "2026-03-19": { USD: "1.01", GBP: "0.81" } },
    ].flatMap((table) => Ecb.read(ecbXml(table)));
    const { good, quarantined } = judge(bulletins, known);
    expect(good.map(({ code, day }) => `${code} ${day}`)).toEqual([
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
