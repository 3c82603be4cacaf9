// The domain code is in packages/core/identity/factors.

import * as Clock from "@svc/core/base/clock";
import * as Factors from "@svc/core/identity/factors/factors";
import * as Token from "@svc/core/identity/sessions/token";
import { db } from "@svc/core/platform/db/engine";
import { transaction } from "@svc/core/platform/db/transaction";
import { authenticator, type Ceremony } from "@svc/core/testing/authenticator";
import { app, withApp, wrongCode } from "@svc/core/testing/factors";
import { type Person, password, person } from "@svc/core/testing/people";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { handler as purge } from "../jobs/purge-expired.ts";
import type { RouteKey } from "../routes.ts";
import { mailServer } from "../testing/mails.ts";
import { request } from "../testing/request.ts";

const mails = mailServer();
// Freeze the time except for Clock.advance, so that no code expires during a test.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => {
  vi.useRealTimers();
  Clock.reset();
});

/** A random client IP address, so that tests do not share a rate limit. */
const ip = () => `10.${[1, 2, 3].map(() => Math.floor(Math.random() * 256)).join(".")}`;
const login = (email: string, more: object = {}) =>
  request("POST /auth/login", { ip: ip(), body: { email, password, ...more } });
const secondStep = (mfaToken: string, more: object, agent = "test") =>
  request("POST /auth/login/2fa", {
    ip: ip(),
    headers: { "user-agent": agent },
    body: { mfaToken, ...more },
  });
const begun = async ({ email }: Person, more: object = {}) =>
  (await login(email, more)).body.mfaToken as string;
const overview = async ({ token }: Person) => (await request("GET /user/2fa", { token })).body;
const reauthenticate = ({ token }: Person, secret = password) =>
  request("POST /auth/reauthenticate", { ip: ip(), token, body: { password: secret } });

/** Creates a user who confirmed the password and may change factors for the next ten minutes. */
async function trusted(): Promise<Person> {
  const ada = await person();
  await reauthenticate(ada);
  return ada;
}

describe("POST /auth/reauthenticate", () => {
  const guarded: RouteKey[] = [
    "POST /user/2fa/totp",
    "POST /user/2fa/totp/verify",
    "DELETE /user/2fa/totp",
    "POST /user/2fa/webauthn/options",
    "POST /user/2fa/webauthn",
    "DELETE /user/2fa/webauthn/{id}",
    "POST /user/2fa/backup-codes",
  ];
  test.each(guarded)(
    "%s returns 403 reauthentication_required until the password is confirmed",
    async (route) => {
      const ada = await person();
      const answer = await request(route, { token: ada.token, path: { id: "x" }, body: {} });
      expect([answer.status, answer.body.code]).toEqual([403, "reauthentication_required"]);
    },
  );

  test("allows changes to second factors for ten minutes, in this session only", async () => {
    const ada = await person();
    const other = (await login(ada.email)).body.token;
    const until = (await reauthenticate(ada)).body.expiresAt;
    expect(Date.parse(until) - Clock.now().getTime()).toBeGreaterThan(9.9 * 60_000);
    const begin = (token: string) => request("POST /user/2fa/totp", { token });
    expect((await begin(other)).status).toBe(403);
    Clock.advance(599);
    expect((await begin(ada.token)).status).toBe(200);
    Clock.advance(2);
    expect((await begin(ada.token)).body.code).toBe("reauthentication_required");
  });

  test("returns 403 invalid_credentials for a wrong password and 429 after five of them", async () => {
    const ada = await person();
    for (let n = 0; n < 5; n++)
      expect((await reauthenticate(ada, "wrong")).body.code).toBe("invalid_credentials");
    expect((await reauthenticate(ada)).status).toBe(429);
    expect((await request("POST /user/2fa/totp", { token: ada.token })).status).toBe(403);
  });
});

describe("authenticator app (/user/2fa/totp)", () => {
  test("enables the app and returns twelve backup codes when its first code is confirmed", async () => {
    const ada = await trusted();
    const begin = await request("POST /user/2fa/totp", { token: ada.token });
    expect(begin.headers["cache-control"]).toBe("no-store");
    expect(begin.body.otpauthUri).toContain(`secret=${begin.body.secret}`);
    expect(begin.body.qrSvg).toMatch(/^<svg /);
    expect((await login(ada.email)).body.token).toBeTruthy();

    const { code } = app(begin.body.secret);
    const confirm = await request("POST /user/2fa/totp/verify", {
      token: ada.token,
      body: { code: code() },
    });
    expect([confirm.status, confirm.headers["cache-control"]]).toEqual([200, "no-store"]);
    expect(new Set(confirm.body.backupCodes).size).toBe(12);
    expect(await overview(ada)).toMatchObject({
      enabled: true,
      methods: ["totp", "backup_code"],
      totp: { enabled: true },
      webauthn: [],
      backupCodesLeft: 12,
    });
    expect((await request("GET /auth/me", { token: ada.token })).body.twoFactorEnabled).toBe(true);
    expect((await request("POST /user/2fa/totp", { token: ada.token })).body.code).toBe(
      "totp_already_enabled",
    );
    const mail = mails.to(ada.email).at(-1);
    expect(mail?.subject).toBe("An authenticator app was added");
    for (const text of [mail?.text, mail?.html])
      expect(text).toMatch(
        /When: \d{4}-[\s\S]*Where: IP address[\s\S]*Device: [\s\S]*reset your password now/,
      );
  });

  test("does not confirm the app with a wrong code, without a secret, or after an hour", async () => {
    const ada = await trusted();
    const verify = (code: string) =>
      request("POST /user/2fa/totp/verify", { token: ada.token, body: { code } });
    expect((await verify("123456")).body.code).toBe("totp_not_begun");
    const { secret } = (await request("POST /user/2fa/totp", { token: ada.token })).body;
    const wrong = await verify(wrongCode(app(secret)));
    expect([wrong.status, wrong.body.code, wrong.body.errors[0].pointer]).toEqual([
      422,
      "code_invalid",
      "/code",
    ]);
    Clock.advance(3601);
    await reauthenticate(ada);
    expect((await verify(app(secret).code())).body.code).toBe("totp_not_begun");
    expect((await overview(ada)).enabled).toBe(false);
  });

  test("requires a code in a second step after the password", async () => {
    const ada = await person();
    const shown = await withApp(ada);
    const first = await login(ada.email);
    expect(first).toMatchObject({
      status: 200,
      headers: { "cache-control": "no-store" },
      cookies: [],
      body: { mfaRequired: true, methods: ["totp", "backup_code"] },
    });
    expect(first.body.token).toBeUndefined();
    const done = await secondStep(first.body.mfaToken, { method: "totp", code: shown.code(1) });
    expect(done).toMatchObject({ status: 200, body: { user: { id: ada.id, twoFactorEnabled: true } } });
    expect(done.cookies[0]).toContain("svc_token=");
    expect((await request("GET /auth/me", { token: done.body.token })).status).toBe(200);
  });

  test("accepts each code once, up to one time step early or late", async () => {
    const ada = await person();
    const { code } = await withApp(ada);
    const mfaToken = await begun(ada);
    const attempt = async (given: string) =>
      (await secondStep(mfaToken, { method: "totp", code: given })).status;
    expect(await attempt(code(0))).toBe(401); // Already used to confirm the app.
    expect(await attempt(code(2))).toBe(401);
    expect(await attempt(code(1))).toBe(200);
    expect(await attempt(code(1))).toBe(401);
    Clock.advance(90);
    expect(await attempt(code(-1))).toBe(200);
    expect(await attempt(`${code(0).slice(0, 3)} ${code(0).slice(3)}`)).toBe(200);
  });

  test("accepts a code once when it is sent several times at once", async () => {
    const ada = await person();
    const { code } = await withApp(ada);
    const tokens = await Promise.all(Array.from({ length: 4 }, () => begun(ada)));
    const given = code(1);
    const answers = await Promise.all(
      tokens.map((mfaToken) => secondStep(mfaToken, { method: "totp", code: given })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test("removes the app together with its backup codes", async () => {
    const ada = await trusted();
    const shown = await withApp(ada);
    const mfaToken = await begun(ada);
    expect((await request("DELETE /user/2fa/totp", { token: ada.token })).status).toBe(204);
    expect(await overview(ada)).toMatchObject({ enabled: false, methods: [], backupCodesLeft: 0 });
    expect((await request("DELETE /user/2fa/totp", { token: ada.token })).body.code).toBe("factor_not_found");
    expect((await login(ada.email)).body.token).toBeTruthy();
    const [code] = shown.backupCodes;
    expect((await secondStep(mfaToken, { method: "backup_code", code })).status).toBe(401);
  });

  test("stores neither the secret nor the backup codes in plain text", async () => {
    const ada = await person();
    const { secret, backupCodes } = await withApp(ada);
    const tables = ["totp_factors", "backup_codes", "backup_code_sets", "events"];
    let dump = "";
    for (const table of tables) {
      const { rows } = await sql`SELECT * FROM ${sql.table(table)}`.execute(db());
      dump += JSON.stringify(rows);
    }
    expect(dump).toContain(ada.id);
    for (const hidden of [secret, ...backupCodes, ...backupCodes.map((code) => code.replace("-", ""))])
      expect(dump).not.toContain(hidden);
    const { code_hash } = await db()
      .selectFrom("backup_codes")
      .selectAll()
      .where("user_id", "=", ada.id)
      .executeTakeFirstOrThrow();
    expect(code_hash).toMatch(/^\$argon2id\$/);
  });
});

describe("mfaToken of POST /auth/login", () => {
  test("does not accept an mfaToken as an access token, or an access token as an mfaToken", async () => {
    const ada = await person();
    const { code } = await withApp(ada);
    const mfaToken = await begun(ada);
    const asBearer = await request("GET /auth/me", { token: mfaToken });
    expect([asBearer.status, asBearer.body.code]).toEqual([401, "token_invalid"]);
    const asCookie = await request("GET /auth/me", { cookies: [`svc_token=${mfaToken}`] });
    expect(asCookie.status).toBe(401);
    const other = await secondStep(ada.token, { method: "totp", code: code(1) });
    expect([other.status, other.body.code]).toEqual([401, "token_invalid"]);
  });

  test("returns token_expired for an mfaToken after five minutes", async () => {
    const ada = await person();
    const { code } = await withApp(ada);
    const { mfaToken, expiresAt } = (await login(ada.email)).body;
    expect(Date.parse(expiresAt) - Clock.now().getTime()).toBeLessThanOrEqual(300_000);
    Clock.advance(301);
    const late = await secondStep(mfaToken, { method: "totp", code: code() });
    expect([late.status, late.body.code]).toEqual([401, "token_expired"]);
  });

  test("returns token_invalid for an mfaToken after the password was changed", async () => {
    const ada = await person();
    const { code } = await withApp(ada);
    const mfaToken = await begun(ada);
    await request("PUT /user/password", {
      token: ada.token,
      body: { currentPassword: password, newPassword: "another long sentence" },
    });
    const answer = await secondStep(mfaToken, { method: "totp", code: code(1) });
    expect([answer.status, answer.body.code]).toEqual([401, "token_invalid"]);
  });

  test("returns token_invalid for an mfaToken of a key that is no longer configured", async () => {
    const ada = await person();
    const pending = { id: "mfa_1", userId: ada.id, passwordFingerprint: "x" };
    const soon = new Date(Date.now() + 60_000);
    const forged = await Token.signMfa(pending, new Date(), soon, [
      { id: "gone", secret: Buffer.alloc(32, 1) },
    ]);
    expect((await secondStep(forged, { method: "totp", code: "123456" })).body.code).toBe("token_invalid");
  });

  test("recognizes the device of the first step in the second step", async () => {
    const ada = await person();
    const { deviceToken } = (await login(ada.email)).body;
    const { code } = await withApp(ada);
    const known = await secondStep(await begun(ada, { deviceToken }), { method: "totp", code: code(1) });
    expect(known.body.deviceToken).toBe(deviceToken);
    Clock.advance(60);
    const elsewhere = await begun(ada, { deviceName: "Ada’s laptop" });
    const named = await secondStep(elsewhere, { method: "totp", code: code() }, "another client");
    const devices = await db().selectFrom("devices").select("name").where("user_id", "=", ada.id).execute();
    expect(devices.map(({ name }) => name).sort()).toEqual(["Ada’s laptop", "test"]);
    expect(named.body.deviceToken).not.toBe(deviceToken);
  });
});

describe("backup codes (/user/2fa/backup-codes)", () => {
  test("accepts each backup code once and reports how many are left", async () => {
    const ada = await person();
    const { backupCodes } = await withApp(ada);
    const mfaToken = await begun(ada);
    let left = 12;
    for (const code of backupCodes) {
      const typed = left % 2 ? code.toUpperCase() : code.replace("-", " ");
      expect((await secondStep(mfaToken, { method: "backup_code", code: typed })).status).toBe(200);
      expect((await overview(ada)).backupCodesLeft).toBe(--left);
      if (left % 5 === 0)
        expect((await secondStep(mfaToken, { method: "backup_code", code })).status).toBe(401);
    }
    expect((await login(ada.email)).body.methods).toEqual(["totp"]);
    const used = await db()
      .selectFrom("events")
      .select("id")
      .where("actor_id", "=", ada.id)
      .where("action", "=", "user.backup_code_used")
      .execute();
    expect(used).toHaveLength(12);
    expect(mails.to(ada.email).at(-1)?.text).toContain("You have none left");
  });

  test("accepts a backup code once when it is sent ten times at once", async () => {
    const ada = await person();
    const { backupCodes } = await withApp(ada);
    const mfaToken = await begun(ada);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => secondStep(mfaToken, { method: "backup_code", code: backupCodes[0] })),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.every((status) => [200, 401, 429].includes(status))).toBe(true);
    expect((await overview(ada)).backupCodesLeft).toBe(11);
  });

  test("rejects old backup codes after new ones are generated", async () => {
    const ada = await trusted();
    const { backupCodes: old } = await withApp(ada);
    const renewed = await request("POST /user/2fa/backup-codes", { token: ada.token });
    expect([renewed.status, renewed.headers["cache-control"]]).toEqual([200, "no-store"]);
    expect(new Set([...old, ...renewed.body.backupCodes]).size).toBe(24);
    const mfaToken = await begun(ada);
    const status = async (code: string) =>
      (await secondStep(mfaToken, { method: "backup_code", code })).status;
    expect(await status(old[0] ?? "")).toBe(401);
    expect(await status(renewed.body.backupCodes[11])).toBe(200);
    expect((await overview(ada)).backupCodesLeft).toBe(11);
  });

  test("leaves one set of backup codes when two are generated at once", async () => {
    const ada = await trusted();
    await withApp(ada);
    await Promise.all([1, 2].map(() => request("POST /user/2fa/backup-codes", { token: ada.token })));
    expect((await overview(ada)).backupCodesLeft).toBe(12);
  });

  test("returns 409 two_factor_not_enabled when there is no other second factor", async () => {
    const ada = await trusted();
    const answer = await request("POST /user/2fa/backup-codes", { token: ada.token });
    expect([answer.status, answer.body.code]).toEqual([409, "two_factor_not_enabled"]);
  });

  test("rejects another user's backup code", async () => {
    const [ada, eve] = [await person(), await person()];
    await withApp(ada);
    const { backupCodes } = await withApp(eve);
    const answer = await secondStep(await begun(ada), { method: "backup_code", code: backupCodes[0] });
    expect(answer.status).toBe(401);
  });
});

describe("lock-out during two-factor sign-in", () => {
  test("counts failures of the password, app, security key and backup codes together", async () => {
    const ada = await person();
    const shown = await withApp(ada);
    const mfaToken = await begun(ada);
    const wrong = { method: "totp", code: wrongCode(shown) };
    const assertion = authenticator().assert({ challenge: "none" });
    expect((await login(ada.email, { password: "wrong" })).status).toBe(401);
    expect((await secondStep(mfaToken, wrong)).status).toBe(401);
    expect((await secondStep(mfaToken, { method: "webauthn", credential: assertion })).status).toBe(401);
    expect((await secondStep(mfaToken, { method: "backup_code", code: "00000-00000" })).status).toBe(401);
    expect((await secondStep(mfaToken, wrong)).status).toBe(401);
    const locked = await secondStep(mfaToken, { method: "totp", code: shown.code(1) });
    expect([locked.status, locked.body.code]).toEqual([429, "account_temporarily_locked"]);
    expect(Number(locked.headers["retry-after"])).toBeGreaterThan(0);
    // A locked account does not reveal whether the password is correct.
    const [right, wrongPassword] = [await login(ada.email), await login(ada.email, { password: "wrong" })];
    expect([right.status, wrongPassword.status, right.body.code]).toEqual([
      429,
      429,
      wrongPassword.body.code,
    ]);
    Clock.advance(61);
    expect((await secondStep(await begun(ada), { method: "totp", code: shown.code() })).status).toBe(200);
  });

  test("does not reset the failure count when only the password is correct", async () => {
    const ada = await person();
    const shown = await withApp(ada);
    const statuses: number[] = [];
    for (let round = 0; round < 6; round++) {
      const first = await login(ada.email);
      if (first.status !== 200) statuses.push(first.status);
      else
        statuses.push(
          (await secondStep(first.body.mfaToken, { method: "totp", code: wrongCode(shown) })).status,
        );
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test("does not lock the account for correct passwords alone", async () => {
    const ada = await person();
    await withApp(ada);
    for (let n = 0; n < 4; n++) await login(ada.email, { password: "wrong" });
    for (let n = 0; n < 6; n++) expect((await login(ada.email)).body.mfaRequired).toBe(true);
    await login(ada.email, { password: "wrong" });
    expect((await login(ada.email)).status).toBe(429);
  });
});

describe("passkeys and security keys (/user/2fa/webauthn)", () => {
  const options = async ({ token }: Person) =>
    (await request("POST /user/2fa/webauthn/options", { token })).body;
  const register = async (
    user: Person,
    key: ReturnType<typeof authenticator>,
    more: Partial<Ceremony> = {},
    name?: string,
  ) => {
    const { challenge } = await options(user);
    const body = { credential: key.register({ challenge, ...more }), ...(name && { name }) };
    return request("POST /user/2fa/webauthn", { token: user.token, body });
  };
  const challengeFor = async (mfaToken: string) =>
    (await request("POST /auth/login/2fa/webauthn-options", { ip: ip(), body: { mfaToken } })).body.challenge;
  const assert = async (
    mfaToken: string,
    key: ReturnType<typeof authenticator>,
    more: Partial<Ceremony> = {},
  ) => {
    const challenge = await challengeFor(mfaToken);
    return secondStep(mfaToken, { method: "webauthn", credential: key.assert({ challenge, ...more }) });
  };

  test("registers a key with options that require user verification and returns backup codes with the first key", async () => {
    const ada = await trusted();
    expect(await options(ada)).toMatchObject({
      rp: { id: "localhost" },
      user: { name: ada.email, displayName: expect.stringMatching(/./) },
      authenticatorSelection: { userVerification: "required" },
      attestation: "none",
      excludeCredentials: [],
    });
    const key = authenticator();
    const first = await register(ada, key, {}, "Ada’s phone");
    expect(first).toMatchObject({
      status: 201,
      headers: { "cache-control": "no-store", location: `/user/2fa/webauthn/${first.body.id}` },
      body: { name: "Ada’s phone", lastUsedAt: null },
    });
    expect(first.body.backupCodes).toHaveLength(12);
    const next = await register(ada, authenticator());
    expect(next.body.backupCodes).toBeUndefined();
    expect((await options(ada)).excludeCredentials).toHaveLength(2);
    const again = await register(ada, key);
    expect([again.status, again.body.code]).toEqual([409, "credential_known"]);
    const list = (await request("GET /user/2fa/webauthn", { token: ada.token })).body.data;
    expect(list.map(({ name }: { name: string }) => name)).toEqual(["Ada’s phone", "Security key"]);
    expect(await overview(ada)).toMatchObject({
      enabled: true,
      methods: ["webauthn", "backup_code"],
      webauthn: list,
    });
  });

  test("signs the owner in with a registered key", async () => {
    const ada = await trusted();
    const key = authenticator();
    await register(ada, key);
    const mfaToken = await begun(ada);
    expect((await assert(mfaToken, key)).status).toBe(200);
    expect((await overview(ada)).webauthn[0].lastUsedAt).toBeTruthy();
    expect((await assert(mfaToken, key)).status).toBe(200);
  });

  test.each<[string, Partial<Ceremony>]>([
    ["another origin", { origin: "https://evil.test" }],
    ["another relying party", { rpId: "evil.test" }],
    ["no user verification", { userVerified: false }],
    ["no user presence", { userPresent: false, userVerified: false }],
    ["another challenge", { challenge: "AAAA" }],
    ["the response of an authentication ceremony", { type: "webauthn.get" }],
  ])("returns 422 credential_invalid when registering with %s", async (_, wrong) => {
    const ada = await trusted();
    const answer = await register(ada, authenticator(), wrong);
    expect([answer.status, answer.body.code]).toEqual([422, "credential_invalid"]);
    expect((await overview(ada)).enabled).toBe(false);
  });

  test("returns 401 for an assertion with any invalid part", async () => {
    const ada = await trusted();
    const key = authenticator();
    await register(ada, key, { counter: 7 });
    const mfaToken = await begun(ada);
    const wrong: Record<string, Partial<Ceremony>> = {
      "an unchanged counter": { counter: 7 },
      "a lower counter": { counter: 6 },
      "a counter reset to zero": { counter: 0 },
      "another origin": { origin: "https://evil.test" },
      "another relying party": { rpId: "evil.test" },
      "no user verification": { userVerified: false },
      "no user presence": { userPresent: false, userVerified: false },
      "another challenge": { challenge: "AAAA" },
      "the response of a registration ceremony": { type: "webauthn.create" },
    };
    let counter = 7;
    for (const [description, mistake] of Object.entries(wrong)) {
      const forged = { counter: counter + 1, ...mistake };
      expect([description, (await assert(mfaToken, key, forged)).status]).toEqual([description, 401]);
      // The same assertion without the mistake is accepted.
      if (mistake.counter === undefined)
        expect((await assert(mfaToken, key, { counter: ++counter })).status).toBe(200);
    }
  });

  test("accepts an assertion once when it is sent several times", async () => {
    const ada = await trusted();
    const key = authenticator();
    await register(ada, key);
    const mfaToken = await begun(ada);
    const credential = key.assert({ challenge: await challengeFor(mfaToken) });
    const answers = await Promise.all(
      [1, 2, 3].map(() => secondStep(mfaToken, { method: "webauthn", credential })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    expect((await secondStep(mfaToken, { method: "webauthn", credential })).status).toBe(401);
  });

  test("accepts an assertion only for its own sign-in and for five minutes", async () => {
    const ada = await trusted();
    const key = authenticator();
    await register(ada, key);
    const [one, other] = [await begun(ada), await begun(ada)];
    const credential = key.assert({ challenge: await challengeFor(one) });
    expect((await secondStep(other, { method: "webauthn", credential })).status).toBe(401);
    Clock.advance(200);
    const late = await begun(ada);
    const slow = key.assert({ challenge: await challengeFor(late) });
    Clock.advance(299);
    expect((await secondStep(late, { method: "webauthn", credential: slow })).status).toBe(200);
    const later = await begun(ada);
    const tooSlow = key.assert({ challenge: await challengeFor(later) });
    Clock.advance(301);
    expect((await secondStep(await begun(ada), { method: "webauthn", credential: tooSlow })).status).toBe(
      401,
    );
  });

  test("accepts repeated assertions from a key without a counter, such as a passkey on a phone", async () => {
    const ada = await trusted();
    const key = authenticator();
    await register(ada, key, { counter: 0 });
    const mfaToken = await begun(ada);
    for (let n = 0; n < 2; n++) expect((await assert(mfaToken, key, { counter: 0 })).status).toBe(200);
  });

  test("returns 401 for another user's key and for an unregistered key", async () => {
    const [ada, eve] = [await trusted(), await trusted()];
    const [adasKey, evesKey] = [authenticator(), authenticator()];
    await register(ada, adasKey);
    await register(eve, evesKey);
    const mfaToken = await begun(ada);
    expect((await assert(mfaToken, evesKey)).status).toBe(401);
    expect((await assert(mfaToken, authenticator())).status).toBe(401);
  });

  test("returns 422 for a missing credential and for an unknown method", async () => {
    const ada = await trusted();
    await register(ada, authenticator());
    const mfaToken = await begun(ada);
    expect((await secondStep(mfaToken, { method: "webauthn" })).status).toBe(422);
    expect((await secondStep(mfaToken, { method: "carrier-pigeon", code: "1" })).status).toBe(422);
  });

  test("rejects garbled credentials at sign-in and at registration", async () => {
    const ada = await trusted();
    const key = authenticator();
    await register(ada, key);
    const mfaToken = await begun(ada);
    const good = key.assert({ challenge: await challengeFor(mfaToken) });
    const garbled = { ...good, response: { ...good.response, authenticatorData: "AAAA" } };
    expect((await secondStep(mfaToken, { method: "webauthn", credential: garbled })).status).toBe(401);
    const { challenge } = await options(ada);
    const created = authenticator().register({ challenge });
    const broken = { ...created, response: { ...created.response, attestationObject: "AAAA" } };
    const answer = await request("POST /user/2fa/webauthn", {
      token: ada.token,
      body: { credential: broken },
    });
    expect(answer.body.code).toBe("credential_invalid");
  });

  test("allows only the owner to remove a key", async () => {
    const [ada, eve] = [await trusted(), await trusted()];
    const { id } = (await register(ada, authenticator())).body;
    const remove = ({ token }: Person, which: string) =>
      request("DELETE /user/2fa/webauthn/{id}", { token, path: { id: which } });
    const [stranger, missing] = [await remove(eve, id), await remove(eve, "wan_none")];
    const same = ({ requestId, instance, ...rest }: Record<string, unknown>) => rest;
    expect(stranger.status).toBe(404);
    expect(same(stranger.body)).toEqual(same(missing.body));
    expect((await remove(ada, id)).status).toBe(204);
    expect(await overview(ada)).toMatchObject({ enabled: false, backupCodesLeft: 0 });
    expect(mails.to(ada.email).map(({ subject }) => subject)).toEqual([
      "A security key was added",
      "A security key was removed",
    ]);
  });

  test("keeps the backup codes when one of two factors is removed", async () => {
    const ada = await trusted();
    const { backupCodes } = await withApp(ada);
    expect((await register(ada, authenticator())).body.backupCodes).toBeUndefined();
    await request("DELETE /user/2fa/totp", { token: ada.token });
    expect(await overview(ada)).toMatchObject({ methods: ["webauthn", "backup_code"], backupCodesLeft: 12 });
    const answer = await secondStep(await begun(ada), { method: "backup_code", code: backupCodes[3] });
    expect(answer.status).toBe(200);
  });

  test("returns 404 factor_not_found from webauthn-options when the user has no key", async () => {
    const ada = await person();
    await withApp(ada);
    const answer = await request("POST /auth/login/2fa/webauthn-options", {
      ip: ip(),
      body: { mfaToken: await begun(ada) },
    });
    expect([answer.status, answer.body.code]).toEqual([404, "factor_not_found"]);
  });
});

describe("stored second factors", () => {
  const tables = [
    "totp_factors",
    "webauthn_credentials",
    "webauthn_challenges",
    "backup_codes",
    "backup_code_sets",
    "password_resets",
  ] as const;
  const counts = (userId: string) =>
    Promise.all(
      tables.map(async (table) => {
        const rows = await db().selectFrom(table).select("user_id").where("user_id", "=", userId).execute();
        return rows.length;
      }),
    );
  const withEveryFactor = async () => {
    const ada = await trusted();
    await withApp(ada);
    const { challenge } = (await request("POST /user/2fa/webauthn/options", { token: ada.token })).body;
    const credential = authenticator().register({ challenge });
    await request("POST /user/2fa/webauthn", { token: ada.token, body: { credential } });
    await request("POST /user/2fa/webauthn/options", { token: ada.token });
    await request("POST /auth/password/forgot", { ip: ip(), body: { email: ada.email } });
    return ada;
  };

  test("purges challenges, reset links and unconfirmed secrets after an hour", async () => {
    const [ada, eve] = [await withEveryFactor(), await trusted()];
    await request("POST /user/2fa/totp", { token: eve.token });
    expect([await counts(ada.id), await counts(eve.id)]).toEqual([
      [1, 1, 1, 12, 1, 1],
      [1, 0, 0, 0, 0, 0],
    ]);
    Clock.advance(3601);
    await purge();
    expect([await counts(ada.id), await counts(eve.id)]).toEqual([
      [1, 1, 0, 12, 1, 0],
      [0, 0, 0, 0, 0, 0],
    ]);
  });

  test("deletes all factors of a deleted user", async () => {
    const [ada, eve] = [await withEveryFactor(), await withEveryFactor()];
    await transaction((tx) => Factors.removeAll(tx, ada.id));
    expect(await counts(ada.id)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(await counts(eve.id)).toEqual([1, 1, 1, 12, 1, 1]);
  });

  test("still decrypts secrets after a new encryption key is added", async () => {
    const ada = await person();
    const { code } = await withApp(ada);
    const before = process.env.ENCRYPTION_KEYS;
    process.env.ENCRYPTION_KEYS = `next:${Buffer.alloc(32, 3).toString("base64url")},${before}`;
    const answer = await secondStep(await begun(ada), { method: "totp", code: code(1) });
    process.env.ENCRYPTION_KEYS = before;
    expect(answer.status).toBe(200);
  });

  test("records each change of a factor without secrets", async () => {
    const ada = await withEveryFactor();
    const { id } = (await overview(ada)).webauthn[0];
    await request("POST /user/2fa/backup-codes", { token: ada.token });
    await request("DELETE /user/2fa/webauthn/{id}", { token: ada.token, path: { id } });
    await request("DELETE /user/2fa/totp", { token: ada.token });
    const events = await db()
      .selectFrom("events")
      .select(["action", "changes"])
      .where("actor_id", "=", ada.id)
      .orderBy("id")
      .execute();
    expect(events).toEqual([
      { action: "user.totp_enabled", changes: {} },
      { action: "user.webauthn_added", changes: { webauthn: { before: null, after: "Security key" } } },
      { action: "user.backup_codes_renewed", changes: {} },
      { action: "user.webauthn_removed", changes: { webauthn: { before: "Security key", after: null } } },
      { action: "user.totp_removed", changes: {} },
    ]);
  });
});

test("keeps the change when the notification email cannot be sent", async () => {
  const up = process.env.SMTP_URL;
  process.env.SMTP_URL = "smtp://127.0.0.1:1";
  const ada = await trusted();
  await withApp(ada);
  process.env.SMTP_URL = up;
  expect((await overview(ada)).enabled).toBe(true);
});
