import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import * as Clock from "../base/clock.ts";
import * as Schedule from "./schedule.ts";
import * as UrlPolicy from "./url-policy.ts";

/** Time limit from the first byte of the request to the last byte of the response. */
export const totalSeconds = 15;
/** Time limit for name resolution, TCP connection and TLS handshake. */
export const connectSeconds = 5;
/** Number of bytes of a response body that are logged. */
export const maxLoggedBytes = 16_384;
/** Size at which reading a response stops and the attempt fails. */
export const maxResponseBytes = 1_048_576;

export type Request = { url: string; headers: Record<string, string>; body: string };

type LoggedResponse = {
  /** Null if there was no response. */
  status: number | null;
  headers: Record<string, string> | null;
  /** The first `maxLoggedBytes` bytes, decoded as UTF-8. */
  body: string | null;
};

type Result = {
  /** Why the attempt failed, as shown in the delivery log. Null for a success. */
  error: string | null;
  retryAfterSeconds?: number;
};

export type Outcome = LoggedResponse & Result & { durationMs: number };

/** Access to DNS, timers and TLS. Only tests replace it. */
export type Network = {
  resolve: UrlPolicy.Resolve;
  checkAddresses: (hostname: string, addresses: readonly UrlPolicy.ResolvedAddress[]) => string | undefined;
  /** Calls `ring` once after `ms` milliseconds, unless the returned function is called before. */
  timer: (ms: number, ring: () => void) => () => void;
  /** Certificate authority to trust instead of Node's own list. */
  ca?: string;
  /** Port to connect to for https URLs instead of 443. */
  port?: number;
};

export const internet: Network = {
  resolve: UrlPolicy.resolveAll,
  checkAddresses: UrlPolicy.checkAddresses,
  timer: (ms, ring) => {
    const timeout = setTimeout(ring, ms);
    return () => clearTimeout(timeout);
  },
};

/**
 * Agents without keep-alive. A receiver may close an idle connection just as it is reused, and then it is unknown whether the
 * event arrived. Proxies from environment variables are ignored.
 */
const agents = {
  "https:": new HttpsAgent({ keepAlive: false }),
  "http:": new HttpAgent({ keepAlive: false }),
};

/** Error code that marks a message as written by this module, to be shown unchanged. */
const rejectedCode = "ADDRESS_REFUSED";

/**
 * Sends one POST request and returns its outcome. Never rejects because of the receiver, follows no redirects, and connects
 * only to public IP addresses.
 */
export async function call(request: Request, network: Network = internet): Promise<Outcome> {
  const startedAt = performance.now();
  const url = new URL(request.url);
  const response: LoggedResponse = { status: null, headers: null, body: null };
  const error = UrlPolicy.checkUrl(url);
  const result = error ? { error } : await exchange(url, request, network, response);
  return { durationMs: Math.round(performance.now() - startedAt), ...response, ...result };
}

/** Sends the request and reads the response into `logged` within the time limits. */
function exchange(url: URL, request: Request, network: Network, logged: LoggedResponse): Promise<Result> {
  const { promise, resolve } = Promise.withResolvers<Result>();
  const outgoing = open(url, request, network);
  const settle = (result: Result) => {
    cancelTotal();
    cancelConnect();
    resolve(result);
    if (result.error !== null) outgoing.destroy();
  };
  const cancelTotal = network.timer(totalSeconds * 1000, () => settle({ error: timeoutError(logged) }));
  const cancelConnect = network.timer(connectSeconds * 1000, () =>
    settle({ error: `No connection within ${connectSeconds} seconds.` }),
  );
  outgoing.on("socket", (socket) => {
    socket.once(url.protocol === "https:" ? "secureConnect" : "connect", cancelConnect);
  });
  outgoing.on("error", (error: NodeJS.ErrnoException) => settle({ error: describeError(error, url) }));
  outgoing.on("response", (response) => {
    logged.status = response.statusCode ?? 0;
    logged.headers = flattenHeaders(response);
    readBody(response, logged, settle);
  });
  outgoing.end(request.body);
  return promise;
}

function open(url: URL, { headers, body }: Request, network: Network): ClientRequest {
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  return send(url, {
    method: "POST",
    agent: agents[url.protocol as keyof typeof agents],
    lookup: checkedLookup(url, network),
    headers: { ...headers, "content-length": Buffer.byteLength(body) },
    ...(network.ca !== undefined && { ca: network.ca }),
    ...(network.port !== undefined && { port: network.port }),
  });
}

function timeoutError({ status }: LoggedResponse): string {
  return status === null
    ? `No response within ${totalSeconds} seconds.`
    : `The response did not end within ${totalSeconds} seconds.`;
}

const incomplete = "The connection closed before the response was complete.";

function readBody(response: IncomingMessage, logged: LoggedResponse, settle: (result: Result) => void): void {
  const chunks: Buffer[] = [];
  let length = 0;
  response.on("data", (chunk: Buffer) => {
    if (length < maxLoggedBytes) {
      chunks.push(chunk.subarray(0, maxLoggedBytes - length));
      logged.body = storable(Buffer.concat(chunks).toString("utf8"));
    }
    length += chunk.length;
    if (length > maxResponseBytes)
      settle({ error: `The response is larger than ${maxResponseBytes / 1024 / 1024} MiB.` });
  });
  response.on("error", () => settle({ error: incomplete }));
  response.on("end", () => {
    logged.body ??= "";
    const { statusCode = 0, headers } = response;
    const retryAfterSeconds = Schedule.retryAfterSeconds(headers["retry-after"], Clock.now());
    settle({
      error: statusError(statusCode, headers.location),
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    });
  });
}

/** Returns why a response with this status is a failure, or null for 2xx. */
export function statusError(status: number, location = "an unknown location"): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400)
    return `Redirects are not followed (${status} to ${location.slice(0, 200)}).`;
  return `The endpoint returned ${status}. Only 2xx counts as success.`;
}

/**
 * Creates a DNS lookup that checks every address of the host and connects to one of those checked, so that the name cannot
 * resolve to another address between check and connection (DNS rebinding).
 */
function checkedLookup({ hostname }: URL, { resolve, checkAddresses }: Network): LookupFunction {
  // `checkUrl` accepts "localhost" only where loopback is allowed.
  const check = hostname === "localhost" ? checkLoopback : checkAddresses;
  return (name, options, callback) => {
    resolve(name).then(
      (addresses) => {
        const [first] = addresses;
        const error = check(name, addresses) ?? (first ? undefined : unresolved(name));
        if (error || !first) callback(rejection(error ?? ""), "", 0);
        else if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, "", 0),
    );
  };
}

function checkLoopback(
  hostname: string,
  addresses: readonly UrlPolicy.ResolvedAddress[],
): string | undefined {
  const other = addresses.find(({ address }) => UrlPolicy.nonPublicRange(address) !== "loopback");
  return other && `${hostname} must resolve to a loopback address, not to ${other.address}.`;
}

function rejection(message: string): NodeJS.ErrnoException {
  return Object.assign(new Error(message), { code: rejectedCode });
}

function unresolved(hostname: string): string {
  return `The host name ${hostname} does not resolve to an IP address.`;
}

const errorsByCode: Record<string, string> = {
  ECONNREFUSED: "The connection was refused.",
  ECONNRESET: incomplete,
  EPIPE: incomplete,
  ETIMEDOUT: "The connection timed out.",
  EHOSTUNREACH: "The host is unreachable.",
  ENETUNREACH: "The network is unreachable.",
  EPROTO: "The TLS handshake failed.",
};

/** Describes a network error for the delivery log. Uses only its code: the text may contain internals. */
function describeError(error: NodeJS.ErrnoException, { hostname }: URL): string {
  const { code = "" } = error;
  if (code === rejectedCode) return error.message;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return unresolved(hostname);
  if (/CERT|SIGNATURE|ALTNAME/.test(code))
    return `The TLS certificate is not valid for ${hostname} (${code}).`;
  if (/^(?:ERR_SSL|ERR_TLS)/.test(code)) return `The TLS handshake failed (${code}).`;
  if (code.startsWith("HPE_")) return `The response is not valid HTTP (${code}).`;
  return errorsByCode[code] ?? `The request failed${code && ` (${code})`}.`;
}

function flattenHeaders({ headersDistinct }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headersDistinct).map(([name, values = []]) => [name, storable(values.join(", "))]),
  );
}

/** Replaces NUL characters, which PostgreSQL text cannot store. */
function storable(value: string): string {
  return value.replaceAll("\u0000", "\ufffd");
}
