import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as overHttp } from "node:http";
import { Agent as HttpsAgent, request as overHttps } from "node:https";
import type { LookupFunction } from "node:net";
import * as Clock from "../base/clock.ts";
import * as Address from "./address.ts";
import * as Schedule from "./schedule.ts";

/** From the first byte we send to the last one of the answer, however slowly it comes. */
export const totalSeconds = 15;
/** Name, connection and TLS. */
export const connectSeconds = 5;
/** As much of an answer's body is kept. */
export const keptBytes = 16_384;
/** Nobody answers a webhook with more than this: reading stops, and the attempt has failed. */
export const maxAnswerBytes = 1_048_576;

export type Request = { url: string; headers: Record<string, string>; body: string };

export type Outcome = {
  durationMs: number;
  /** Null when there was no answer. */
  status: number | null;
  headers: Record<string, string> | null;
  /** The first 16 KiB, as text. */
  body: string | null;
  /** Why it is a failure, for the people who read the log; null for a success. */
  error: string | null;
  retryAfterSeconds?: number;
};

/** The world that a call meets. Tests bring another one; nothing else does. */
export type Network = {
  resolve: Address.Resolve;
  objection: (hostname: string, addresses: readonly Address.Address[]) => string | undefined;
  /** Rings once after so many milliseconds, unless the function it returns is called before. */
  timer: (ms: number, ring: () => void) => () => void;
  /** Certificates to trust instead of those that Node trusts. */
  ca?: string;
  /** Where https listens there, instead of at 443. */
  port?: number;
};

export const internet: Network = {
  resolve: Address.resolveAll,
  objection: Address.objectionToAddresses,
  timer: (ms, ring) => {
    const timeout = setTimeout(ring, ms);
    return () => clearTimeout(timeout);
  },
};

/**
 * A connection for each call: one that lay idle may be closed by the receiver at the moment of its use, and then nobody
 * could say whether the message had arrived. A proxy that the environment names is not asked.
 */
const agents = {
  "https:": new HttpsAgent({ keepAlive: false }),
  "http:": new HttpAgent({ keepAlive: false }),
};

/** The code of our own refusal, whose message is for the reader as it is. */
const refusedCode = "ADDRESS_REFUSED";

/** POST once, and say how it went. Never throws, follows no redirect, and connects to no address that is not public. */
export function call(request: Request, network: Network = internet): Promise<Outcome> {
  const startedAt = performance.now();
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const url = new URL(request.url);
  const answer = { status: null, headers: null, body: null } as Pick<Outcome, "status" | "headers" | "body">;
  let outgoing: ClientRequest | undefined;

  const settle = (error: string | null, retryAfterSeconds?: number) => {
    for (const cancel of timers) cancel();
    const durationMs = Math.round(performance.now() - startedAt);
    resolve({ durationMs, ...answer, error, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) });
    if (error !== null) outgoing?.destroy();
  };
  const timers = [
    network.timer(totalSeconds * 1000, () =>
      settle(
        answer.status === null
          ? `No answer within ${totalSeconds} seconds.`
          : `The answer did not end within ${totalSeconds} seconds.`,
      ),
    ),
  ];

  const objection = Address.objectionToUrl(url);
  if (objection) {
    settle(objection);
    return promise;
  }

  outgoing = (url.protocol === "https:" ? overHttps : overHttp)(url, {
    method: "POST",
    agent: agents[url.protocol as keyof typeof agents],
    lookup: judged(url, network),
    headers: { ...request.headers, "content-length": Buffer.byteLength(request.body) },
    ...(network.ca !== undefined && { ca: network.ca }),
    ...(network.port !== undefined && { port: network.port }),
  });
  const connected = network.timer(connectSeconds * 1000, () =>
    settle(`No connection within ${connectSeconds} seconds.`),
  );
  timers.push(connected);
  outgoing.on("socket", (socket) => {
    socket.once(url.protocol === "https:" ? "secureConnect" : "connect", connected);
  });
  outgoing.on("error", (error: NodeJS.ErrnoException) => settle(reason(error, url)));
  outgoing.on("response", (response) => {
    answer.status = response.statusCode ?? 0;
    answer.headers = flat(response);
    read(response, answer, settle);
  });
  outgoing.end(request.body);
  return promise;
}

function read(
  response: IncomingMessage,
  answer: Pick<Outcome, "status" | "body">,
  settle: (error: string | null, retryAfterSeconds?: number) => void,
): void {
  const kept: Buffer[] = [];
  let length = 0;
  response.on("data", (chunk: Buffer) => {
    if (length < keptBytes) {
      kept.push(chunk.subarray(0, keptBytes - length));
      answer.body = text(Buffer.concat(kept));
    }
    length += chunk.length;
    if (length > maxAnswerBytes) settle(`The answer is larger than ${maxAnswerBytes / 1024 / 1024} MiB.`);
  });
  response.on("error", () => settle("The connection was closed before the answer was complete."));
  response.on("end", () => {
    answer.body ??= "";
    settle(verdict(response), Schedule.retryAfterSeconds(response.headers["retry-after"], Clock.now()));
  });
}

function verdict({ statusCode: status = 0, headers }: IncomingMessage): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400)
    return `Redirects are not followed (${status} to ${(headers.location ?? "nowhere").slice(0, 200)}).`;
  return `The answer was ${status}, and only 2xx is a success.`;
}

/** Every address that the name has now is judged, and the connection goes to one of those: it cannot become another. */
function judged({ hostname }: URL, { resolve, objection }: Network): LookupFunction {
  const loopback = hostname === "localhost";
  return (name, options, callback) => {
    resolve(name).then(
      (addresses) => {
        // Only a URL that may go to localhost has come this far with that name, and there it may only go to itself.
        const refused = loopback ? notLoopback(addresses) : objection(name, addresses);
        const [first] = addresses;
        if (refused || !first) callback(refusal(refused ?? `${name} has no address.`), "", 0);
        else if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, "", 0),
    );
  };
}

function refusal(message: string): NodeJS.ErrnoException {
  return Object.assign(new Error(message), { code: refusedCode });
}

function notLoopback(addresses: readonly Address.Address[]): string | undefined {
  const other = addresses.find(({ address }) => Address.objectionToAddress(address) !== "loopback");
  return other && `localhost (${other.address}) is not this machine.`;
}

const reasons: Record<string, string> = {
  ECONNREFUSED: "The connection was refused.",
  ECONNRESET: "The connection was closed before the answer was complete.",
  EPIPE: "The connection was closed before the answer was complete.",
  ETIMEDOUT: "The connection timed out.",
  EHOSTUNREACH: "The host cannot be reached.",
  ENETUNREACH: "The network cannot be reached.",
  EPROTO: "TLS could not be agreed on.",
};

/** For the people who read the log. Of the error only its code is trusted to say something, never its text. */
function reason(error: NodeJS.ErrnoException, { hostname }: URL): string {
  const { code = "" } = error;
  if (code === refusedCode) return error.message;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return `The name ${hostname} has no address.`;
  if (/CERT|SIGNATURE|ALTNAME/.test(code))
    return `The TLS certificate is not valid for ${hostname} (${code}).`;
  if (/^(?:ERR_SSL|ERR_TLS)/.test(code)) return `TLS could not be agreed on (${code}).`;
  if (code.startsWith("HPE_")) return `The answer is not HTTP (${code}).`;
  return reasons[code] ?? `The request failed${code && ` (${code})`}.`;
}

function flat({ headersDistinct }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headersDistinct).map(([name, values = []]) => [name, storable(values.join(", "))]),
  );
}

function text(bytes: Buffer): string {
  return storable(bytes.toString("utf8"));
}

/** PostgreSQL keeps no NUL character. */
function storable(value: string): string {
  return value.replaceAll("\u0000", "\ufffd");
}
