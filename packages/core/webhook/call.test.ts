import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Report } from "../testing/call-child.ts";
import { certificate } from "../testing/certificate.ts";
import { call, connectSeconds, internet, maxLoggedBytes, type Network, totalSeconds } from "./call.ts";
import { assertAllowed, checkAddresses } from "./url-policy.ts";

const child = fileURLToPath(new URL("../testing/call-child.ts", import.meta.url));

const closing: (() => void)[] = [];
beforeEach(() => {
  process.env.SVC_ALLOW_LOOPBACK_WEBHOOKS = "1";
});
afterEach(() => {
  delete process.env.SVC_ALLOW_LOOPBACK_WEBHOOKS;
  for (const close of closing.splice(0)) close();
});

async function listening(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => sockets.add(socket));
  closing.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

const receiver = async (answer: RequestListener) =>
  `http://127.0.0.1:${await listening(createServer(answer))}/hook`;
const post = (url: string, network?: Network, headers = {}) =>
  call({ url, headers, body: '{"a":1}' }, network);

/** A network whose timers ring only when the test calls `ring`. */
function manualTimers() {
  const waits = new Map<() => void, number>();
  const network: Network = {
    ...internet,
    timer: (ms, ring) => {
      waits.set(ring, ms);
      return () => waits.delete(ring);
    },
  };
  const ring = (seconds: number) => {
    for (const [ring, ms] of waits) if (Math.ceil(ms / 1000) === seconds) ring();
  };
  return { network, ring };
}

test("call sends the method, headers and body as given, and a 2xx response is a success", async () => {
  let seen: { method?: string | undefined; headers: IncomingMessage["headers"]; body: string } | undefined;
  const url = await receiver(async (request, response) => {
    const body = (await request.toArray()).join("");
    seen = { method: request.method, headers: request.headers, body };
    response.writeHead(202, { "x-answer": "yes" }).end("thanks");
  });
  const outcome = await post(`${url}?a=b`, undefined, { "webhook-id": "evt_1" });
  expect(outcome).toMatchObject({ status: 202, body: "thanks", error: null });
  expect(outcome.headers).toMatchObject({ "x-answer": "yes" });
  expect(outcome.durationMs).toBeGreaterThanOrEqual(0);
  expect(seen).toMatchObject({ method: "POST", body: '{"a":1}', headers: { "webhook-id": "evt_1" } });
});

test.each([
  [301, "Redirects are not followed (301 to https://elsewhere.test/)."],
  [400, "The endpoint returned 400. Only 2xx counts as success."],
  [410, "The endpoint returned 410. Only 2xx counts as success."],
  [500, "The endpoint returned 500. Only 2xx counts as success."],
])("call fails on status %i: %s", async (status, error) => {
  let calls = 0;
  const url = await receiver((_request, response) => {
    calls++;
    response.writeHead(status, { location: "https://elsewhere.test/" }).end();
  });
  expect(await post(url)).toMatchObject({ status, error });
  expect(calls).toBe(1);
});

test("call returns the seconds of Retry-After", async () => {
  const url = await receiver((_request, response) => response.writeHead(503, { "retry-after": "77" }).end());
  expect(await post(url)).toMatchObject({ status: 503, retryAfterSeconds: 77 });
});

test("call keeps the first 16 KiB of a response and replaces NUL characters", async () => {
  const url = await receiver((_request, response) => response.end(`\u0000${"x".repeat(maxLoggedBytes * 2)}`));
  const { body, error } = await post(url);
  expect(error).toBeNull();
  expect(body).toBe(`\ufffd${"x".repeat(maxLoggedBytes - 1)}`);
});

/** Starts a receiver that responds with 100 MB as fast as it can. `sent` counts the bytes. */
async function flood() {
  const flooded = { sent: 0, url: "" };
  const chunk = Buffer.alloc(65_536, "x");
  flooded.url = await receiver((request, response) => {
    request.resume();
    let left = 100_000_000;
    const more = () => {
      while (left > 0 && !response.destroyed) {
        left -= chunk.length;
        flooded.sent += chunk.length;
        if (!response.write(chunk)) return void response.once("drain", more);
      }
      response.end();
    };
    more();
  });
  return flooded;
}

test("call stops reading a response of 100 MB after 1 MiB and fails", async () => {
  const flooded = await flood();
  const { status, body, error } = await post(flooded.url);
  expect([status, body?.length, error]).toEqual([200, maxLoggedBytes, "The response is larger than 1 MiB."]);
  expect(flooded.sent).toBeLessThan(50_000_000);
});

test("ten concurrent responses of 100 MB, three times in a row, keep the process under 200 MiB", {
  timeout: 60_000,
}, async () => {
  const { url } = await flood();
  const { stdout } = await promisify(execFile)(process.execPath, [child, url, "10", "3"]);
  const { errors, peakMiB } = JSON.parse(stdout) as Report;
  expect(errors).toEqual(Array(30).fill("The response is larger than 1 MiB."));
  expect(peakMiB).toBeLessThan(200);
});

test("call fails when there is no response within 15 seconds", async () => {
  const { network, ring } = manualTimers();
  const asked = Promise.withResolvers<void>();
  const outcome = post(await receiver(() => asked.resolve()), network);
  await asked.promise;
  ring(totalSeconds);
  expect(await outcome).toMatchObject({ status: null, error: "No response within 15 seconds." });
});

test("call fails after 15 seconds when a response body trickles in, and keeps its status", async () => {
  const { network, ring } = manualTimers();
  const asked = Promise.withResolvers<void>();
  const url = await receiver((_request, response) => {
    response.writeHead(200).write("drip");
    setImmediate(() => response.write("drop", () => asked.resolve()));
  });
  const outcome = post(url, network);
  await asked.promise;
  ring(totalSeconds);
  const { status, error } = await outcome;
  expect([status === 200 || status === null, error]).toEqual([
    true,
    status === null ? "No response within 15 seconds." : "The response did not end within 15 seconds.",
  ]);
});

test("call fails after 5 seconds when the name server does not respond", async () => {
  const { network, ring } = manualTimers();
  const asked = Promise.withResolvers<void>();
  const outcome = post("https://slow.test/", {
    ...network,
    resolve: () => {
      asked.resolve();
      return new Promise(() => {});
    },
  });
  await asked.promise;
  ring(connectSeconds);
  expect(await outcome).toMatchObject({ status: null, error: "No connection within 5 seconds." });
});

test("call fails after 5 seconds when the TLS handshake does not finish", async () => {
  const { network, ring } = manualTimers();
  const asked = Promise.withResolvers<void>();
  const port = await listening(createTcpServer((socket) => socket.once("data", () => asked.resolve())));
  const outcome = tls(port, network);
  await asked.promise;
  ring(connectSeconds);
  expect(await outcome).toMatchObject({ status: null, error: "No connection within 5 seconds." });
});

test("call describes connections that are refused, closed early or reset", async () => {
  const closed = await listening(
    createTcpServer((socket) => socket.once("data", () => socket.resetAndDestroy())),
  );
  const half = await receiver((_request, response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write("half", () => response.socket?.resetAndDestroy());
  });
  const short = await receiver((_request, response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write("half", () => response.socket?.end());
  });
  const incomplete = "The connection closed before the response was complete.";
  expect(await post(`http://127.0.0.1:${closed}/`)).toMatchObject({ status: null, error: incomplete });
  expect(await post(half)).toMatchObject({ error: incomplete });
  expect(await post(short)).toMatchObject({ error: incomplete });
  const free = createTcpServer();
  const port = await listening(free);
  free.close();
  await once(free, "close");
  expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({ error: "The connection was refused." });
});

test("call describes a response that is not HTTP", async () => {
  const port = await listening(
    createTcpServer((socket) => socket.once("data", () => socket.end("SSH-2.0-OpenSSH_9.6\r\n"))),
  );
  expect((await post(`http://127.0.0.1:${port}/`)).error).toMatch(/^The response is not valid HTTP \(HPE_/);
});

test("call opens a new connection each time", async () => {
  const server = createServer((_request, response) => response.end("ok"));
  const url = `http://127.0.0.1:${await listening(server)}/`;
  let connections = 0;
  server.on("connection", () => connections++);
  await post(url);
  await post(url);
  expect(connections).toBe(2);
});

/** Calls an https URL on a local port. Policy allows only port 443, so the network maps name and port. */
function tls(port: number, network: Network = internet, host = "hook.test") {
  return call({ url: `https://${host}/`, headers: {}, body: "{}" }, { ...network, ...loopbackAs(port) });
}

function loopbackAs(port: number): Pick<Network, "resolve" | "checkAddresses" | "port"> {
  return {
    resolve: async () => [{ address: "127.0.0.1", family: 4 }],
    checkAddresses: () => undefined,
    port,
  };
}

test("call rejects certificates of an unknown issuer or another host and accepts a trusted one", async () => {
  const { key, cert } = certificate("hook.test");
  const port = await listening(createTlsServer({ key, cert }, (_request, response) => response.end("ok")));
  expect((await tls(port)).error).toMatch(/^The TLS certificate is not valid for hook\.test \(/);
  expect((await tls(port, { ...internet, ca: cert }, "other.test")).error).toBe(
    "The TLS certificate is not valid for other.test (ERR_TLS_CERT_ALTNAME_INVALID).",
  );
  expect(await tls(port, { ...internet, ca: cert })).toMatchObject({ status: 200, error: null });
  const plain = await listening(createServer((_request, response) => response.end("ok")));
  expect((await tls(plain)).error).toMatch(/^The TLS handshake failed/);
});

test("call rejects a host name that resolves to a non-public address on connection, even if it was public before", async () => {
  const answers = [
    ["8.8.8.8"],
    ["127.0.0.1"],
    ["8.8.8.8", "10.0.0.1"],
    ["::ffff:127.0.0.1"],
    ["169.254.169.254"],
  ];
  const resolve = async () =>
    (answers.shift() ?? []).map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  await expect(assertAllowed("https://rebinding.test/", resolve)).resolves.toBeUndefined();
  const errors = [];
  while (answers.length > 0)
    errors.push((await post("https://rebinding.test/", { ...internet, resolve })).error);
  expect(errors).toEqual([
    "rebinding.test (127.0.0.1) is not a public IP address (loopback).",
    "rebinding.test (10.0.0.1) is not a public IP address (private).",
    "rebinding.test (::ffff:127.0.0.1) is not a public IP address (IPv4 embedded in IPv6).",
    "rebinding.test (169.254.169.254) is not a public IP address (link-local).",
  ]);
  expect((await post("https://rebinding.test/", { ...internet, resolve })).error).toBe(
    "The host name rebinding.test does not resolve to an IP address.",
  );
});

test("call resolves the host name once and connects only to a checked address", async () => {
  let asked = 0;
  const addresses: string[][] = [];
  const outcome = post("https://once.test/", {
    ...manualTimers().network,
    resolve: async () => {
      asked++;
      return [{ address: "127.0.0.1", family: 4 }];
    },
    checkAddresses: (name, found) => {
      addresses.push(found.map(({ address }) => address));
      return checkAddresses(name, found);
    },
  });
  expect((await outcome).error).toContain("not a public IP address");
  expect([asked, addresses]).toEqual([1, [["127.0.0.1"]]]);
});

test("call rejects non-public addresses written in the URL without resolving", async () => {
  for (const url of ["https://10.0.0.1/", "https://0x7f.1/", "https://[::1]/", "http://10.0.0.1/"])
    expect((await post(url)).error).toMatch(/not a public IP address|must use https/);
  delete process.env.SVC_ALLOW_LOOPBACK_WEBHOOKS;
  expect((await post("http://127.0.0.1:1/")).error).toBe("URL must use https.");
  expect((await post("http://localhost:1/")).error).toBe("URL must use https.");
});

test("call connects to localhost only if it resolves to a loopback address", async () => {
  const port = await listening(createServer((_request, response) => response.end("ok")));
  const resolve = (address: string) => async () => [{ address, family: 4 }];
  const ask = (address: string) =>
    post(`http://localhost:${port}/`, { ...internet, resolve: resolve(address) });
  expect((await ask("10.0.0.1")).error).toBe(
    "localhost must resolve to a loopback address, not to 10.0.0.1.",
  );
  expect((await ask("127.0.0.1")).error).toBeNull();
});
