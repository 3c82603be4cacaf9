// The domain code is in packages/core/identity/sign-in and packages/core/identity/factors.

import { randomInt } from "node:crypto";
import * as Clock from "@svc/core/base/clock";
import { failuresAllowed } from "@svc/core/identity/password/lock-out";
import { db } from "@svc/core/platform/db/engine";
import { authenticator, type Ceremony } from "@svc/core/testing/authenticator";
import { passkeyProof, withApp, withPasskey } from "@svc/core/testing/factors";
import { colleague, owner, type Person, password, person } from "@svc/core/testing/people";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { handler as purge } from "../jobs/purge-expired.ts";
import { mailServer } from "../testing/mails.ts";
import { request } from "../testing/request.ts";

const mails = mailServer();
// Freeze the time except for Clock.advance, so that no challenge expires during a test.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => {
  vi.useRealTimers();
  Clock.reset();
});

/** A random client IP address, so that tests do not share a rate limit. */
const ip = () => `10.${[1, 2, 3].map(() => randomInt(256)).join(".")}`;

type Proof = Awaited<ReturnType<typeof passkeyProof>>;
const signIn = (proof: object, more: object = {}) =>
  request("POST /auth/passkey", { ip: ip(), body: { ...proof, ...more } });

/** The parts of a problem that a stranger can compare. */
const words = ({ status, body }: Awaited<ReturnType<typeof signIn>>) => {
  const { code, detail, title } = body;
  return { status, code, detail, title };
};

const refusal = {
  status: 401,
  code: "invalid_credentials",
  detail: "This passkey could not be verified. Try again, or use your password.",
  title: "Unauthorized",
};

const withProof = (proof: Proof, response: Partial<Proof["credential"]["response"]>): Proof => ({
  ...proof,
  credential: { ...proof.credential, response: { ...proof.credential.response, ...response } },
});

describe("signing in with a passkey and nothing typed (POST /auth/passkey)", () => {
  test("returns the answer of a log-in, without a second step", async () => {
    const ada = await owner("Ada");
    await withApp(ada);
    const passkey = await withPasskey(ada);
    const options = await request("POST /auth/passkey/options", { ip: ip() });
    expect(options).toMatchObject({
      status: 200,
      headers: { "cache-control": "no-store" },
      body: { options: { rpId: "localhost", userVerification: "required", allowCredentials: [] } },
    });
    const { challengeToken } = options.body;
    const credential = passkey.assert({ challenge: options.body.options.challenge });
    const answer = await signIn({ challengeToken, credential }, { deviceName: "Phone" });
    expect(answer).toMatchObject({
      status: 200,
      headers: { "cache-control": "no-store" },
      body: { tokenType: "Bearer", user: { id: ada.id, email: ada.email } },
    });
    expect(answer.cookies[0]).toMatch(/^svc_token=.*HttpOnly/);
    const { token } = answer.body;
    const devices = await request("GET /user/devices", { token });
    expect(devices.body.data.map(({ name }: { name: string }) => name)).toEqual(["Phone"]);
    const history = await request("GET /user/login-history", { token });
    expect(history.body.data[0]).toMatchObject({ outcome: "success", method: "passkey", suspicious: false });
    expect((await request("GET /user/2fa", { token })).body.webauthn[0].lastUsedAt).not.toBeNull();
  });

  test("emails about a new device, recognizes a known one, and reports a suspicious sign-in", async () => {
    const ada = await person();
    const passkey = await withPasskey(ada);
    const { deviceToken } = (await signIn(await passkey.proof())).body;
    const subjects = () => mails.to(ada.email).map(({ subject }) => subject);
    expect(subjects()).toEqual(["A passkey was added", "New device signed in to your account"]);
    expect((await signIn(await passkey.proof(), { deviceToken })).body.deviceToken).toBe(deviceToken);
    expect(subjects()).toHaveLength(2);
    Clock.advance(60);
    for (let n = 0; n < 5; n++) await signIn(await passkey.proof({ origin: "https://evil.test" }));
    await signIn(await passkey.proof(), { deviceToken });
    expect(subjects().at(-1)).toBe("Suspicious sign-in to your account");
  });

  test("accepts repeated assertions of a synchronized passkey, which has no counter", async () => {
    const passkey = await withPasskey(await person(), { counter: 0 });
    for (let n = 0; n < 2; n++) expect((await signIn(await passkey.proof({ counter: 0 }))).status).toBe(200);
  });

  test("is not blocked by a lock-out of the password, and does not end it", async () => {
    const ada = await person();
    const passkey = await withPasskey(ada);
    const guess = (secret: string) =>
      request("POST /auth/login", { ip: ip(), body: { email: ada.email, password: secret } });
    for (let n = 0; n < failuresAllowed; n++) await guess("wrong");
    expect((await guess(password)).status).toBe(429);
    expect((await signIn(await passkey.proof())).status).toBe(200);
    expect((await guess(password)).status).toBe(429);
  });

  test("opens no workspace for a suspended member", async () => {
    const home = await owner("Ada", "PRO");
    const ben = await colleague(home);
    const passkey = await withPasskey(ben);
    await db()
      .updateTable("memberships")
      .set({ status: "suspended" })
      .where("user_id", "=", ben.id)
      .execute();
    const answer = await signIn(await passkey.proof());
    expect([answer.status, answer.body.user.workspaces]).toEqual([200, []]);
    const { token } = answer.body;
    const headers = { "x-workspace-id": home.workspaceId };
    expect((await request("GET /api/v1/projects", { token, headers })).status).toBe(404);
  });
});

describe("assertions that sign no one in", () => {
  test.each<[string, Partial<Ceremony>]>([
    ["of another origin", { origin: "https://evil.test" }],
    ["of another relying party", { rpId: "evil.test" }],
    ["without user verification", { userVerified: false }],
    ["without user presence", { userPresent: false, userVerified: false }],
    ["of another challenge", { challenge: "AAAA" }],
    ["of a registration", { type: "webauthn.create" }],
    ["with an unchanged counter", { counter: 1 }],
    ["with a counter that was reset", { counter: 0 }],
  ])("are those %s", async (_, mistake) => {
    const passkey = await withPasskey(await person());
    const { status, body } = await signIn(await passkey.proof({ counter: 2, ...mistake }));
    expect(words({ status, body, headers: {}, cookies: [] })).toEqual(refusal);
    expect((await signIn(await passkey.proof({ counter: 2 }))).status).toBe(200);
  });

  test("are those of an unknown credential and of a wrong signature, in the same words", async () => {
    const ada = await person();
    const passkey = await withPasskey(ada);
    const unknown = await signIn(await passkeyProof(authenticator(), { userHandle: passkey.userHandle }));
    const proof = await passkey.proof();
    const other = authenticator().assert({ challenge: "AAAA" }).response.signature;
    const wrong = await signIn(withProof(proof, { signature: other }));
    const garbled = await signIn(withProof(await passkey.proof(), { authenticatorData: "AAAA" }));
    expect([words(unknown), words(wrong), words(garbled)]).toEqual([refusal, refusal, refusal]);
    expect([unknown.cookies, wrong.cookies]).toEqual([[], []]);
    const names = ({ headers }: typeof wrong) => Object.keys(headers).sort();
    expect(names(unknown)).toEqual(names(wrong));
    const failures = await db()
      .selectFrom("logins")
      .select("user_id")
      .where("method", "=", "passkey")
      .where("user_id", "in", [ada.id, ""])
      .execute();
    expect(failures.map(({ user_id }) => user_id).sort()).toEqual(expect.arrayContaining(["", ada.id]));
  });

  test("are those with the user handle of another person", async () => {
    const [ada, eve] = [await withPasskey(await person()), await withPasskey(await person())];
    expect(words(await signIn(await eve.proof({ userHandle: ada.userHandle })))).toEqual(refusal);
    expect((await signIn(withProof(await eve.proof(), { userHandle: "" }))).status).toBe(422);
  });

  test("are replayed ones, also when sent several times at once", async () => {
    const passkey = await withPasskey(await person(), { counter: 0 });
    const proof = await passkey.proof({ counter: 0 });
    const answers = await Promise.all([1, 2, 3].map(() => signIn(proof)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    const { challenge } = JSON.parse(
      Buffer.from(proof.credential.response.clientDataJSON, "base64url").toString(),
    );
    const { challengeToken } = proof;
    const fresh = passkey.assert({ challenge, counter: 0 });
    expect(words(await signIn({ challengeToken, credential: fresh }))).toEqual(refusal);
  });

  test("are those whose challenge was used by a wrong assertion before", async () => {
    const passkey = await withPasskey(await person());
    const { options, challengeToken } = (await request("POST /auth/passkey/options")).body;
    const { challenge } = options;
    const send = (mistake: Partial<Ceremony>) =>
      signIn({ challengeToken, credential: passkey.assert({ challenge, ...mistake }) });
    expect((await send({ userVerified: false })).status).toBe(401);
    expect((await send({})).status).toBe(401);
  });

  test("are those whose challenge is older than five minutes, before and after the purge", async () => {
    const passkey = await withPasskey(await person(), { counter: 0 });
    const [used, intime, late] = [
      await passkey.proof({ counter: 0 }),
      await passkey.proof({ counter: 0 }),
      await passkey.proof({ counter: 0 }),
    ];
    expect((await signIn(used)).status).toBe(200);
    Clock.advance(299);
    await purge();
    expect((await signIn(used)).status).toBe(401);
    expect((await signIn(intime)).status).toBe(200);
    Clock.advance(2);
    expect(words(await signIn(late))).toEqual(refusal);
    await purge();
    expect((await signIn(used)).status).toBe(401);
    Clock.advance(301);
    await purge();
    expect(await db().selectFrom("used_challenges").selectAll().execute()).toEqual([]);
    expect((await signIn(used)).status).toBe(401);
  });

  test("are those of a credential that is only a second factor", async () => {
    const ada = await person();
    const token = ada.token;
    await request("POST /auth/reauthenticate", { ip: ip(), token, body: { password } });
    const key = authenticator({ residentKey: true });
    const { challenge, user } = (await request("POST /user/2fa/webauthn/options", { token })).body;
    const credential = key.register({ challenge, userHandle: user.id });
    const { body } = await request("POST /user/2fa/webauthn", { token, body: { credential } });
    expect(body).toMatchObject({ kind: "security_key", name: "Security key" });
    expect(words(await signIn(await passkeyProof(key)))).toEqual(refusal);
    // A row from before passkeys signed in alone.
    const before = { discoverable: null, user_handle: null };
    await db().updateTable("webauthn_credentials").set(before).where("id", "=", body.id).execute();
    expect(words(await signIn(await passkeyProof(key)))).toEqual(refusal);
  });

  test("are those of a removed passkey and of a deleted account", async () => {
    const [ada, ben] = [await person(), await person()];
    const [adas, bens] = [await withPasskey(ada), await withPasskey(ben)];
    for (const { token } of [ada, ben])
      await request("POST /auth/reauthenticate", { ip: ip(), token, body: { password } });
    await request("DELETE /user/2fa/webauthn/{id}", { token: ada.token, path: { id: adas.id } });
    expect((await request("DELETE /user", { token: ben.token })).status).toBe(204);
    expect(words(await signIn(await adas.proof()))).toEqual(refusal);
    expect(words(await signIn(await bens.proof()))).toEqual(refusal);
  });

  test("leave no session and reveal nothing when the body is malformed", async () => {
    const { challengeToken, credential } = await passkeyProof(authenticator(), { userHandle: "AAAA" });
    for (const body of [
      {},
      { challengeToken },
      { credential },
      { challengeToken, credential: { ...credential, response: {} } },
      { challengeToken: 1, credential },
    ])
      expect((await request("POST /auth/passkey", { ip: ip(), body })).status).toBe(422);
  });
});

describe("challenges of one purpose that are sent for another", () => {
  test("a challenge of a registration or of a second step does not sign in", async () => {
    const ada = await person();
    const passkey = await withPasskey(ada);
    await request("POST /auth/reauthenticate", { ip: ip(), token: ada.token, body: { password } });
    const { challengeToken } = await passkey.proof();
    const registration = await request("POST /user/2fa/webauthn/options", {
      token: ada.token,
      query: { kind: "passkey" },
    });
    const body = { email: ada.email, password };
    const { mfaToken } = (await request("POST /auth/login", { ip: ip(), body })).body;
    const secondStep = await request("POST /auth/login/2fa/webauthn-options", {
      ip: ip(),
      body: { mfaToken },
    });
    for (const { challenge } of [registration.body, secondStep.body])
      for (const token of [challengeToken, mfaToken, ada.token]) {
        const credential = passkey.assert({ challenge });
        expect(words(await signIn({ challengeToken: token, credential }))).toEqual(refusal);
      }
  });

  test("a challenge of a sign-in with a passkey completes no second step and registers nothing", async () => {
    const ada = await person();
    const passkey = await withPasskey(ada);
    await request("POST /auth/reauthenticate", { ip: ip(), token: ada.token, body: { password } });
    const body = { email: ada.email, password };
    const { mfaToken } = (await request("POST /auth/login", { ip: ip(), body })).body;
    const { options, challengeToken } = (await request("POST /auth/passkey/options")).body;
    const { challenge } = options;
    for (const token of [mfaToken, challengeToken]) {
      const credential = passkey.assert({ challenge });
      const answer = await request("POST /auth/login/2fa", {
        ip: ip(),
        body: { mfaToken: token, method: "webauthn", credential },
      });
      expect(answer.status).toBe(401);
    }
    const credential = authenticator({ residentKey: true }).register({ challenge });
    const registered = await request("POST /user/2fa/webauthn", { token: ada.token, body: { credential } });
    expect(registered.body.code).toBe("credential_invalid");
    expect((await request("GET /auth/me", { token: challengeToken })).status).toBe(401);
  });
});

describe("registering a passkey (POST /user/2fa/webauthn/options?kind=passkey)", () => {
  const options = async ({ token }: Person, kind?: string) =>
    (await request("POST /user/2fa/webauthn/options", { token, ...(kind && { query: { kind } }) })).body;
  const register = async ({ token }: Person, credential: object) =>
    (await request("POST /user/2fa/webauthn", { token, body: { credential } })).body;
  const trusted = async () => {
    const ada = await person();
    await request("POST /auth/reauthenticate", { ip: ip(), token: ada.token, body: { password } });
    return ada;
  };

  test("requires a key that the authenticator stores, and does not exclude second factors", async () => {
    const ada = await trusted();
    const factor = await options(ada);
    expect(factor.authenticatorSelection.residentKey).toBe("discouraged");
    await register(ada, authenticator().register({ challenge: factor.challenge }));
    const first = await options(ada, "passkey");
    expect(first).toMatchObject({
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      extensions: { credProps: true },
      excludeCredentials: [],
    });
    const key = authenticator({ residentKey: true });
    const made = await register(ada, key.register({ challenge: first.challenge, userHandle: first.user.id }));
    expect(made).toMatchObject({ kind: "passkey", name: "Passkey" });
    expect((await options(ada, "passkey")).excludeCredentials).toMatchObject([{ id: made.credentialId }]);
    expect((await options(ada)).excludeCredentials).toHaveLength(2);
    expect((await signIn(await passkeyProof(key))).status).toBe(200);
    const list = (await request("GET /user/2fa/webauthn", { token: ada.token })).body;
    expect(list).toMatchObject({
      rpId: "localhost",
      userHandle: first.user.id,
      data: [{ kind: "security_key" }, { kind: "passkey", credentialId: made.credentialId }],
    });
  });

  test("keeps a key that the browser says it did not store as a second factor only", async () => {
    const ada = await trusted();
    const { challenge, user } = await options(ada, "passkey");
    const key = authenticator({ residentKey: true });
    const created = key.register({ challenge, userHandle: user.id, storedKey: false });
    expect((await register(ada, created)).kind).toBe("security_key");
    expect((await signIn(await passkeyProof(key))).status).toBe(401);
  });

  test("returns 422 for an unknown kind", async () => {
    expect((await options(await trusted(), "carrier-pigeon")).code).toBe("invalid_input");
  });
});

describe("confirming the identity with a passkey (POST /auth/reauthenticate)", () => {
  const confirm = ({ token }: Person, body: object) =>
    request("POST /auth/reauthenticate", { ip: ip(), token, body });

  test("allows changes for ten minutes, also while the password is locked", async () => {
    const ada = await person();
    const passkey = await withPasskey(ada);
    for (let n = 0; n < failuresAllowed; n++) await confirm(ada, { password: "wrong" });
    expect((await confirm(ada, { password })).status).toBe(429);
    const answer = await confirm(ada, { method: "passkey", ...(await passkey.proof()) });
    expect([answer.status, Object.keys(answer.body)]).toEqual([200, ["expiresAt"]]);
    expect((await request("POST /user/2fa/totp", { token: ada.token })).status).toBe(200);
  });

  test("returns 403 invalid_credentials for another person's passkey and for unknown, wrong and replayed ones", async () => {
    const [ada, eve] = [await person(), await person()];
    const [adas, eves] = [await withPasskey(ada), await withPasskey(eve)];
    const used = await adas.proof();
    await signIn(used);
    const proofs = [
      await eves.proof(),
      await passkeyProof(authenticator(), { userHandle: adas.userHandle }),
      await adas.proof({ origin: "https://evil.test" }),
      used,
      { ...(await adas.proof()), challengeToken: ada.token },
    ];
    for (const proof of proofs) {
      const { status, body } = await confirm(ada, { method: "passkey", ...proof });
      expect([status, body.code, body.detail]).toEqual([403, "invalid_credentials", refusal.detail]);
    }
    expect((await request("POST /user/2fa/totp", { token: ada.token })).status).toBe(403);
  });

  test("returns 422 without a password or a passkey", async () => {
    const ada = await person();
    const missing = await confirm(ada, {});
    expect([missing.status, missing.body.errors[0].pointer]).toEqual([422, "/password"]);
    expect((await confirm(ada, { method: "passkey" })).status).toBe(422);
    expect((await confirm(ada, { method: "horoscope" })).status).toBe(422);
  });
});

describe("the emergency bypass with a passkey (POST /auth/emergency-bypass)", () => {
  const reason = "The office network is down";
  const bypass = (body: object) => request("POST /auth/emergency-bypass", { ip: "203.0.113.9", body });
  const restricted = async () => {
    const home = await owner("Ada", "ENTERPRISE");
    const passkey = await withPasskey(home);
    const body = { enabled: true, entries: [{ cidr: "192.0.2.0/24" }] };
    await request("PUT /api/v1/security/ip-allowlist", { token: home.token, ip: "192.0.2.10", body });
    return { home, passkey };
  };

  test("signs an admin in past the allowlist, emails the admins, and needs a reason", async () => {
    const { home, passkey } = await restricted();
    const plain = await signIn(await passkey.proof());
    const projects = (token: string) => request("GET /api/v1/projects", { token, ip: "203.0.113.9" });
    expect((await projects(plain.body.token)).body.code).toBe("ip_not_allowed");
    expect((await bypass({ method: "passkey", ...(await passkey.proof()) })).status).toBe(422);
    const answer = await bypass({ method: "passkey", ...(await passkey.proof()), reason });
    expect(answer.status).toBe(200);
    expect((await projects(answer.body.token)).status).toBe(200);
    expect(mails.to(home.email).at(-1)?.text).toContain(reason);
  });

  test("returns 401 for unknown and wrong passkeys, and 403 for a person who administers nothing", async () => {
    const { passkey } = await restricted();
    const unknown = await bypass({
      method: "passkey",
      ...(await passkeyProof(authenticator(), { userHandle: "AAAA" })),
      reason,
    });
    const wrong = await bypass({
      method: "passkey",
      ...(await passkey.proof({ userVerified: false })),
      reason,
    });
    expect([words(unknown), words(wrong)]).toEqual([refusal, refusal]);
    const stranger = await withPasskey(await person());
    const answer = await bypass({ method: "passkey", ...(await stranger.proof()), reason });
    expect(answer.body.code).toBe("bypass_not_available");
  });
});
