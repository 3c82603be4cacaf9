import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request that the receiver got. */
export type Received = { path: string; headers: Record<string, string>; body: string };

/** A running test receiver. */
export type Receiver = {
  url: string;
  /** All requests in order of arrival. */
  received: Received[];
  /** Returns the status of the response, or a function that writes the response. Assign it to change the behaviour. */
  answer: (received: Received) => number | ((response: ServerResponse) => void);
  close(): Promise<void>;
};

/** Starts a webhook receiver on 127.0.0.1. It returns 204 by default. Loopback URLs are allowed until it is closed. */
export async function receiver(): Promise<Receiver> {
  const running: Receiver = {
    url: "",
    received: [],
    answer: () => 204,
    async close() {
      delete process.env.SVC_ALLOW_LOOPBACK_WEBHOOKS;
      const closed = once(server, "close");
      server.closeAllConnections();
      server.close();
      await closed;
    },
  };
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const headers = request.headers as Record<string, string>;
    const received = { path: request.url ?? "", headers, body };
    running.received.push(received);
    const answer = running.answer(received);
    if (typeof answer === "number") response.writeHead(answer).end();
    else answer(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  process.env.SVC_ALLOW_LOOPBACK_WEBHOOKS = "1";
  return Object.assign(running, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}
