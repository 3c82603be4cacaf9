import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** A request, and then its response. */
export type Exchange = {
  method: string;
  /** Path with the query. */
  path: string;
  headers: Record<string, string>;
  content: Buffer;
  status: number;
  answer: Headers;
  body: Buffer;
};

/** A defect of the server. */
export type Fault = {
  /** Requests, as method and path, that are answered with 204 and not sent. */
  ignores?: RegExp;
  /** Runs before a request is sent. */
  before?: (exchange: Exchange) => void;
  /** Runs when there is a response. */
  after?: (exchange: Exchange) => void;
};

/**
 * Starts a reverse proxy on a free port. `fault` is its defect, by default none. Signed URLs of the object store lead through the
 * proxy too, under `/bucket`. The object store allows pages of the server's origin, so a page of this machine is one of the
 * server to it.
 */
export async function openProxy() {
  let bucket = "";
  const handle: RequestListener = async (request, response) => {
    const { host: _host, connection: _connection, "content-length": _length, ...headers } = request.headers;
    const exchange: Exchange = {
      method: request.method ?? "GET",
      path: request.url ?? "/",
      headers: headers as Record<string, string>,
      content: Buffer.concat(await request.toArray()),
      status: 204,
      answer: new Headers(),
      body: Buffer.alloc(0),
    };
    proxy.fault.before?.(exchange);
    if (!proxy.fault.ignores?.test(`${exchange.method} ${exchange.path}`)) {
      const { method, path, headers, content } = exchange;
      const url = path.startsWith("/bucket/") ? bucket + path.slice("/bucket".length) : proxy.target + path;
      const body = content.length > 0 ? { body: content } : {};
      const { origin } = headers;
      const fromPage = path.startsWith("/bucket/") && origin?.includes("://localhost:");
      const sent = fromPage ? { ...headers, origin: proxy.target } : headers;
      const received = await fetch(url, { method, headers: sent, redirect: "manual", ...body });
      const bytes = Buffer.from(await received.arrayBuffer());
      const answer = new Headers(received.headers);
      if (fromPage && answer.get("access-control-allow-origin") === proxy.target)
        answer.set("access-control-allow-origin", origin ?? "");
      Object.assign(exchange, { status: received.status, answer, body: bytes });
      if (/json/.test(received.headers.get("content-type") ?? ""))
        exchange.body = Buffer.from(
          String(bytes).replace(/http:\/\/[\w.]+:\d+(?=\/svc-(?:avatars|files)\/)/g, (origin) => {
            bucket = origin;
            return `${proxy.url}/bucket`;
          }),
        );
      proxy.fault.after?.(exchange);
    }
    // fetch has decoded the body.
    for (const name of [
      "content-encoding",
      "content-length",
      "connection",
      "keep-alive",
      "transfer-encoding",
    ])
      exchange.answer.delete(name);
    const cookies = exchange.answer.getSetCookie();
    response.writeHead(exchange.status, {
      ...Object.fromEntries(exchange.answer),
      ...(cookies.length > 0 && { "set-cookie": cookies }),
    });
    response.end(exchange.body);
  };
  const server = createServer(handle);
  const proxy = { url: "", target: "", fault: {} as Fault, handle, close: () => server.close() };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  proxy.url = `http://localhost:${(server.address() as AddressInfo).port}`;
  return proxy;
}
