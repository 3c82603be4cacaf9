import { XMLParser, XMLValidator } from "fast-xml-parser";
import { feedRefused, type PublishedTable, parseTable } from "./published-table.ts";

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "",
  removeNSPrefix: true,
  parseAttributeValue: false,
  parseTagValue: false,
  processEntities: false,
  isArray: (name) => name === "Cube",
});

type Cube = { time?: unknown; currency?: unknown; rate?: unknown; Cube?: Cube[] };

/**
 * Reads the euro reference rates of the European Central Bank (`eurofxref-daily.xml`, `eurofxref-hist-90d.xml`): units of each
 * currency for one euro, one `Cube` per day. Throws `upstream` `feed_refused` for anything else.
 */
export function read(xml: string): PublishedTable[] {
  // The bank's documents have no DTD. A DTD could declare entities that expand to gigabytes.
  if (/<!(?:DOCTYPE|ENTITY)/i.test(xml)) throw feedRefused("The document declares a DTD.");
  if (XMLValidator.validate(xml) !== true) throw feedRefused("The document is not well-formed XML.");
  const days = (parser.parse(xml)?.Envelope?.Cube as Cube[] | undefined)?.[0]?.Cube;
  if (!Array.isArray(days)) throw feedRefused("The document is not the bank’s table of reference rates.");
  return days.map((day) => {
    const rates = Array.isArray(day?.Cube) ? day.Cube : [];
    return parseTable(
      "ECB",
      day?.time,
      "EXR",
      rates.map((cube) => [cube?.currency, cube?.rate]),
    );
  });
}
