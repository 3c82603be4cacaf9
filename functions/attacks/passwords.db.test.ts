import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as Clock from "@svc/core/base/clock";
import * as EmailChange from "@svc/core/identity/email-change/email-change";
import * as AuthenticatorApp from "@svc/core/identity/factors/authenticator-app";
import * as BackupCodes from "@svc/core/identity/factors/backup-codes";
import { startSession } from "@svc/core/identity/sign-in/login";
import { db } from "@svc/core/platform/db/engine";
import { actorOf, app, withApp, withPasskey, wrongCode } from "@svc/core/testing/factors";
import { type Home, owner, type Person, password, person, reauthenticated } from "@svc/core/testing/people";
import { afterEach, describe, expect, it } from "vitest";
import { mailServer } from "../testing/mails.ts";
import { request } from "../testing/request.ts";

const mails = mailServer();
afterEach(() => Clock.reset());

/** A random client IP address, so that calls do not share a rate limit. */
const ip = () => `10.${[1, 2, 3].map(() => Math.floor(Math.random() * 256)).join(".")}`;
const login = (email: string, secret = password, more: object = {}) =>
  request("POST /auth/login", { ip: ip(), body: { email, password: secret, ...more } });
const atOnce = <T>(count: number, call: () => Promise<T>) => Promise.all(Array.from({ length: count }, call));

describe("sign-ins at once that count as failures while they run", () => {
  it("all succeed when eight have the correct password", async () => {
    const ada = await person();
    const answers = await atOnce(8, () => login(ada.email));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  });

  it("are at most five tries when forty guess", async () => {
    const ada = await person();
    const answers = await atOnce(40, () => login(ada.email, "a wrong password"));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(5);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect((await login(ada.email)).status).toBe(429);
  });
});

describe("strangers who lock an admin out of the emergency bypass", () => {
  const listed = "203.0.113.7";
  const bypass = (email: string, code: string, more: object = {}) =>
    request("POST /auth/emergency-bypass", {
      ip: ip(),
      body: { email, password, method: "totp", code, reason: "Office network is down", ...more },
    });

  async function restrictedOwner() {
    const ada = await owner("Ada", "ENTERPRISE");
    const { deviceToken } = (await login(ada.email)).body;
    const body = { enabled: true, entries: [{ cidr: listed }] };
    const list = await request("PUT /api/v1/security/ip-allowlist", { token: ada.token, ip: listed, body });
    expect(list.status).toBe(200);
    return { ...ada, deviceToken, app: await withApp(ada) };
  }

  it("do not lock out a known device, which keeps its token", async () => {
    const ada = await restrictedOwner();
    for (let n = 0; n < 6; n++) await login(ada.email, "a wrong password");
    expect((await bypass(ada.email, ada.app.code(1))).status).toBe(429);
    const known = await bypass(ada.email, ada.app.code(1), { deviceToken: ada.deviceToken });
    expect([known.status, known.body.deviceToken]).toEqual([200, ada.deviceToken]);
  });

  it("cannot guess more with their device token, and a known device is limited too", async () => {
    const [ada, eve] = [await restrictedOwner(), await person()];
    const { deviceToken: own } = (await login(eve.email)).body;
    for (let n = 0; n < 5; n++) await bypass(ada.email, wrongCode(ada.app), { deviceToken: own });
    expect((await bypass(ada.email, ada.app.code(1), { deviceToken: own })).status).toBe(429);
    const { deviceToken } = ada;
    for (let n = 0; n < 5; n++) await bypass(ada.email, wrongCode(ada.app), { deviceToken });
    expect((await bypass(ada.email, ada.app.code(1), { deviceToken })).status).toBe(429);
  });
});

describe("API tokens of an attacker that outlive a new password", () => {
  const newPassword = "another long sentence";
  const create = (session: string, { workspaceId }: Home, name = "CI") =>
    request("POST /user/tokens", { token: session, body: { name, scopes: ["read"], workspaceId } });
  const change = (token: string, more: object = {}) =>
    request("PUT /user/password", { token, body: { currentPassword: password, newPassword, ...more } });
  const works = async (token: string) => (await request("GET /team", { token })).status === 200;
  const ownerWithToken = async () => {
    const ada = await reauthenticated(await owner());
    return { ...ada, apiToken: (await create(ada.token, ada)).body.token as string };
  };
  const textTo = ({ email }: Person) => mails.to(email).at(-1)?.text ?? "";

  it("are announced by email when they are created", async () => {
    const ada = await ownerWithToken();
    expect(mails.to(ada.email).at(-1)?.subject).toBe("An API token was created");
    expect(textTo(ada)).toMatch(/“CI”.*read access until \d{4}-\d{2}-\d{2}/);
  });

  it("are revoked by a changed password, listed in its email and recorded", async () => {
    const ada = await ownerWithToken();
    expect((await change(ada.token)).status).toBe(204);
    expect(await works(ada.apiToken)).toBe(false);
    expect(textTo(ada)).toContain("tokens were revoked, so clients that use them need new ones: “CI”.");
    expect((await request("GET /user/tokens", { token: ada.token })).body.data).toEqual([]);
  });

  it("stay with keepApiTokens", async () => {
    const ada = await ownerWithToken();
    expect((await change(ada.token, { keepApiTokens: true })).status).toBe(204);
    expect(await works(ada.apiToken)).toBe(true);
    expect(textTo(ada)).not.toContain("revoked,");
    expect((await change(ada.token, { keepApiTokens: "yes" })).status).toBe(422);
  });

  it("are revoked by a reset password", async () => {
    const ada = await ownerWithToken();
    await request("POST /auth/password/forgot", { ip: ip(), body: { email: ada.email } });
    const token = /#token=([\w-]+)/.exec(textTo(ada))?.[1];
    const reset = await request("POST /auth/password/reset", {
      ip: ip(),
      body: { token, password: newPassword },
    });
    expect(reset.status).toBe(204);
    expect(await works(ada.apiToken)).toBe(false);
    expect(textTo(ada)).toContain("“CI”");
  });

  it("cannot be created by another session while the password changes", async () => {
    const ada = await owner();
    const stolen = (await login(ada.email)).body.token;
    await request("POST /auth/reauthenticate", { token: stolen, body: { password } });
    const [changed, ...created] = await Promise.all([
      change(ada.token),
      ...Array.from({ length: 8 }, () => create(stolen, ada)),
    ]);
    expect(changed.status).toBe(204);
    for (const { status, body } of created)
      if (status === 201) expect(await works(body.token)).toBe(false);
      else expect([status, body.code]).toEqual([401, "session_ended"]);
  });
});

it("a session cannot overwrite the password that another one sets at the same time", async () => {
  const ada = await person();
  const stolen = (await login(ada.email)).body.token;
  const change = (token: string, newPassword: string) =>
    request("PUT /user/password", { token, body: { currentPassword: password, newPassword } });
  const answers = await Promise.all([
    change(ada.token, "the sentence of the owner"),
    change(stolen, "the sentence of the thief"),
  ]);
  expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
});

describe("work of an attacker that was in progress when the owner set a new password", () => {
  const session = expect.objectContaining({ code: "session_ended" });
  const setPassword = (token: string) =>
    request("PUT /user/password", {
      token,
      body: { currentPassword: password, newPassword: "another long sentence" },
    });
  const withStolenSession = async () => {
    const ada = await person();
    const owners = (await login(ada.email)).body.token as string;
    return { stolen: actorOf(ada), ada, setPassword: () => setPassword(owners) };
  };

  it("opens no session, although the old password was correct", async () => {
    const ada = await person();
    const user = await db()
      .selectFrom("users")
      .select(["id", "name", "password_hash"])
      .where("id", "=", ada.id)
      .executeTakeFirstOrThrow();
    expect((await setPassword(ada.token)).status).toBe(204);
    const opened = startSession(user, { name: undefined }, actorOf(ada), Clock.now(), {});
    await expect(opened).rejects.toMatchObject({ kind: "unauthenticated", code: "invalid_credentials" });
  });

  it("adds no passkey, authenticator app or backup codes", async () => {
    const { ada, stolen, setPassword } = await withStolenSession();
    const { secret } = await AuthenticatorApp.begin(stolen);
    await setPassword();
    await expect(withPasskey(ada)).rejects.toEqual(session);
    await expect(AuthenticatorApp.confirm(stolen, { code: app(secret).code() })).rejects.toEqual(session);
    const bob = await withStolenSession();
    await withApp(bob.ada);
    await bob.setPassword();
    await expect(BackupCodes.regenerate(bob.stolen)).rejects.toEqual(session);
  });

  it("requests no change of the email", async () => {
    const { stolen, setPassword } = await withStolenSession();
    await setPassword();
    const body = { email: `${randomUUID()}@evil.test`, password: "another long sentence" };
    await expect(EmailChange.request(stolen, body)).rejects.toEqual(session);
  });
});

describe("passwords that are easy to guess", () => {
  const register = (secret: string, name = "Ada Lovelace") =>
    request("POST /auth/register", {
      ip: ip(),
      body: { email: `${randomUUID()}@new.test`, password: secret, name },
    });

  it.each(["Password123!", "P@ssw0rd1234", "welcome12345", "iloveyou1234", "svc-password1", "AdaLovelace!!"])(
    "such as %s are refused with what to do",
    async (secret) => {
      const { status, body } = await register(secret);
      expect([status, body.code, body.errors[0].pointer]).toEqual([422, "password_too_weak", "/password"]);
      expect(body.errors[0].detail).toContain("Use four or more random words");
    },
  );

  it.each(["orbit candle velvet harbor", "kE9!vT2#pQ7$xZ4@"])("do not include %s", async (secret) => {
    expect((await register(secret)).status).toBe(202);
  });

  it("are refused when they are known from a data breach, unless the search is down", async () => {
    const digest = createHash("sha1").update(password).digest("hex").toUpperCase();
    const search = createServer((_, response) => response.end(`${digest.slice(5)}:3\r\n`)).listen(
      0,
      "127.0.0.1",
    );
    await once(search, "listening");
    process.env.PWNED_PASSWORDS_URL = `http://127.0.0.1:${(search.address() as AddressInfo).port}`;
    const { status, body } = await register(password);
    await new Promise((closed) => search.close(closed));
    const down = await register(password);
    delete process.env.PWNED_PASSWORDS_URL;
    expect([status, body.code]).toEqual([422, "password_too_weak"]);
    expect(body.errors[0].detail).toContain("data breach");
    expect(down.status).toBe(202);
  });
});
