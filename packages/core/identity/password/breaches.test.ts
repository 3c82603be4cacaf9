import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { log } from "../../platform/log/log.ts";
import { isBreached } from "./breaches.ts";

const password = "correct horse battery staple";
const digest = createHash("sha1").update(password).digest("hex").toUpperCase();
const [prefix, suffix] = [digest.slice(0, 5), digest.slice(5)];
const padding = `${"0".repeat(35)}:0`;

const close: (() => unknown)[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  delete process.env.PWNED_PASSWORDS_URL;
  for (const end of close.splice(0)) end();
});

/** Starts a search on 127.0.0.1, configures it, and returns the requests that it receives. */
async function searchWith(answer: RequestListener): Promise<IncomingMessage[]> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  close.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  process.env.PWNED_PASSWORDS_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/range`;
  return requests;
}
const listing =
  (...lines: string[]): RequestListener =>
  (_, response) =>
    response.end([padding, ...lines].join("\r\n"));

describe("isBreached", () => {
  it("finds a breached password and sends only five digits of its hash", async () => {
    const requests = await searchWith(listing(`${suffix}:42`));
    expect(await isBreached(password)).toBe(true);
    const [request] = requests;
    expect([requests.length, request?.url, request?.headers["add-padding"]]).toEqual([
      1,
      `/range/${prefix}`,
      "true",
    ]);
    expect(JSON.stringify(request?.headers)).not.toContain(suffix);
  });

  it("ignores other hashes and the entries that pad the response", async () => {
    await searchWith(listing(`${"F".repeat(35)}:42`, `${suffix}:0`));
    expect(await isBreached(password)).toBe(false);
  });

  it("searches nothing without PWNED_PASSWORDS_URL", async () => {
    const requests = await searchWith(listing(`${suffix}:42`));
    delete process.env.PWNED_PASSWORDS_URL;
    expect([await isBreached(password), requests.length]).toEqual([false, 0]);
  });

  it.each<[string, RequestListener]>([
    ["an error", (_, response) => response.writeHead(503).end(`${suffix}:42`)],
    ["a redirect", (_, response) => response.writeHead(302, { location: "/elsewhere" }).end()],
    ["a closed connection", (_, response) => response.destroy()],
    ["no response in time", () => {}],
    ["an endless response", (_, response) => response.write("0".repeat(300_000))],
  ])("lets the password pass and logs a line after %s", async (_, answer) => {
    const warn = vi.spyOn(log, "warn");
    await searchWith(answer);
    expect(await isBreached(password, 200)).toBe(false);
    expect(warn).toHaveBeenCalledExactlyOnceWith("breached passwords not searched", {
      error: expect.any(Error),
    });
    expect(JSON.stringify(warn.mock.calls)).not.toContain(prefix);
  });
});
