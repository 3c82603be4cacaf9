import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testPool } from "@svc/core/testing/database";
import { password, person } from "@svc/core/testing/people";
import type { CDPSession, Page } from "playwright-core";
import { expect, test } from "vitest";
import { startLocal } from "../server.ts";
import { hasBrowser, launch } from "../testing/chromium.ts";

// biome-ignore lint/suspicious/noExplicitAny: the shape of a body depends on the request.
type Json = any;

/** Calls the API from the page, with the browser's cookies. */
function call(page: Page, method: string, path: string, body?: Json) {
  return page.evaluate(
    async (asked: Json): Promise<{ status: number; body: Json }> => {
      const headers = { "content-type": "application/json" };
      const sent = asked.body ? { headers, body: JSON.stringify(asked.body) } : {};
      const answer = await fetch(asked.path, { method: asked.method, ...sent });
      const text = await answer.text();
      return { status: answer.status, body: text && JSON.parse(text) };
    },
    { method, path, body },
  );
}

/** Calls `navigator.credentials.create` or `.get` with options from the API. Returns the credential as JSON for the API. */
function credential(page: Page, verb: "create" | "get", options: Json): Promise<Json> {
  return page.evaluate(
    async (asked: Json) => {
      const { PublicKeyCredential: json, navigator } = globalThis as Json;
      const publicKey =
        asked.verb === "create"
          ? json.parseCreationOptionsFromJSON(asked.options)
          : json.parseRequestOptionsFromJSON(asked.options);
      return (await navigator.credentials[asked.verb]({ publicKey })).toJSON();
    },
    { verb, options },
  );
}

/** Adds a virtual authenticator like the fingerprint reader of a laptop. Returns its id. */
async function attach(devTools: CDPSession): Promise<string> {
  await devTools.send("WebAuthn.enable");
  const { authenticatorId } = await devTools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return authenticatorId;
}

test.skipIf(!hasBrowser)(
  "a browser can register an authenticator and sign in with it, and the API rejects replays, other origins, missing user verification and old counters",
  { timeout: 120_000 },
  async () => {
    await using stack = new AsyncDisposableStack();
    const data = await mkdtemp(join(tmpdir(), "svc-webauthn-"));
    stack.defer(() => rm(data, { recursive: true, force: true }));
    const server = await startLocal({ port: 0, data, seed: "none", env: {}, database: testPool() });
    stack.defer(() => server.close());
    const browser = await launch();
    stack.defer(() => browser.close());
    const page = await browser.newPage();
    const devTools = await page.context().newCDPSession(page);
    const authenticatorId = await attach(devTools);

    const { email } = await person("Ada");
    // WebAuthn needs a page of the same origin; any page works.
    await page.goto(`${server.url}/openapi.json`);
    expect((await call(page, "POST", "/auth/login", { email, password })).status).toBe(200);
    expect((await call(page, "POST", "/user/2fa/webauthn/options")).body.code).toBe(
      "reauthentication_required",
    );
    await call(page, "POST", "/auth/reauthenticate", { password });
    const creation = await call(page, "POST", "/user/2fa/webauthn/options");
    const created = await credential(page, "create", creation.body);
    const registered = await call(page, "POST", "/user/2fa/webauthn", {
      credential: created,
      name: "Laptop",
    });
    expect(registered).toMatchObject({ status: 201, body: { name: "Laptop" } });
    expect(registered.body.backupCodes).toHaveLength(12);
    const twice = await call(page, "POST", "/user/2fa/webauthn", { credential: created });
    expect([twice.status, twice.body.code]).toEqual([422, "credential_invalid"]);

    const { mfaToken } = (await call(page, "POST", "/auth/login", { email, password })).body;
    const challenge = async () =>
      (await call(page, "POST", "/auth/login/2fa/webauthn-options", { mfaToken })).body;
    const finish = async (assertion: Json) =>
      (await call(page, "POST", "/auth/login/2fa", { mfaToken, method: "webauthn", credential: assertion }))
        .status;

    const first = await credential(page, "get", await challenge());
    expect(await finish(first)).toBe(200);
    expect(await finish(first)).toBe(401);
    expect((await call(page, "GET", "/auth/me")).body).toMatchObject({ email, twoFactorEnabled: true });

    // A page on another port of the same host can use the authenticator. Only the origin in the assertion differs.
    const otherServer = createServer((_, response) => response.end("<!doctype html>"));
    otherServer.listen(0, "127.0.0.1");
    await once(otherServer, "listening");
    stack.defer(() => void otherServer.close());
    const options = await challenge();
    await page.goto(`http://localhost:${(otherServer.address() as AddressInfo).port}/`);
    const otherOrigin = await credential(page, "get", options);
    await page.goto(`${server.url}/openapi.json`);
    expect(await finish(otherOrigin)).toBe(401);

    // The options for the browser are changed to skip user verification, which the API still requires.
    await devTools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
    const touched = { ...(await challenge()), userVerification: "discouraged" };
    expect(await finish(await credential(page, "get", touched))).toBe(401);
    await devTools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: true });

    expect(await finish(await credential(page, "get", await challenge()))).toBe(200);

    // A cloned authenticator has an older signature counter.
    const { credentials } = await devTools.send("WebAuthn.getCredentials", { authenticatorId });
    const [current] = credentials;
    if (!current) throw new Error("The authenticator lost its credential.");
    await devTools.send("WebAuthn.removeCredential", { authenticatorId, credentialId: current.credentialId });
    await devTools.send("WebAuthn.addCredential", {
      authenticatorId,
      credential: { ...current, signCount: 1 },
    });
    expect(await finish(await credential(page, "get", await challenge()))).toBe(401);
  },
);
