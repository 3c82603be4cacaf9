import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The published rates of a fake bank: rate strings by currency code, by day. */
export type Table = Record<string, Record<string, string>>;

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Returns an ECB document. The daily one uses single quotes and the 90-day one double quotes. */
export function ecbXml(days: Table, quote: "'" | '"' = '"'): string {
  const q = (value: string) => quote + value + quote;
  const cubes = Object.entries(days)
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .map(
      ([day, rates]) =>
        `<Cube time=${q(day)}>${Object.entries(rates)
          .map(([code, rate]) => `\n\t\t\t<Cube currency=${q(code)} rate=${q(rate)}/>`)
          .join("")}\n\t\t</Cube>`,
    );
  return `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
\t<gesmes:subject>Reference rates</gesmes:subject>
\t<gesmes:Sender>
\t\t<gesmes:name>European Central Bank</gesmes:name>
\t</gesmes:Sender>
\t<Cube>
\t\t${cubes.join("\n\t\t")}
\t</Cube>
</gesmes:Envelope>`;
}

/** Returns NBP tables in the format of its API. Rates are JSON numbers with unchanged digits. */
export function nbpJson(table: "A" | "B", days: Table): string {
  const tables = Object.entries(days)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([day, rates], at) => {
      const list = Object.entries(rates).map(
        ([code, mid]) => `{"currency":"ł ${code}","code":"${code}","mid":${mid}}`,
      );
      const no = `${String(at + 1).padStart(3, "0")}/${table}/NBP/${day.slice(0, 4)}`;
      return `{"table":"${table}","no":"${no}","effectiveDate":"${day}","rates":[${list.join(",")}]}`;
    });
  return `[${tables.join(",")}]`;
}

/**
 * Starts both banks on 127.0.0.1. They publish the given tables with ETags and return 404 for ranges without a table.
 * `answers` overrides responses. The environment points to these banks until the caller disposes of them.
 */
export async function openBanks(published: { ecb?: Table; a?: Table; b?: Table } = {}) {
  const state = {
    ecb: published.ecb ?? {},
    a: published.a ?? {},
    b: published.b ?? {},
    /** Responses that replace the default one, by a part of the path. */
    answers: new Map<string, Answer>(),
    requests: [] as string[],
  };
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    state.requests.push(path);
    const override = [...state.answers].find(([part]) => path.includes(part))?.[1];
    if (override) return override(request, response);
    const body = document(state, path);
    if (body === undefined) return void response.writeHead(404).end("404 NotFound - Not Found - Brak danych");
    const etag = `"${Buffer.from(body).toString("base64url").length}-${path.length}-${hash(body)}"`;
    if (request.headers["if-none-match"] === etag) return void response.writeHead(304, { etag }).end();
    response.writeHead(200, { etag }).end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const before = [process.env.RATES_ECB_URL, process.env.RATES_NBP_URL];
  process.env.RATES_ECB_URL = `${url}/eurofxref`;
  process.env.RATES_NBP_URL = `${url}/tables`;
  return {
    state,
    url,
    async [Symbol.asyncDispose]() {
      [process.env.RATES_ECB_URL, process.env.RATES_NBP_URL] = before;
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function hash(text: string): number {
  let value = 0;
  for (const character of text) value = (Math.imul(value, 31) + character.charCodeAt(0)) | 0;
  return value >>> 0;
}

function document({ ecb, a, b }: { ecb: Table; a: Table; b: Table }, path: string): string | undefined {
  if (path === "/eurofxref/eurofxref-hist-90d.xml" || path === "/eurofxref/eurofxref-hist.xml")
    return Object.keys(ecb).length > 0 ? ecbXml(ecb) : undefined;
  if (path === "/eurofxref/eurofxref-daily.xml") {
    const [last] = Object.entries(ecb).sort(([x], [y]) => (x < y ? 1 : -1));
    return last && ecbXml(Object.fromEntries([last]), "'");
  }
  const [, table, from = "", to = ""] =
    /^\/tables\/([AB])\/([\d-]+)\/([\d-]+)\/\?format=json$/.exec(path) ?? [];
  if (table !== "A" && table !== "B") return undefined;
  const days = Object.entries(table === "A" ? a : b).filter(([day]) => from <= day && day <= to);
  return days.length > 0 ? nbpJson(table, Object.fromEntries(days)) : undefined;
}
