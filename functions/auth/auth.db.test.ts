import { createHmac, generateKeyPairSync, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as Clock from "@svc/core/base/clock";
import * as Token from "@svc/core/identity/sessions/token";
import { hashSecret } from "@svc/core/platform/crypto/secret";
import { db } from "@svc/core/platform/db/engine";
import { colleague, owner, type Person, password, person } from "@svc/core/testing/people";
import { decodeJwt, decodeProtectedHeader, SignJWT } from "jose";
import { SMTPServer } from "smtp-server";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { request } from "../testing/request.ts";

const mails: string[] = [];
const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  onData(stream, _session, done) {
    stream.setEncoding("utf8");
    let text = "";
    stream.on("data", (chunk) => {
      text += chunk;
    });
    stream.on("end", () => {
      mails.push(text.replace(/=\r\n/g, "").replaceAll("=3D", "="));
      done();
    });
  },
});

beforeAll(async () => {
  await new Promise<void>((resolve) => smtp.listen(0, "127.0.0.1", resolve));
  process.env.SMTP_URL = `smtp://127.0.0.1:${(smtp.server.address() as { port: number }).port}`;
});
afterAll(() => new Promise<void>((resolve) => smtp.close(resolve)));
afterEach(() => Clock.reset());

const newEmail = () => `${randomUUID()}@new.test`;
/** A random client IP address, so that tests do not share a rate limit. */
const ip = () => `10.${[1, 2, 3].map(() => Math.floor(Math.random() * 256)).join(".")}`;
const tokenFrom = (mail: string | undefined) => /#token=([\w-]+)/.exec(mail ?? "")?.[1] ?? "";
const verify = (token: string, secret = password) =>
  request("POST /auth/email/verify", { ip: ip(), body: { token, password: secret } });
const login = (email: string, secret = password, more: object = {}) =>
  request("POST /auth/login", { ip: ip(), body: { email, password: secret, ...more } });

describe("POST /auth/register and POST /auth/email/verify", () => {
  test("opens an account with a FREE workspace and a team when the link in the email is opened", async () => {
    const email = newEmail();
    const response = await request("POST /auth/register", {
      ip: ip(),
      body: { email, password, name: "Grace Hopper" },
    });
    expect(response).toMatchObject({ status: 202, body: {} });
    expect((await login(email)).body.code).toBe("invalid_credentials");

    const mail = mails.at(-1);
    expect(mail).toContain(`To: ${email}`);
    const opened = await verify(tokenFrom(mail));
    expect(opened).toMatchObject({
      status: 200,
      headers: { "cache-control": "no-store" },
      body: {
        tokenType: "Bearer",
        user: {
          email,
          name: "Grace Hopper",
          avatar: "",
          emailVerified: true,
          workspaces: [{ plan: "FREE", role: "owner" }],
        },
      },
    });
    expect(opened.body.user.teams).toHaveLength(1);
    expect(opened.cookies[0]).toMatch(/^svc_token=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Expires=/);
    expect((await login(email)).status).toBe(200);
  });

  test("takes the locale and the time zone of the browser for the account and its workspace", async () => {
    const email = newEmail();
    await request("POST /auth/register", { ip: ip(), body: { email, password, name: "Grace Hopper" } });
    const token = tokenFrom(mails.at(-1));
    const region = { locale: "en-US", timezone: "Europe/Zurich" };
    const body = { token, password, ...region };
    const rejected = await request("POST /auth/email/verify", {
      ip: ip(),
      body: { ...body, timezone: "Etc/Unknown" },
    });
    expect(rejected).toMatchObject({ status: 422, body: { errors: [{ pointer: "/timezone" }] } });
    const opened = await request("POST /auth/email/verify", { ip: ip(), body });
    expect(opened.body.user).toMatchObject(region);
    const options = { token: opened.body.token };
    const profile = await request("GET /user/profile", options);
    expect(profile.body).toMatchObject({ ...region, dateFormat: "MM/DD/YYYY" });
    const workspace = await request("GET /api/v1/workspace", options);
    expect(workspace.body).toMatchObject({ timezone: "Europe/Zurich", weekStart: 7 });
  });

  const register = (email = newEmail(), more: object = {}) =>
    request("POST /auth/register", { ip: ip(), body: { email, password, name: "G", ...more } });

  test("returns 410 link_expired for a link that was used", async () => {
    await register();
    const token = tokenFrom(mails.at(-1));
    await verify(token);
    const again = await verify(token);
    expect([again.status, again.body.code]).toEqual([410, "link_expired"]);
  });

  test("returns 410 link_expired for a link that is older than a day", async () => {
    await register();
    Clock.advance(24 * 3600 + 1);
    const late = await verify(tokenFrom(mails.at(-1)));
    expect([late.status, late.body.code]).toEqual([410, "link_expired"]);
  });

  test("returns the same reply for an email that has an account and sends its owner an email without a link token", async () => {
    const ada = await person();
    const response = await request("POST /auth/register", {
      ip: ip(),
      body: { email: ada.email.toUpperCase(), password, name: "X" },
    });
    expect(response).toMatchObject({ status: 202, body: {} });
    expect(mails.at(-1)).toContain("You already have an account");
    expect(mails.at(-1)).not.toContain("#token=");
  });

  test("opens one account when two links for the same email are opened at once", async () => {
    const email = newEmail();
    await register(email);
    const first = tokenFrom(mails.at(-1));
    await register(email);
    const second = tokenFrom(mails.at(-1));
    const statuses = (await Promise.all([verify(first), verify(second)])).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 410]);
  });

  test("confirms an earlier registration of the email if its password is entered, and then deletes all of them", async () => {
    const email = newEmail();
    await register(email, { name: "First" });
    await register(email, { name: "Second", password: "an entirely different phrase" });
    const opened = await verify(tokenFrom(mails.at(-1)));
    expect([opened.status, opened.body.user.name]).toEqual([200, "First"]);
    const left = await db().selectFrom("registrations").select("name").where("email", "=", email).execute();
    expect(left).toEqual([]);
  });

  test("returns 401 invalid_credentials for a wrong password, keeps the link valid, and locks after five of them", async () => {
    const email = newEmail();
    await register(email);
    const token = tokenFrom(mails.at(-1));
    const wrong = await verify(token, "not the password");
    expect([wrong.status, wrong.body.code]).toEqual([401, "invalid_credentials"]);
    for (let n = 0; n < 4; n++) await verify(token, "not the password");
    const locked = await verify(token);
    expect([locked.status, locked.body.code]).toEqual([429, "account_temporarily_locked"]);
    Clock.advance(61);
    expect((await verify(token)).status).toBe(200);
  });

  test("is not locked by failed sign-ins of strangers with the same email", async () => {
    const email = newEmail();
    await register(email);
    for (let n = 0; n < 6; n++) await login(email, "a stranger's guess");
    expect((await verify(tokenFrom(mails.at(-1)))).status).toBe(200);
  });

  test("sends at most five emails an hour to one email, and links sent before confirm later registrations", async () => {
    Clock.advance(3600 - (Math.floor(Clock.now().getTime() / 1000) % 3600));
    const email = newEmail();
    const sent = () => mails.filter((mail) => mail.includes(`To: ${email}`));
    const stranger = { password: "a stranger's password", name: "Eve" };
    for (let n = 0; n < 5; n++) await register(email, stranger);
    expect(await register(email, { name: "Grace" })).toMatchObject({ status: 202, body: {} });
    expect(sent()).toHaveLength(5);
    const opened = await verify(tokenFrom(sent()[0]));
    expect([opened.status, opened.body.user.name]).toEqual([200, "Grace"]);
  });

  test("stores only a hash of the link token", async () => {
    await request("POST /auth/register", { ip: ip(), body: { email: newEmail(), password, name: "G" } });
    const token = tokenFrom(mails.at(-1));
    const row = await db()
      .selectFrom("registrations")
      .selectAll()
      .where("token_hash", "=", hashSecret(token))
      .executeTakeFirst();
    expect(JSON.stringify(row)).not.toContain(token);
    expect(row?.password_hash).toMatch(/^\$argon2id\$v=19\$m=64,t=1,p=1\$/);
  });

  test("returns 502 mail_unavailable when the mail server is down, and a retry succeeds", async () => {
    const up = process.env.SMTP_URL;
    process.env.SMTP_URL = "smtp://127.0.0.1:1";
    const email = newEmail();
    const down = await request("POST /auth/register", { ip: ip(), body: { email, password, name: "G" } });
    process.env.SMTP_URL = up;
    expect([down.status, down.body.code]).toEqual([502, "mail_unavailable"]);
    const again = await request("POST /auth/register", { ip: ip(), body: { email, password, name: "G" } });
    expect(again.status).toBe(202);
  });

  test.each([
    ["a short password", { password: "short" }, "/password", "invalid_input"],
    ["a long password", { password: "x".repeat(129) }, "/password", "invalid_input"],
    ["a common password", { password: "qwerty123456" }, "/password", "password_too_weak"],
    ["a single repeated letter", { password: "a".repeat(20) }, "/password", "password_too_weak"],
    ["an invalid email", { email: "not-an-email" }, "/email", "invalid_input"],
    ["a line break in the name", { name: "a\nb" }, "/name", "invalid_input"],
    ["a blank name", { name: "   " }, "/name", "invalid_input"],
  ])("returns 422 with a pointer for %s", async (_, wrong, pointer, code) => {
    const body = { email: newEmail(), password, name: "Ada", ...wrong };
    const answer = await request("POST /auth/register", { ip: ip(), body });
    expect([answer.status, answer.body.code, answer.body.errors[0].pointer]).toEqual([422, code, pointer]);
  });
});

describe("POST /auth/login", () => {
  test("returns the same 401 body for an unknown email and for a wrong password", async () => {
    const ada = await person();
    const wrong = await login(ada.email, "not the password");
    const unknown = await login(newEmail(), "not the password");
    expect([wrong.status, wrong.headers["www-authenticate"]]).toEqual([401, "Bearer"]);
    const same = ({ requestId, ...rest }: Record<string, unknown>) => rest;
    expect(same(wrong.body)).toEqual(same(unknown.body));
  });

  test("locks the account after five failures for 1 minute, then 5, then 15, then 60", async () => {
    const ada = await person();
    const waits: (string | undefined)[] = [];
    for (let round = 0; round < 5; round++) {
      for (let n = 0; n < 5; n++) expect((await login(ada.email, "wrong")).status).toBe(401);
      const locked = await login(ada.email);
      expect([locked.status, locked.body.code]).toEqual([429, "account_temporarily_locked"]);
      waits.push(locked.headers["retry-after"]);
      Clock.advance(Number(locked.headers["retry-after"]));
    }
    expect(waits).toEqual(["60", "300", "900", "3600", "3600"]);
    expect((await login(ada.email)).status).toBe(200);
  });

  test("checks at most five of twelve concurrent password guesses, then locks the account", async () => {
    const ada = await person();
    const answers = await Promise.all(Array.from({ length: 12 }, () => login(ada.email, "wrong")));
    expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(5);
    expect((await login(ada.email)).status).toBe(429);
  });

  test("locks an unknown email after five failures, like a known one", async () => {
    const email = newEmail();
    for (let n = 0; n < 5; n++) await login(email, "wrong");
    expect((await login(email, "wrong")).status).toBe(429);
  });

  test("allows a known device to sign in while failures from other devices lock the account", async () => {
    const ada = await person();
    const { deviceToken } = (await login(ada.email)).body;
    for (let n = 0; n < 6; n++) await login(ada.email, "wrong");
    expect((await login(ada.email)).status).toBe(429);
    const known = await login(ada.email, password, { deviceToken });
    expect(known.status).toBe(200);
    expect(known.body.deviceToken).toBe(deviceToken);
  });

  test("does not accept another user's device token as a known device", async () => {
    const [ada, eve] = [await person(), await person()];
    const { deviceToken } = (await login(eve.email)).body;
    for (let n = 0; n < 5; n++) await login(ada.email, "wrong");
    expect((await login(ada.email, password, { deviceToken })).status).toBe(429);
  });

  test("reports the rate limit of 30 calls a minute per IP address and returns 429 rate_limited beyond the limit", async () => {
    const from = ip();
    const ask = () => request("POST /auth/login", { ip: from, body: { email: newEmail(), password } });
    const first = await ask();
    expect(first.headers["ratelimit-policy"]).toBe('"login";q=30;w=60');
    expect(first.headers.ratelimit).toMatch(/^"login";r=29;t=\d+$/);
    process.env.RATE_LIMITS = "login=1/60";
    const over = await ask();
    delete process.env.RATE_LIMITS;
    expect([over.status, over.body.code]).toEqual([429, "rate_limited"]);
    expect(Number(over.headers["retry-after"])).toBeGreaterThan(0);
  });

  test.each([
    ["malformed JSON", "{", "application/json", 400, "json_malformed"],
    ["a form body", "a=b", "application/x-www-form-urlencoded", 415, "unsupported_media_type"],
    ["an empty object", "{}", "application/json", 422, "invalid_input"],
    ["an array", "[]", "application/json", 422, "invalid_input"],
    [
      "a body that is too large",
      JSON.stringify({ email: "x".repeat(300_000) }),
      "application/json",
      413,
      "body_too_large",
    ],
  ])("rejects %s", async (_, body, type, status, code) => {
    const answer = await request("POST /auth/login", { ip: ip(), body, headers: { "content-type": type } });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });
});

describe("session tokens", () => {
  const me = (token: string) => request("GET /auth/me", { token });
  const code = async (token: string) => (await me(token)).body.code;
  const secret = Buffer.alloc(32, 7);
  const claims = (ada: { id: string; sessionId: string }) =>
    new SignJWT({ sid: ada.sessionId })
      .setSubject(ada.id)
      .setIssuer("svc")
      .setAudience("svc-api")
      .setIssuedAt()
      .setExpirationTime("1h");

  test("returns the token's owner from GET /auth/me with headers that prevent caching", async () => {
    const ada = await owner("Ada");
    const answer = await me(ada.token);
    expect(answer).toMatchObject({
      status: 200,
      headers: {
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
      },
      body: { id: ada.id, avatar: "", workspaces: [{ id: ada.workspaceId, baseCurrency: "EUR" }] },
    });
    expect(answer.headers["x-request-id"]).toBeTruthy();
  });

  test("returns 401 token_missing when there is no token", async () => {
    const answer = await request("GET /auth/me");
    expect([answer.status, answer.body.code, answer.headers["www-authenticate"]]).toEqual([
      401,
      "token_missing",
      "Bearer",
    ]);
  });

  const header = { alg: "HS256", typ: "at+jwt", kid: "test" };
  const validToken = (ada: Person) => claims(ada).setProtectedHeader(header).sign(secret);
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  /** The claims of a valid token. */
  const payload = async (ada: Person) => decodeJwt(await validToken(ada));

  test("accepts a well-formed token", async () => {
    const ada = await person();
    expect((await me(await validToken(ada))).status).toBe(200);
  });

  test.each<[string, (ada: Person) => string | Promise<string>]>([
    ["text that is not a token", () => "not-a-token"],
    ["a wrong signature", ({ token }) => `${token.slice(0, -3)}abc`],
    ["no signature", ({ token }) => token.replace(/[^.]+$/, "")],
    ["alg none", async (ada) => `${part({ ...header, alg: "none" })}.${part(await payload(ada))}.`],
    ["alg None", async (ada) => `${part({ ...header, alg: "None" })}.${part(await payload(ada))}.`],
    [
      "another HMAC algorithm",
      (ada) =>
        claims(ada)
          .setProtectedHeader({ ...header, alg: "HS512" })
          .sign(Buffer.alloc(64, 7)),
    ],
    [
      "an RS256 signature",
      (ada) =>
        claims(ada)
          .setProtectedHeader({ ...header, alg: "RS256" })
          .sign(rsa.privateKey),
    ],
    [
      "a public key used as the HMAC key",
      (ada) =>
        claims(ada)
          .setProtectedHeader(header)
          .sign(Buffer.from(rsa.publicKey.export({ type: "spki", format: "pem" }))),
    ],
    [
      "its own public key in jwk",
      (ada) => {
        const jwk = rsa.publicKey.export({ format: "jwk" });
        return claims(ada)
          .setProtectedHeader({ ...header, alg: "RS256", jwk })
          .sign(rsa.privateKey);
      },
    ],
    [
      "its own HMAC key in jwk",
      (ada) => {
        const ownKey = Buffer.alloc(32, 8);
        const jwk = { kty: "oct", k: ownKey.toString("base64url") };
        return claims(ada)
          .setProtectedHeader({ ...header, jwk })
          .sign(ownKey);
      },
    ],
    [
      "an unknown kid",
      (ada) =>
        claims(ada)
          .setProtectedHeader({ ...header, kid: "gone" })
          .sign(secret),
    ],
    ["no kid", (ada) => claims(ada).setProtectedHeader({ alg: "HS256", typ: "at+jwt" }).sign(secret)],
    [
      "another key under a known kid",
      (ada) => claims(ada).setProtectedHeader(header).sign(Buffer.alloc(32, 8)),
    ],
    [
      "another token type (typ)",
      (ada) =>
        claims(ada)
          .setProtectedHeader({ ...header, typ: "mfa+jwt" })
          .sign(secret),
    ],
    [
      "no token type (typ)",
      (ada) => claims(ada).setProtectedHeader({ alg: "HS256", kid: "test" }).sign(secret),
    ],
    ["another audience", (ada) => claims(ada).setAudience("svc-mfa").setProtectedHeader(header).sign(secret)],
    ["another issuer", (ada) => claims(ada).setIssuer("evil").setProtectedHeader(header).sign(secret)],
    [
      "a not-before time (nbf) in the future",
      (ada) => claims(ada).setNotBefore("1h").setProtectedHeader(header).sign(secret),
    ],
    [
      "an unknown critical extension (crit)",
      async (ada) => {
        const protectedHeader = part({ ...header, crit: ["later"], later: true });
        const signed = `${protectedHeader}.${part(await payload(ada))}`;
        return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
      },
    ],
  ])("returns 401 token_invalid for a token with %s", async (_, forge) => {
    const ada = await person();
    const answer = await me(await forge(ada));
    expect([answer.status, answer.body.code, answer.headers["www-authenticate"]]).toEqual([
      401,
      "token_invalid",
      "Bearer",
    ]);
  });

  test("returns 401 for a token that names another user's session", async () => {
    const [ada, eve] = [await person(), await person()];
    const mixed = await claims({ id: eve.id, sessionId: ada.sessionId })
      .setProtectedHeader(header)
      .sign(secret);
    expect((await me(mixed)).status).toBe(401);
  });

  test("rejects a token with a key URL (jku or x5u) and does not fetch the URL", async () => {
    const ada = await person();
    let calls = 0;
    const server = createServer((_, response) => {
      calls++;
      response.end(JSON.stringify({ keys: [{ ...rsa.publicKey.export({ format: "jwk" }), kid: "theirs" }] }));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`;
    for (const where of [{ jku: url }, { x5u: url }]) {
      const forged = claims(ada).setProtectedHeader({ ...header, alg: "RS256", kid: "theirs", ...where });
      expect(await code(await forged.sign(rsa.privateKey))).toBe("token_invalid");
    }
    await new Promise((resolve) => server.close(resolve));
    expect(calls).toBe(0);
  });

  test("accepts tokens of the previous key only while that key is configured, and signs new tokens with the new key", async () => {
    const ada = await person();
    const before = process.env.TOKEN_KEYS;
    const next = `next:${Buffer.alloc(32, 3).toString("base64url")}`;
    process.env.TOKEN_KEYS = `${next},${before}`;
    const old = (await me(ada.token)).status;
    const login = await request("POST /auth/login", { ip: ip(), body: { email: ada.email, password } });
    const { kid } = decodeProtectedHeader(login.body.token);
    process.env.TOKEN_KEYS = next;
    const rotatedOut = await me(ada.token);
    const current = (await me(login.body.token)).status;
    process.env.TOKEN_KEYS = before;
    expect([old, kid, current]).toEqual([200, "next", 200]);
    expect([rotatedOut.status, rotatedOut.body.code]).toEqual([401, "token_invalid"]);
  });

  test("returns token_expired for an expired token", async () => {
    const ada = await person();
    const old = await Token.sign({ userId: ada.id, sessionId: ada.sessionId }, new Date(0), new Date(1000));
    expect(await code(old)).toBe("token_expired");
  });

  test("returns session_ended for an unexpired token after POST /auth/logout", async () => {
    const ada = await person();
    const out = await request("POST /auth/logout", { token: ada.token });
    expect([out.status, out.cookies[0]]).toEqual([
      204,
      "svc_token=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0",
    ]);
    expect(await code(ada.token)).toBe("session_ended");
  });

  test("ends a session after a week without use and keeps a session that is used", async () => {
    const [idle, busy] = [await person(), await person()];
    for (let day = 0; day < 8; day++) {
      Clock.advance(86_400);
      expect((await me(busy.token)).status).toBe(200);
    }
    expect(await code(idle.token)).toBe("session_ended");
  });

  test("returns token_expired after ninety days, even if the session is in use", async () => {
    const ada = await person();
    for (let week = 0; week < 15; week++) {
      Clock.advance(6 * 86_400);
      if ((await me(ada.token)).status !== 200) break;
    }
    expect(await code(ada.token)).toBe("token_expired");
  });

  test("accepts the token from the cookie, for unsafe methods only from the web client's own origin", async () => {
    const ada = await person();
    const cookies = [`svc_token=${ada.token}`];
    expect((await request("GET /auth/me", { cookies })).status).toBe(200);
    const patch = (headers: Record<string, string>) =>
      request("PATCH /user/profile", { cookies, headers, body: {} });
    expect((await patch({})).body.code).toBe("cross_origin");
    expect((await patch({ origin: "https://evil.test" })).status).toBe(403);
    expect((await patch({ "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await patch({ origin: "http://localhost:4000" })).status).toBe(200);
    expect((await patch({ "sec-fetch-site": "same-origin" })).status).toBe(200);
    const logout = (headers: Record<string, string>) => request("POST /auth/logout", { cookies, headers });
    const crossSite = await logout({ origin: "https://evil.test", "sec-fetch-site": "cross-site" });
    expect([crossSite.status, crossSite.body.code]).toEqual([403, "cross_origin"]);
    expect((await logout({ "sec-fetch-site": "same-site" })).status).toBe(403);
    expect((await logout({ "sec-fetch-site": "same-origin" })).status).toBe(204);
  });

  test("sets the token in an HttpOnly, SameSite=Lax cookie that is Secure except on plain-HTTP localhost", async () => {
    const ada = await person();
    const cookie = async () => (await login(ada.email)).cookies[0];
    const flags = /^svc_token=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax(; Secure)?; Expires=[^;]+ GMT$/;
    expect(flags.exec((await cookie()) ?? "")?.slice(1)).toEqual([undefined]);
    const before = process.env.APP_URL;
    for (const url of ["https://svc.test", "http://svc.test", "https://localhost:4000"]) {
      process.env.APP_URL = url;
      expect(flags.exec((await cookie()) ?? "")?.slice(1)).toEqual(["; Secure"]);
    }
    process.env.APP_URL = before;
  });

  test("prefers the token in the Authorization header over the cookie", async () => {
    const ada = await person();
    const answer = await request("GET /auth/me", { token: "wrong", cookies: [`svc_token=${ada.token}`] });
    expect(answer.status).toBe(401);
  });
});

describe("PUT /user/password", () => {
  const change = (token: string, currentPassword: string, newPassword: string) =>
    request("PUT /user/password", { token, body: { currentPassword, newPassword } });

  test("changes the password and ends all other sessions", async () => {
    const ada = await person();
    const other = (await login(ada.email)).body.token;
    const next = "another long sentence";
    expect((await change(ada.token, password, next)).status).toBe(204);
    expect((await request("GET /auth/me", { token: other })).body.code).toBe("session_ended");
    expect((await request("GET /auth/me", { token: ada.token })).status).toBe(200);
    expect((await login(ada.email)).status).toBe(401);
    expect((await login(ada.email, next)).status).toBe(200);
  });

  test("returns 403 for a wrong current password and 429 after five of them", async () => {
    const ada = await person();
    for (let n = 0; n < 5; n++)
      expect((await change(ada.token, "wrong", "another long sentence")).status).toBe(403);
    expect((await change(ada.token, password, "another long sentence")).status).toBe(429);
  });

  test("returns 422 password_too_weak for a password with the user's name", async () => {
    const ada = await person("Ada Lovelace");
    const answer = await change(ada.token, password, "Ada-Lovelace1");
    const [error] = answer.body.errors;
    expect([answer.status, answer.body.code, error.pointer]).toEqual([
      422,
      "password_too_weak",
      "/newPassword",
    ]);
    expect(error.detail).toMatch(/^Password is too easy to guess\. Your name.*random words/);
  });
});

describe("PATCH /user/profile", () => {
  test("changes only the given fields and ignores the avatar and unknown fields", async () => {
    const ada = await person("Ada");
    const body = {
      title: "Countess",
      timezone: "Europe/Zurich",
      locale: "de-CH-u-fw-sun-hc-h12",
      phone: "+41 44 123 45 67",
      dateFormat: "DD.MM.YYYY",
      avatar: "objstore:avatars/x/1.webp",
      nonsense: 1,
    };
    const answer = await request("PATCH /user/profile", { token: ada.token, body });
    expect(answer.body).toMatchObject({
      name: "Ada",
      title: "Countess",
      timezone: "Europe/Zurich",
      locale: "de-CH-u-fw-sun-hc-h12",
      dateFormat: "DD.MM.YYYY",
      avatar: "",
    });
    expect((await request("GET /user/profile", { token: ada.token })).body).toEqual(answer.body);
  });

  test.each([
    ["timezone", "Mars/Olympus"],
    ["locale", "not a tag"],
    ["phone", "call me"],
    ["dateFormat", "YY"],
    ["name", ""],
    ["title", "x".repeat(101)],
  ])("returns 422 with a pointer for an invalid %s", async (field, value) => {
    const ada = await person();
    const answer = await request("PATCH /user/profile", { token: ada.token, body: { [field]: value } });
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, `/${field}`]);
  });

  test("records the change with the previous and the new value", async () => {
    const ada = await owner("Ada");
    await colleague(ada);
    await request("PATCH /user/profile", { token: ada.token, body: { title: "Countess" } });
    const event = await db()
      .selectFrom("events")
      .selectAll()
      .where("actor_id", "=", ada.id)
      .where("action", "=", "user.updated")
      .executeTakeFirstOrThrow();
    expect(event.changes).toEqual({ title: { before: "", after: "Countess" } });
  });
});
