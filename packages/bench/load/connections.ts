import { connect } from "node:net";

export type HttpRequest = { method: string; path: string; headers: Record<string, string>; body?: Buffer };
/** `body` is the connection's buffer. Read or copy it before the next turn of the event loop. */
export type HttpResponse = { status: number; retryAfter: string | undefined; body: Buffer };

/** Idle connections are reused only for this long, because the server closes them after five seconds. */
const idleMs = 4000;
const maxConnections = 256;

type Connection = {
  request(request: HttpRequest): Promise<HttpResponse>;
  isOpen(): boolean;
  idleSince: number;
};
type Host = { idle: Connection[]; open: number; waiting: (() => void)[] };
const hosts = new Map<string, Host>();

/**
 * Sends a request over HTTP/1.1 on the most recently used connection. Rejects when the connection breaks. Each connection reuses one read buffer. node:http would allocate 64 KiB outside the heap for every read,
 * which triggers several full garbage collections a second, and these pauses would look like a slow server.
 */
export async function send(origin: string, request: HttpRequest): Promise<HttpResponse> {
  const host = hosts.get(origin) ?? { idle: [], open: 0, waiting: [] };
  hosts.set(origin, host);
  const connection = await acquire(host, origin);
  try {
    return await connection.request(request);
  } finally {
    if (connection.isOpen()) {
      connection.idleSince = performance.now();
      host.idle.push(connection);
    }
    host.waiting.shift()?.();
  }
}

async function acquire(host: Host, origin: string): Promise<Connection> {
  const connection = host.idle.pop();
  if (connection) {
    const usable = connection.isOpen() && performance.now() - connection.idleSince < idleMs;
    return usable ? connection : acquire(host, origin);
  }
  if (host.open < maxConnections) return open(host, origin);
  const { promise, resolve } = Promise.withResolvers<void>();
  host.waiting.push(resolve);
  await promise;
  return acquire(host, origin);
}

function open(host: Host, origin: string): Connection {
  const { host: name, hostname, port } = new URL(origin);
  let pending: PromiseWithResolvers<HttpResponse> | undefined;
  let received = Buffer.allocUnsafeSlow(2 ** 17);
  let length = 0;
  let head: ReturnType<typeof parseHead>;

  function append(size: number, from: Uint8Array): boolean {
    if (length + size > received.length)
      received = Buffer.concat([received.subarray(0, length)], 2 * (length + size));
    received.set(from.subarray(0, size), length);
    length += size;
    head ??= parseHead(received.subarray(0, length));
    const body = head && bodyOf(received.subarray(head.ends, length), head.bodyLength);
    if (!head || !body) return true;
    const { status, retryAfter } = head;
    pending?.resolve({ status, retryAfter, body });
    pending = head = undefined;
    length = 0;
    return true;
  }

  const socket = connect({
    host: hostname,
    port: Number(port),
    noDelay: true,
    onread: { buffer: Buffer.allocUnsafeSlow(2 ** 16), callback: append },
  });
  host.open++;
  socket.on("error", (error) => pending?.reject(error));
  socket.on("close", () => {
    host.open--;
    pending?.reject(new Error("The connection was closed before the response."));
  });
  return {
    idleSince: 0,
    isOpen: () => !socket.destroyed && !socket.readableEnded,
    request({ method, path, headers, body }) {
      pending = Promise.withResolvers();
      const lines = Object.entries({
        host: name,
        ...headers,
        ...(body && { "content-length": String(body.length) }),
      }).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.cork();
      socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
      if (body) socket.write(body);
      socket.uncork();
      return pending.promise;
    },
  };
}

function parseHead(received: Buffer) {
  const at = received.indexOf("\r\n\r\n");
  if (at < 0) return undefined;
  const text = received.toString("latin1", 0, at);
  const value = (name: string) => new RegExp(`\r\n${name}: *(.*)`, "i").exec(text)?.[1];
  const bodyLength = value("content-length");
  if (bodyLength === undefined && value("transfer-encoding") !== "chunked")
    throw new Error(`A response without length: ${text}`);
  return {
    ends: at + 4,
    bodyLength: bodyLength === undefined ? ("chunked" as const) : Number(bodyLength),
    status: Number(text.slice(9, 12)),
    retryAfter: value("retry-after"),
  };
}

/** Returns the body of a response, or undefined until it is complete. */
function bodyOf(received: Buffer, length: number | "chunked"): Buffer | undefined {
  if (length !== "chunked") return received.length < length ? undefined : received.subarray(0, length);
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = received.indexOf("\r\n", at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(received.toString("latin1", at, lineEnd), 16);
    at = lineEnd + 2 + size + 2;
    if (received.length < at) return undefined;
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(received.subarray(lineEnd + 2, lineEnd + 2 + size));
  }
}
