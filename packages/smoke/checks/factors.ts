import { createHmac } from "node:crypto";
import { authenticator } from "@svc/core/testing/authenticator";
import { type Account, type Check, localOnly, type Run } from "../check.ts";
import { expectEqual, expectMatch } from "../http.ts";
import { toolsOf } from "../stage.ts";

const needsSession = localOnly("needs a session, which only a password gives");

/** Checks of second factors and passkeys. They run only against `npm start`. */
export const factors: readonly Check[] = [
  {
    name: "authenticator-app",
    title: "sign-in asks for the code of an authenticator app, and accepts each code once",
    skip: needsSession,
    operations: [
      "GET /user/2fa",
      "POST /user/2fa/totp",
      "POST /user/2fa/totp/verify",
      "POST /user/2fa/backup-codes",
      "DELETE /user/2fa/totp",
      "POST /auth/login/2fa",
      "POST /auth/emergency-bypass",
    ],
    async run(run) {
      const user = await run.account();
      const { email, password, call } = user;
      const { secret } = (await call("POST /user/2fa/totp")).body;
      await call("POST /user/2fa/totp/verify", { body: { code: await codeNow(run, secret) } });
      const { backupCodes } = (await call("POST /user/2fa/backup-codes")).body;
      expectEqual("POST /user/2fa/backup-codes: number", backupCodes?.length, 12);
      expectEqual("GET /user/2fa: enabled", (await call("GET /user/2fa")).body.enabled, true);

      const mfaToken = await firstStep(run, user);
      await toolsOf(run.stage).advance(30);
      const body = { mfaToken, method: "totp", code: await codeNow(run, secret) };
      const signedIn = await run.client()("POST /auth/login/2fa", { body });
      expectEqual("POST /auth/login/2fa: user", signedIn.body.user?.id, user.id);
      const again = { ...body, mfaToken: await firstStep(run, user) };
      await run.client()("POST /auth/login/2fa", { body: again, expect: 401, code: "invalid_credentials" });

      // Loopback addresses, because the list must contain the caller's.
      const entries = [{ cidr: "127.0.0.0/8" }, { cidr: "::1/128" }];
      await call("PUT /api/v1/security/ip-allowlist", { body: { enabled: true, entries } });
      const bypass = {
        email,
        password,
        method: "backup_code",
        code: backupCodes[0],
        reason: "A check of the bypass",
      };
      const bypassed = await run.client()("POST /auth/emergency-bypass", { body: bypass });
      expectEqual("POST /auth/emergency-bypass: user", bypassed.body.user?.id, user.id);
      await call("DELETE /user/2fa/totp", { expect: 204 });
      await run.client()("POST /auth/login", { body: { email, password } });
    },
  },
  {
    name: "security-key",
    title: "sign-in asks for a registered security key",
    skip: needsSession,
    operations: [
      "POST /user/2fa/webauthn/options",
      "POST /user/2fa/webauthn",
      "GET /user/2fa/webauthn",
      "DELETE /user/2fa/webauthn/{id}",
      "POST /auth/login/2fa/webauthn-options",
    ],
    async run(run) {
      const user = await run.account();
      const { call, appUrl: origin } = user;
      const key = authenticator();
      const { challenge } = (await call("POST /user/2fa/webauthn/options")).body;
      const credential = key.register({ challenge, origin });
      const { id } = (
        await call("POST /user/2fa/webauthn", { expect: 201, body: { credential, name: "Key" } })
      ).body;
      const listed = (await call("GET /user/2fa/webauthn")).body.data;
      expectEqual(
        "GET /user/2fa/webauthn: ids",
        listed.map(({ id }: { id: string }) => id),
        [id],
      );
      const mfaToken = await firstStep(run, user);
      const asked = await run.client()("POST /auth/login/2fa/webauthn-options", { body: { mfaToken } });
      const assertion = key.assert({ challenge: asked.body.challenge, origin });
      const body = { mfaToken, method: "webauthn", credential: assertion };
      const signedIn = await run.client()("POST /auth/login/2fa", { body });
      expectEqual("POST /auth/login/2fa: user", signedIn.body.user?.id, user.id);
      await call("DELETE /user/2fa/webauthn/{id}", { expect: 204, path: { id } });
      expectEqual("GET /user/2fa: enabled", (await call("GET /user/2fa")).body.enabled, false);
    },
  },
  {
    name: "passkey",
    title: "a passkey signs in without anything typed, and each challenge works once",
    skip: needsSession,
    operations: ["POST /auth/passkey"],
    async run(run) {
      const { call, id, appUrl: origin } = await run.account();
      const key = authenticator({ residentKey: true });
      const created = (await call("POST /user/2fa/webauthn/options", { query: { kind: "passkey" } })).body;
      const credential = key.register({ challenge: created.challenge, userHandle: created.user?.id, origin });
      const body = { credential, name: "Passkey" };
      await call("POST /user/2fa/webauthn", { expect: 201, body });
      const { options, challengeToken } = (await run.client()("POST /auth/passkey/options")).body;
      expectMatch("POST /auth/passkey/options: challengeToken", challengeToken, /./);
      const proof = { challengeToken, credential: key.assert({ challenge: options.challenge, origin }) };
      const signedIn = await run.client()("POST /auth/passkey", { body: proof });
      expectEqual("POST /auth/passkey: user", signedIn.body.user?.id, id);
      await run.client()("POST /auth/passkey", { expect: 401, body: proof });
    },
  },
];

/** Signs in with the password. Returns the token for the second step. */
async function firstStep({ client }: Run, { email, password }: Account): Promise<string> {
  const { body } = await client()("POST /auth/login", { body: { email, password } });
  expectEqual("POST /auth/login: mfaRequired", body.mfaRequired, true);
  return body.mfaToken;
}

/** Returns the code that an authenticator app with this base32 secret shows at the time of the server (RFC 6238). */
async function codeNow({ stage }: Run, secret: string): Promise<string> {
  const bits = [...secret]
    .map((letter) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"))
    .join("");
  const key = Uint8Array.from(bits.match(/[01]{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
  const now = await toolsOf(stage).now();
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(now.getTime() / 30_000)));
  const mac = createHmac("sha1", key).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 0xf) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, "0");
}
