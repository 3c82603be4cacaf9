import { validateHeaderName, validateHeaderValue } from "node:http";

/** A response to send. Header names are in lower case and may repeat. */
export type Reply = { status: number; headers: [string, string][]; body: Buffer };

/** Headers that the gateway sets itself. */
const gatewayHeaders = new Set(
  "connection content-length date keep-alive transfer-encoding upgrade".split(" "),
);

const withoutBody = new Set([204, 205, 304]);

/**
 * Converts the result of a function to a response, as an HTTP API does. An object with a `statusCode` defines the whole
 * response; any other value is the body of a 200, a string as it is and everything else as JSON. `multiValueHeaders` belong to
 * payload format 1.0 and are ignored. Throws on a malformed result, for which the gateway responds with 500.
 */
export function fromResult(result: unknown): Reply {
  if (!isObject(result) || !("statusCode" in result)) return bodyOnly(result);
  const { statusCode, headers = {}, cookies = [], body, isBase64Encoded = false } = result;
  if (!Number.isInteger(statusCode) || Number(statusCode) < 200 || Number(statusCode) > 599)
    malformed("statusCode must be a whole number from 200 to 599");
  const status = Number(statusCode);
  const lines = [...headerLines(headers), ...cookieLines(cookies)];
  const bytes = withoutBody.has(status) ? Buffer.alloc(0) : bodyBytes(body, isBase64Encoded);
  if (bytes.length > 0 && !lines.some(([name]) => name === "content-type"))
    lines.push(["content-type", "text/plain;charset=UTF-8"]);
  return { status, headers: lines, body: bytes };
}

/** Builds a response of the gateway itself, with the message that AWS uses. */
export function gatewayReply(status: number, message: string): Reply {
  return json(status, JSON.stringify({ message }));
}

function bodyOnly(value: unknown): Reply {
  return json(200, typeof value === "string" ? value : (JSON.stringify(value) ?? "null"));
}

function json(status: number, text: string): Reply {
  return { status, headers: [["content-type", "application/json"]], body: Buffer.from(text) };
}

function headerLines(headers: unknown): [string, string][] {
  if (headers === null) return [];
  if (!isObject(headers)) malformed("headers must be an object");
  return Object.entries(headers).flatMap(([original, value]): [string, string][] => {
    const name = original.toLowerCase();
    if (gatewayHeaders.has(name) || value === null || value === undefined) return [];
    if (typeof value === "object") malformed(`the header ${name} must have a single value`);
    return [line(name, String(value))];
  });
}

function cookieLines(cookies: unknown): [string, string][] {
  if (cookies === null) return [];
  if (!Array.isArray(cookies) || !cookies.every((cookie) => typeof cookie === "string"))
    malformed("cookies must be a list of strings");
  return cookies.map((cookie) => line("set-cookie", cookie));
}

/** Validates a header. Throws on line breaks and other characters that would break the framing of the response. */
function line(name: string, value: string): [string, string] {
  validateHeaderName(name);
  validateHeaderValue(name, value);
  return [name, value];
}

function bodyBytes(body: unknown, isBase64Encoded: unknown): Buffer {
  if (body === undefined || body === null) return Buffer.alloc(0);
  if (typeof body !== "string") malformed("body must be a string");
  if (isBase64Encoded !== true) return Buffer.from(body);
  if (body.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(body)) malformed("body must be base64");
  return Buffer.from(body, "base64");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function malformed(why: string): never {
  throw new Error(`Malformed result: ${why}.`);
}
