import { XMLParser, XMLValidator } from "fast-xml-parser";
import { type Bulletin, bulletin, refused } from "./bulletin.ts";

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
 * The euro reference rates of the European Central Bank, `eurofxref-daily.xml` and its longer sisters: units of each
 * currency for one euro, a `Cube` a day. Throws 502 `feed_refused` for anything else.
 */
export function read(xml: string): Bulletin[] {
  // The bank's documents have no DTD, and a DTD is where entities that unfold into gigabytes are declared.
  if (/<!(?:DOCTYPE|ENTITY)/i.test(xml)) throw refused("The document declares a DTD.");
  if (XMLValidator.validate(xml) !== true) throw refused("The document is not well-formed XML.");
  const days = (parser.parse(xml)?.Envelope?.Cube as Cube[] | undefined)?.[0]?.Cube;
  if (!Array.isArray(days)) throw refused("The document is not the bank’s table of reference rates.");
  return days.map((day) => {
    const rates = Array.isArray(day?.Cube) ? day.Cube : [];
    return bulletin(
      "ECB",
      day?.time,
      "EXR",
      rates.map((cube) => [cube?.currency, cube?.rate]),
    );
  });
}
