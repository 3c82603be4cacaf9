import { connect } from "node:net";

export type Call = { method: string; path: string; headers: Record<string, string>; body?: Buffer };
/** The body is the connection's own buffer: to be looked at before the next turn of the event loop, or copied. */
export type Answer = { status: number; retryAfter: string | undefined; body: Buffer };

/** The server closes what was idle for five seconds; a request must not meet that. */
const idleMs = 4000;
const mostConnections = 256;

type Connection = { ask(call: Call): Promise<Answer>; isOpen(): boolean; idleSince: number };
type Host = { idle: Connection[]; open: number; waiting: (() => void)[] };
const hosts = new Map<string, Host>();

/**
 * One request over HTTP/1.1 with answers of a known length, on the connection that was used last. Rejects when the
 * connection breaks. What is read goes into one buffer for each connection: node:http takes a new one of 64 KiB from
 * outside the heap for every read, for which V8 collects all garbage several times a second, and a generator that
 * stands still makes the server look slow.
 */
export async function send(origin: string, call: Call): Promise<Answer> {
  const host = hosts.get(origin) ?? { idle: [], open: 0, waiting: [] };
  hosts.set(origin, host);
  const connection = await taken(host, origin);
  try {
    return await connection.ask(call);
  } finally {
    if (connection.isOpen()) {
      connection.idleSince = performance.now();
      host.idle.push(connection);
    }
    host.waiting.shift()?.();
  }
}

async function taken(host: Host, origin: string): Promise<Connection> {
  const connection = host.idle.pop();
  if (connection) {
    const usable = connection.isOpen() && performance.now() - connection.idleSince < idleMs;
    return usable ? connection : taken(host, origin);
  }
  if (host.open < mostConnections) return dialled(host, origin);
  const { promise, resolve } = Promise.withResolvers<void>();
  host.waiting.push(resolve);
  await promise;
  return taken(host, origin);
}

function dialled(host: Host, origin: string): Connection {
  const { host: name, hostname, port } = new URL(origin);
  let asked: PromiseWithResolvers<Answer> | undefined;
  let received = Buffer.allocUnsafeSlow(2 ** 17);
  let length = 0;
  let head: { ends: number; bodyLength: number; status: number; retryAfter: string | undefined } | undefined;

  function take(size: number, from: Uint8Array): boolean {
    if (length + size > received.length)
      received = Buffer.concat([received.subarray(0, length)], 2 * (length + size));
    received.set(from.subarray(0, size), length);
    length += size;
    head ??= headOf(received.subarray(0, length));
    if (!head || length < head.ends + head.bodyLength) return true;
    const { ends, bodyLength, status, retryAfter } = head;
    asked?.resolve({ status, retryAfter, body: received.subarray(ends, ends + bodyLength) });
    asked = head = undefined;
    length = 0;
    return true;
  }

  const socket = connect({
    host: hostname,
    port: Number(port),
    noDelay: true,
    onread: { buffer: Buffer.allocUnsafeSlow(2 ** 16), callback: take },
  });
  host.open++;
  socket.on("error", (error) => asked?.reject(error));
  socket.on("close", () => {
    host.open--;
    asked?.reject(new Error("The connection was closed before the answer."));
  });
  return {
    idleSince: 0,
    isOpen: () => !socket.destroyed && !socket.readableEnded,
    ask({ method, path, headers, body }) {
      asked = Promise.withResolvers();
      const lines = Object.entries({
        host: name,
        ...headers,
        ...(body && { "content-length": String(body.length) }),
      }).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.cork();
      socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
      if (body) socket.write(body);
      socket.uncork();
      return asked.promise;
    },
  };
}

function headOf(received: Buffer) {
  const at = received.indexOf("\r\n\r\n");
  if (at < 0) return undefined;
  const text = received.toString("latin1", 0, at);
  const value = (name: string) => new RegExp(`\r\n${name}: *(.*)`, "i").exec(text)?.[1];
  const bodyLength = value("content-length");
  if (bodyLength === undefined) throw new Error(`An answer without a length: ${text}`);
  return {
    ends: at + 4,
    bodyLength: Number(bodyLength),
    status: Number(text.slice(9, 12)),
    retryAfter: value("retry-after"),
  };
}
