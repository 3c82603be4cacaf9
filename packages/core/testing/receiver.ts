import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Received = { path: string; headers: Record<string, string>; body: string };

export type Receiver = {
  url: string;
  /** Every request, in the order of arrival. */
  received: Received[];
  /** What it answers from now on: a status, or whatever is done with the response. */
  answer: (received: Received) => number | ((response: ServerResponse) => void);
  close(): Promise<void>;
};

/** A receiver of webhooks on 127.0.0.1, which takes everything unless told otherwise; loopback is allowed while it stands. */
export async function receiver(): Promise<Receiver> {
  const standing: Receiver = {
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
    standing.received.push(received);
    const answer = standing.answer(received);
    if (typeof answer === "number") response.writeHead(answer).end();
    else answer(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  process.env.SVC_ALLOW_LOOPBACK_WEBHOOKS = "1";
  return Object.assign(standing, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}
