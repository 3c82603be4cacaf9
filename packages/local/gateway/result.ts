import { validateHeaderName, validateHeaderValue } from "node:http";

/** An answer on its way to the wire. Names of headers are in lower case and may repeat. */
export type Answer = { status: number; headers: [string, string][]; body: Buffer };

/** What the gateway sets itself. */
const own = new Set("connection content-length date keep-alive transfer-encoding upgrade".split(" "));

const bodiless = new Set([204, 205, 304]);

/**
 * The answer that an HTTP API makes of what a function returned. With a statusCode it is taken at its word; anything
 * else is the body of a 200, a string as it is and a value as JSON. `multiValueHeaders` belong to payload format 1.0 and
 * are ignored, as there. Throws when it is no proper result: the gateway says 500 then.
 */
export function fromResult(result: unknown): Answer {
  if (!isObject(result) || !("statusCode" in result)) return bare(result);
  const { statusCode, headers = {}, cookies = [], body, isBase64Encoded = false } = result;
  if (!Number.isInteger(statusCode) || Number(statusCode) < 200 || Number(statusCode) > 599)
    malformed("statusCode must be a whole number from 200 to 599");
  const status = Number(statusCode);
  const lines = [...headerLines(headers), ...cookieLines(cookies)];
  const bytes = bodiless.has(status) ? Buffer.alloc(0) : bodyBytes(body, isBase64Encoded);
  if (bytes.length > 0 && !lines.some(([name]) => name === "content-type"))
    lines.push(["content-type", "text/plain;charset=UTF-8"]);
  return { status, headers: lines, body: bytes };
}

/** An answer of the gateway itself, worded as AWS words it. */
export function gatewayAnswer(status: number, message: string): Answer {
  return json(status, JSON.stringify({ message }));
}

function bare(value: unknown): Answer {
  return json(200, typeof value === "string" ? value : (JSON.stringify(value) ?? "null"));
}

function json(status: number, text: string): Answer {
  return { status, headers: [["content-type", "application/json"]], body: Buffer.from(text) };
}

function headerLines(headers: unknown): [string, string][] {
  if (headers === null) return [];
  if (!isObject(headers)) malformed("headers must be an object");
  return Object.entries(headers).flatMap(([given, value]): [string, string][] => {
    const name = given.toLowerCase();
    if (own.has(name) || value === null || value === undefined) return [];
    if (typeof value === "object") malformed(`the header ${name} must be one value`);
    return [line(name, String(value))];
  });
}

function cookieLines(cookies: unknown): [string, string][] {
  if (cookies === null) return [];
  if (!Array.isArray(cookies) || !cookies.every((cookie) => typeof cookie === "string"))
    malformed("cookies must be a list of strings");
  return cookies.map((cookie) => line("set-cookie", cookie));
}

/** Throws on what would break the framing of the answer, such as a line break. */
function line(name: string, value: string): [string, string] {
  validateHeaderName(name);
  validateHeaderValue(name, value);
  return [name, value];
}

function bodyBytes(body: unknown, isBase64Encoded: unknown): Buffer {
  if (body === undefined || body === null) return Buffer.alloc(0);
  if (typeof body !== "string") malformed("body must be a string");
  if (isBase64Encoded !== true) return Buffer.from(body);
  if (body.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(body)) malformed("body is not base64");
  return Buffer.from(body, "base64");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function malformed(why: string): never {
  throw new Error(`Malformed result: ${why}.`);
}
