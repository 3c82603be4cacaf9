import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** A server that fails like a network and an API do, for the tests of the client on each platform. */
export type PlatformServer = AsyncDisposable & { url: string };

type Handler = (
  request: IncomingMessage,
  response: ServerResponse,
  query: URLSearchParams,
) => Promise<void> | void;

/** Starts the server on a free port of loopback. `files` are further responses, by path. */
export async function startPlatformServer(files: Record<string, string> = {}): Promise<PlatformServer> {
  const keys: (string | undefined)[] = [];
  let limited = 0;

  const handlers: Record<string, Handler> = {
    "GET /auth/me": ({ headers }, response) => json(response, { name: "Zoë 🐝", headers }),
    "POST /api/v1/projects": async (request, response) => {
      const body = JSON.parse((await buffer(request)).toString());
      keys.push(request.headers["idempotency-key"] as string | undefined);
      if (keys.length === 1) request.socket.destroy();
      else json(response, { ...body, keys });
    },
    "GET /api/v1/workspace": (_, response) => {
      limited += 1;
      if (limited === 1) response.writeHead(429, { "retry-after": "0" }).end();
      else json(response, { attempts: limited });
    },
    "GET /api/v1/projects": (_, response, query) => {
      const page = Number(query.get("page") ?? 1);
      json(response, { data: [{ id: `prj_${page}` }], meta: { page, perPage: 1, total: 3, totalPages: 3 } });
    },
    "POST /api/upload/avatar": async (request, response) => {
      if (request.headers["x-hang"]) return;
      const type = request.headers["content-type"];
      json(response, { type, bytes: (await buffer(request)).length });
    },
    "DELETE /user/avatar": (_, response) => void response.writeHead(204).end(),
    "GET /auth/session": () => {},
    "PATCH /user/profile": async (request, response) => {
      await buffer(request);
      const errors = [{ pointer: "/name", code: "too_long", detail: "Name is too long." }];
      json(response, { status: 422, code: "invalid_input", detail: "Validation failed.", errors }, 422);
    },
  };

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const file = files[pathname];
    if (file !== undefined) {
      response.setHeader("content-type", pathname.endsWith(".js") ? "text/javascript" : "text/html");
      response.end(file);
      return;
    }
    const handle = handlers[`${request.method} ${pathname}`];
    if (handle) void handle(request, response, searchParams);
    else response.writeHead(404).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
