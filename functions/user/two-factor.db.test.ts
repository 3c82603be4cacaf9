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
// Time stands still but for Clock.advance, so that no code goes stale while a test is at work.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => {
  vi.useRealTimers();
  Clock.reset();
});

/** A client address of its own, so that no test uses up another's calls. */
const ip = () => `10.${[1, 2, 3].map(() => Math.floor(Math.random() * 256)).join(".")}`;
const login = (email: string, more: object = {}) =>
  request("POST /auth/login", { ip: ip(), body: { email, password, ...more } });
const second = (mfaToken: string, more: object, agent = "test") =>
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

/** A person who may change their factors for the next ten minutes. */
async function trusted(): Promise<Person> {
  const ada = await person();
  await reauthenticate(ada);
  return ada;
}

describe("giving the password again", () => {
  const guarded: RouteKey[] = [
    "POST /user/2fa/totp",
    "POST /user/2fa/totp/verify",
    "DELETE /user/2fa/totp",
    "POST /user/2fa/webauthn/options",
    "POST /user/2fa/webauthn",
    "DELETE /user/2fa/webauthn/{id}",
    "POST /user/2fa/backup-codes",
  ];
  test.each(guarded)("%s needs it", async (route) => {
    const ada = await person();
    const answer = await request(route, { token: ada.token, path: { id: "x" }, body: {} });
    expect([answer.status, answer.body.code]).toEqual([403, "reauthentication_required"]);
  });

  test("is good for ten minutes, for this session alone", async () => {
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

  test("with a wrong one is 403, and locks after five", async () => {
    const ada = await person();
    for (let n = 0; n < 5; n++)
      expect((await reauthenticate(ada, "wrong")).body.code).toBe("invalid_credentials");
    expect((await reauthenticate(ada)).status).toBe(429);
    expect((await request("POST /user/2fa/totp", { token: ada.token })).status).toBe(403);
  });
});

describe("an authenticator app", () => {
  test("is a factor once its first code has confirmed it, and twelve backup codes come with it", async () => {
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
      expect(text).toMatch(/When: \d{4}-[\s\S]*Where: IP address[\s\S]*Device: [\s\S]*set a new password/);
  });

  test("is not confirmed by a wrong code, without a secret, or after an hour", async () => {
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

  test("lets its owner in by a second step, which the password alone does not open", async () => {
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
    const done = await second(first.body.mfaToken, { method: "totp", code: shown.code(1) });
    expect(done).toMatchObject({ status: 200, body: { user: { id: ada.id, twoFactorEnabled: true } } });
    expect(done.cookies[0]).toContain("svc_token=");
    expect((await request("GET /auth/me", { token: done.body.token })).status).toBe(200);
  });

  test("gives codes that are good once, one step either side", async () => {
    const ada = await person();
    const { code } = await withApp(ada);
    const mfaToken = await begun(ada);
    const attempt = async (given: string) => (await second(mfaToken, { method: "totp", code: given })).status;
    expect(await attempt(code(0))).toBe(401); // confirmed the app
    expect(await attempt(code(2))).toBe(401);
    expect(await attempt(code(1))).toBe(200);
    expect(await attempt(code(1))).toBe(401);
    Clock.advance(90);
    expect(await attempt(code(-1))).toBe(200);
    expect(await attempt(`${code(0).slice(0, 3)} ${code(0).slice(3)}`)).toBe(200);
  });

  test("takes one code once, however many send it at a time", async () => {
    const ada = await person();
    const { code } = await withApp(ada);
    const tokens = await Promise.all(Array.from({ length: 4 }, () => begun(ada)));
    const given = code(1);
    const answers = await Promise.all(
      tokens.map((mfaToken) => second(mfaToken, { method: "totp", code: given })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test("can be removed, and its backup codes go with it", async () => {
    const ada = await trusted();
    const shown = await withApp(ada);
    const mfaToken = await begun(ada);
    expect((await request("DELETE /user/2fa/totp", { token: ada.token })).status).toBe(204);
    expect(await overview(ada)).toMatchObject({ enabled: false, methods: [], backupCodesLeft: 0 });
    expect((await request("DELETE /user/2fa/totp", { token: ada.token })).body.code).toBe("factor_not_found");
    expect((await login(ada.email)).body.token).toBeTruthy();
    const [code] = shown.backupCodes;
    expect((await second(mfaToken, { method: "backup_code", code })).status).toBe(401);
  });

  test("leaves nothing in the database by which its codes, or the backup codes, could be known", async () => {
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

describe("the token between the steps", () => {
  test("is no access token, and an access token is none", async () => {
    const ada = await person();
    const { code } = await withApp(ada);
    const mfaToken = await begun(ada);
    const asBearer = await request("GET /auth/me", { token: mfaToken });
    expect([asBearer.status, asBearer.body.code]).toEqual([401, "token_invalid"]);
    const asCookie = await request("GET /auth/me", { cookies: [`svc_token=${mfaToken}`] });
    expect(asCookie.status).toBe(401);
    const other = await second(ada.token, { method: "totp", code: code(1) });
    expect([other.status, other.body.code]).toEqual([401, "token_invalid"]);
  });

  test("dies in five minutes", async () => {
    const ada = await person();
    const { code } = await withApp(ada);
    const { mfaToken, expiresAt } = (await login(ada.email)).body;
    expect(Date.parse(expiresAt) - Clock.now().getTime()).toBeLessThanOrEqual(300_000);
    Clock.advance(301);
    const late = await second(mfaToken, { method: "totp", code: code() });
    expect([late.status, late.body.code]).toEqual([401, "token_expired"]);
  });

  test("is void once the password is another one", async () => {
    const ada = await person();
    const { code } = await withApp(ada);
    const mfaToken = await begun(ada);
    await request("PUT /user/password", {
      token: ada.token,
      body: { currentPassword: password, newPassword: "another long sentence" },
    });
    const answer = await second(mfaToken, { method: "totp", code: code(1) });
    expect([answer.status, answer.body.code]).toEqual([401, "token_invalid"]);
  });

  test("of a key that is no longer configured is refused", async () => {
    const ada = await person();
    const pending = { id: "mfa_1", userId: ada.id, passwordMark: "x" };
    const soon = new Date(Date.now() + 60_000);
    const forged = await Token.signMfa(pending, new Date(), soon, [
      { id: "gone", secret: Buffer.alloc(32, 1) },
    ]);
    expect((await second(forged, { method: "totp", code: "123456" })).body.code).toBe("token_invalid");
  });

  test("carries the device through both steps", async () => {
    const ada = await person();
    const { deviceToken } = (await login(ada.email)).body;
    const { code } = await withApp(ada);
    const known = await second(await begun(ada, { deviceToken }), { method: "totp", code: code(1) });
    expect(known.body.deviceToken).toBe(deviceToken);
    Clock.advance(60);
    const elsewhere = await begun(ada, { deviceName: "Ada’s laptop" });
    const named = await second(elsewhere, { method: "totp", code: code() }, "another client");
    const devices = await db().selectFrom("devices").select("name").where("user_id", "=", ada.id).execute();
    expect(devices.map(({ name }) => name).sort()).toEqual(["Ada’s laptop", "test"]);
    expect(named.body.deviceToken).not.toBe(deviceToken);
  });
});

describe("backup codes", () => {
  test("work once each, and the count left is right", async () => {
    const ada = await person();
    const { backupCodes } = await withApp(ada);
    const mfaToken = await begun(ada);
    let left = 12;
    for (const code of backupCodes) {
      const typed = left % 2 ? code.toUpperCase() : code.replace("-", " ");
      expect((await second(mfaToken, { method: "backup_code", code: typed })).status).toBe(200);
      expect((await overview(ada)).backupCodesLeft).toBe(--left);
      if (left % 5 === 0) expect((await second(mfaToken, { method: "backup_code", code })).status).toBe(401);
    }
    expect((await login(ada.email)).body.methods).toEqual(["totp"]);
    const used = await db()
      .selectFrom("events")
      .select("id")
      .where("actor_id", "=", ada.id)
      .where("action", "=", "user.backup_code_used")
      .execute();
    expect(used).toHaveLength(12);
    expect(mails.to(ada.email).at(-1)?.text).toContain("none is left");
  });

  test("let one in of ten who send the same code at once", async () => {
    const ada = await person();
    const { backupCodes } = await withApp(ada);
    const mfaToken = await begun(ada);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => second(mfaToken, { method: "backup_code", code: backupCodes[0] })),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.every((status) => [200, 401, 429].includes(status))).toBe(true);
    expect((await overview(ada)).backupCodesLeft).toBe(11);
  });

  test("are void once new ones are made", async () => {
    const ada = await trusted();
    const { backupCodes: old } = await withApp(ada);
    const renewed = await request("POST /user/2fa/backup-codes", { token: ada.token });
    expect([renewed.status, renewed.headers["cache-control"]]).toEqual([200, "no-store"]);
    expect(new Set([...old, ...renewed.body.backupCodes]).size).toBe(24);
    const mfaToken = await begun(ada);
    const status = async (code: string) => (await second(mfaToken, { method: "backup_code", code })).status;
    expect(await status(old[0] ?? "")).toBe(401);
    expect(await status(renewed.body.backupCodes[11])).toBe(200);
    expect((await overview(ada)).backupCodesLeft).toBe(11);
  });

  test("made twice at once leave one set", async () => {
    const ada = await trusted();
    await withApp(ada);
    await Promise.all([1, 2].map(() => request("POST /user/2fa/backup-codes", { token: ada.token })));
    expect((await overview(ada)).backupCodesLeft).toBe(12);
  });

  test("need a factor that they stand in for", async () => {
    const ada = await trusted();
    const answer = await request("POST /user/2fa/backup-codes", { token: ada.token });
    expect([answer.status, answer.body.code]).toEqual([409, "two_factor_not_enabled"]);
  });

  test("of somebody else open nothing", async () => {
    const [ada, eve] = [await person(), await person()];
    await withApp(ada);
    const { backupCodes } = await withApp(eve);
    const answer = await second(await begun(ada), { method: "backup_code", code: backupCodes[0] });
    expect(answer.status).toBe(401);
  });
});

describe("the lock-out", () => {
  test("counts password, app, device and backup codes together", async () => {
    const ada = await person();
    const shown = await withApp(ada);
    const mfaToken = await begun(ada);
    const wrong = { method: "totp", code: wrongCode(shown) };
    const assertion = authenticator().assert({ challenge: "none" });
    expect((await login(ada.email, { password: "wrong" })).status).toBe(401);
    expect((await second(mfaToken, wrong)).status).toBe(401);
    expect((await second(mfaToken, { method: "webauthn", credential: assertion })).status).toBe(401);
    expect((await second(mfaToken, { method: "backup_code", code: "00000-00000" })).status).toBe(401);
    expect((await second(mfaToken, wrong)).status).toBe(401);
    const locked = await second(mfaToken, { method: "totp", code: shown.code(1) });
    expect([locked.status, locked.body.code]).toEqual([429, "account_temporarily_locked"]);
    expect(Number(locked.headers["retry-after"])).toBeGreaterThan(0);
    // Nor does it tell whether the password was right.
    const [right, not] = [await login(ada.email), await login(ada.email, { password: "wrong" })];
    expect([right.status, not.status, right.body.code]).toEqual([429, 429, not.body.code]);
    Clock.advance(61);
    expect((await second(await begun(ada), { method: "totp", code: shown.code() })).status).toBe(200);
  });

  test("is not wiped out by whoever knows the password alone", async () => {
    const ada = await person();
    const shown = await withApp(ada);
    const statuses: number[] = [];
    for (let round = 0; round < 6; round++) {
      const first = await login(ada.email);
      if (first.status !== 200) statuses.push(first.status);
      else
        statuses.push((await second(first.body.mfaToken, { method: "totp", code: wrongCode(shown) })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test("does not come from right passwords alone", async () => {
    const ada = await person();
    await withApp(ada);
    for (let n = 0; n < 4; n++) await login(ada.email, { password: "wrong" });
    for (let n = 0; n < 6; n++) expect((await login(ada.email)).body.mfaRequired).toBe(true);
    await login(ada.email, { password: "wrong" });
    expect((await login(ada.email)).status).toBe(429);
  });
});

describe("a device or security key", () => {
  const options = async ({ token }: Person) =>
    (await request("POST /user/2fa/webauthn/options", { token })).body;
  const register = async (
    who: Person,
    key: ReturnType<typeof authenticator>,
    more: Partial<Ceremony> = {},
    name?: string,
  ) => {
    const { challenge } = await options(who);
    const body = { credential: key.register({ challenge, ...more }), ...(name && { name }) };
    return request("POST /user/2fa/webauthn", { token: who.token, body });
  };
  const challengeFor = async (mfaToken: string) =>
    (await request("POST /auth/login/2fa/webauthn-options", { ip: ip(), body: { mfaToken } })).body.challenge;
  const assert = async (
    mfaToken: string,
    key: ReturnType<typeof authenticator>,
    more: Partial<Ceremony> = {},
  ) => {
    const challenge = await challengeFor(mfaToken);
    return second(mfaToken, { method: "webauthn", credential: key.assert({ challenge, ...more }) });
  };

  test("is registered with options that demand user verification, and the first brings backup codes", async () => {
    const ada = await trusted();
    expect(await options(ada)).toMatchObject({
      rp: { id: "localhost" },
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

  test("lets its owner in", async () => {
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
    ["nobody present", { userPresent: false, userVerified: false }],
    ["another challenge", { challenge: "AAAA" }],
    ["an answer of the other ceremony", { type: "webauthn.get" }],
  ])("is not registered with %s", async (_, wrong) => {
    const ada = await trusted();
    const answer = await register(ada, authenticator(), wrong);
    expect([answer.status, answer.body.code]).toEqual([422, "credential_invalid"]);
    expect((await overview(ada)).enabled).toBe(false);
  });

  test("lets nobody in with anything wrong about the answer", async () => {
    const ada = await trusted();
    const key = authenticator();
    await register(ada, key, { counter: 7 });
    const mfaToken = await begun(ada);
    const wrong: Record<string, Partial<Ceremony>> = {
      "a counter that stands still": { counter: 7 },
      "a counter that went back": { counter: 6 },
      "a counter that is gone": { counter: 0 },
      "another origin": { origin: "https://evil.test" },
      "another relying party": { rpId: "evil.test" },
      "no user verification": { userVerified: false },
      "nobody present": { userPresent: false, userVerified: false },
      "another challenge": { challenge: "AAAA" },
      "an answer of the other ceremony": { type: "webauthn.create" },
    };
    let counter = 7;
    for (const [what, mistake] of Object.entries(wrong)) {
      const forged = { counter: counter + 1, ...mistake };
      expect([what, (await assert(mfaToken, key, forged)).status]).toEqual([what, 401]);
      // Only that was wrong: without it the answer is taken.
      if (mistake.counter === undefined)
        expect((await assert(mfaToken, key, { counter: ++counter })).status).toBe(200);
    }
  });

  test("gives answers that are good once", async () => {
    const ada = await trusted();
    const key = authenticator();
    await register(ada, key);
    const mfaToken = await begun(ada);
    const credential = key.assert({ challenge: await challengeFor(mfaToken) });
    const answers = await Promise.all(
      [1, 2, 3].map(() => second(mfaToken, { method: "webauthn", credential })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    expect((await second(mfaToken, { method: "webauthn", credential })).status).toBe(401);
  });

  test("gives answers for one login, not for another, nor after five minutes", async () => {
    const ada = await trusted();
    const key = authenticator();
    await register(ada, key);
    const [one, other] = [await begun(ada), await begun(ada)];
    const credential = key.assert({ challenge: await challengeFor(one) });
    expect((await second(other, { method: "webauthn", credential })).status).toBe(401);
    Clock.advance(200);
    const late = await begun(ada);
    const slow = key.assert({ challenge: await challengeFor(late) });
    Clock.advance(299);
    expect((await second(late, { method: "webauthn", credential: slow })).status).toBe(200);
    const later = await begun(ada);
    const tooSlow = key.assert({ challenge: await challengeFor(later) });
    Clock.advance(301);
    expect((await second(await begun(ada), { method: "webauthn", credential: tooSlow })).status).toBe(401);
  });

  test("without a counter, as passkeys on phones are, works again and again", async () => {
    const ada = await trusted();
    const key = authenticator();
    await register(ada, key, { counter: 0 });
    const mfaToken = await begun(ada);
    for (let n = 0; n < 2; n++) expect((await assert(mfaToken, key, { counter: 0 })).status).toBe(200);
  });

  test("of somebody else, or of nobody, lets nobody in", async () => {
    const [ada, eve] = [await trusted(), await trusted()];
    const [hers, other] = [authenticator(), authenticator()];
    await register(ada, hers);
    await register(eve, other);
    const mfaToken = await begun(ada);
    expect((await assert(mfaToken, other)).status).toBe(401);
    expect((await assert(mfaToken, authenticator())).status).toBe(401);
  });

  test("answers that are no credentials are 422, garbled ones are refused", async () => {
    const ada = await trusted();
    const key = authenticator();
    await register(ada, key);
    const mfaToken = await begun(ada);
    expect((await second(mfaToken, { method: "webauthn" })).status).toBe(422);
    expect((await second(mfaToken, { method: "carrier-pigeon", code: "1" })).status).toBe(422);
    const good = key.assert({ challenge: await challengeFor(mfaToken) });
    const garbled = { ...good, response: { ...good.response, authenticatorData: "AAAA" } };
    expect((await second(mfaToken, { method: "webauthn", credential: garbled })).status).toBe(401);
    const { challenge } = await options(ada);
    const made = authenticator().register({ challenge });
    const broken = { ...made, response: { ...made.response, attestationObject: "AAAA" } };
    const answer = await request("POST /user/2fa/webauthn", {
      token: ada.token,
      body: { credential: broken },
    });
    expect(answer.body.code).toBe("credential_invalid");
  });

  test("can be removed by its owner alone", async () => {
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

  test("beside an app keeps the backup codes when one of both goes", async () => {
    const ada = await trusted();
    const { backupCodes } = await withApp(ada);
    expect((await register(ada, authenticator())).body.backupCodes).toBeUndefined();
    await request("DELETE /user/2fa/totp", { token: ada.token });
    expect(await overview(ada)).toMatchObject({ methods: ["webauthn", "backup_code"], backupCodesLeft: 12 });
    const answer = await second(await begun(ada), { method: "backup_code", code: backupCodes[3] });
    expect(answer.status).toBe(200);
  });

  test("is asked for only where there is one", async () => {
    const ada = await person();
    await withApp(ada);
    const answer = await request("POST /auth/login/2fa/webauthn-options", {
      ip: ip(),
      body: { mfaToken: await begun(ada) },
    });
    expect([answer.status, answer.body.code]).toEqual([404, "factor_not_found"]);
  });
});

describe("what is kept", () => {
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
  const everything = async () => {
    const ada = await trusted();
    await withApp(ada);
    const { challenge } = (await request("POST /user/2fa/webauthn/options", { token: ada.token })).body;
    const credential = authenticator().register({ challenge });
    await request("POST /user/2fa/webauthn", { token: ada.token, body: { credential } });
    await request("POST /user/2fa/webauthn/options", { token: ada.token });
    await request("POST /auth/password/forgot", { ip: ip(), body: { email: ada.email } });
    return ada;
  };

  test("is only what can still be used: an hour later the purge takes challenges, links and unconfirmed secrets", async () => {
    const [ada, eve] = [await everything(), await trusted()];
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

  test("goes with a person who leaves", async () => {
    const [ada, eve] = [await everything(), await everything()];
    await transaction((tx) => Factors.forget(tx, ada.id));
    expect(await counts(ada.id)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(await counts(eve.id)).toEqual([1, 1, 1, 12, 1, 1]);
  });

  test("opens with the next encryption key too", async () => {
    const ada = await person();
    const { code } = await withApp(ada);
    const before = process.env.ENCRYPTION_KEYS;
    process.env.ENCRYPTION_KEYS = `next:${Buffer.alloc(32, 3).toString("base64url")},${before}`;
    const answer = await second(await begun(ada), { method: "totp", code: code(1) });
    process.env.ENCRYPTION_KEYS = before;
    expect(answer.status).toBe(200);
  });

  test("is recorded: who changed which factor, and nothing secret", async () => {
    const ada = await everything();
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

test("what is done stays done when the mail about it cannot be sent", async () => {
  const up = process.env.SMTP_URL;
  process.env.SMTP_URL = "smtp://127.0.0.1:1";
  const ada = await trusted();
  await withApp(ada);
  process.env.SMTP_URL = up;
  expect((await overview(ada)).enabled).toBe(true);
});
