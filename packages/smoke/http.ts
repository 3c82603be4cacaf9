import { isDeepStrictEqual } from "node:util";

/** A response with its parsed body: JSON as a value, text as a string, everything else as bytes. */
export type Answer = {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: each check knows the shape of the body that it expects.
  body: any;
};

/** An expectation that a response did not meet. */
export class Mismatch extends Error {
  override name = "Mismatch";
}

/** Longest wait for one response. API Gateway itself gives up after 30 seconds. */
const timeoutMs = 35_000;

/** Sends one request. Does not follow redirects. Throws `Mismatch` if there is no response. */
export async function send(url: string, init: RequestInit = {}): Promise<Answer> {
  const name = `${init.method ?? "GET"} ${url.replace(/\?.*$/s, "")}`;
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { redirect: "manual", signal, ...init });
    const bytes = Buffer.from(await response.arrayBuffer());
    return {
      status: response.status,
      headers: response.headers,
      body: parse(bytes, response.headers.get("content-type") ?? ""),
    };
  } catch (error) {
    const { message, cause } = error as Error;
    throw new Mismatch(
      `${name}: expected a response, got ${cause instanceof Error ? cause.message : message}`,
    );
  }
}

function parse(bytes: Buffer, type: string): unknown {
  if (bytes.length === 0) return undefined;
  if (/^application\/([\w.-]+\+)?json\b/.test(type)) {
    try {
      return JSON.parse(bytes.toString());
    } catch {
      return bytes.toString();
    }
  }
  return /^text\/|xml\b/.test(type) ? bytes.toString() : bytes;
}

/** Throws `Mismatch` unless both values are deeply equal. `what` names the value. */
export function expectEqual(what: string, got: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(got, expected))
    throw new Mismatch(`${what}: expected ${shown(expected)}, got ${shown(got)}`);
}

/** Throws `Mismatch` unless the text matches. A missing value matches nothing. */
export function expectMatch(what: string, got: unknown, pattern: RegExp): void {
  if (typeof got !== "string" || !pattern.test(got))
    throw new Mismatch(`${what}: expected ${pattern}, got ${shown(got)}`);
}

/**
 * Throws `Mismatch` unless the response has this status. An error must be an RFC 9457 problem document with this code.
 * `what` names the request.
 */
export function expectStatus(what: string, answer: Answer, status: number, code?: string): void {
  const { body, headers } = answer;
  if (answer.status !== status) {
    const detail = body?.code ?? body?.message;
    throw new Mismatch(`${what}: expected ${status}, got ${answer.status}${detail ? ` (${detail})` : ""}`);
  }
  if (code === undefined) return;
  expectMatch(`${what}: content-type`, headers.get("content-type"), /^application\/problem\+json\b/);
  expectEqual(`${what}: code`, body?.code, code);
  expectEqual(`${what}: status in the body`, body.status, status);
  for (const member of ["type", "title", "detail", "instance", "requestId"])
    expectEqual(`${what}: type of ${member}`, typeof body[member], "string");
}

function shown(value: unknown): string {
  const text = typeof value === "string" ? `"${value}"` : (JSON.stringify(value) ?? String(value));
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
