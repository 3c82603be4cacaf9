import * as Clock from "../base/clock.ts";
import * as AuthenticatorApp from "../identity/factors/authenticator-app.ts";
import * as Passkey from "../identity/factors/passkey.ts";
import * as Totp from "../identity/factors/totp.ts";
import * as WebAuthn from "../identity/factors/webauthn.ts";
import { authenticator, type Ceremony } from "./authenticator.ts";
import type { Person } from "./people.ts";

/** Returns the actor of a request of this user. */
export const actorOf = ({ id, sessionId }: Person) => ({
  userId: id,
  sessionId,
  ip: "127.0.0.1",
  userAgent: "test",
  requestId: "test",
});

/** Returns an authenticator app with this secret. `code` returns the current code or that of a later or earlier step. */
export function app(secret: string) {
  const bytes = fromBase32(secret);
  return { code: (stepsFromNow = 0) => Totp.code(bytes, Totp.step(Clock.now()) + stepsFromNow) };
}

/**
 * Sets up an authenticator app for a user. Confirming it consumes the code of the current step, so the next valid code is
 * `code(1)`, or `code()` after `Clock.advance(30)`.
 */
export async function withApp(user: Person) {
  const actor = actorOf(user);
  const { secret } = await AuthenticatorApp.begin(actor);
  const shown = app(secret);
  const { backupCodes } = await AuthenticatorApp.confirm(actor, { code: shown.code() });
  return { secret, backupCodes, ...shown };
}

/**
 * Registers a passkey for a user. `proof` requests a challenge and returns what the device sends to sign in, with the mistakes
 * of the ceremony.
 */
export async function withPasskey(user: Person, ceremony: Partial<Ceremony> = {}) {
  const actor = actorOf(user);
  const key = authenticator({ residentKey: true });
  const { challenge, user: account } = await WebAuthn.registrationOptions(actor, { kind: "passkey" });
  const { id: userHandle } = account as { id: string };
  const credential = key.register({ challenge, userHandle, ...ceremony });
  const { id } = await WebAuthn.register(actor, { credential: WebAuthn.Attestation.parse(credential) });
  return { ...key, id, userHandle, proof: (mistake?: Partial<Ceremony>) => passkeyProof(key, mistake) };
}

/** Requests a challenge and returns what a device with this key sends to sign in. */
export async function passkeyProof(
  key: ReturnType<typeof authenticator>,
  mistake: Partial<Ceremony> = {},
): Promise<Passkey.Proof> {
  const { options, challengeToken } = await Passkey.options();
  const credential = key.assert({ challenge: options.challenge, ...mistake });
  return { challengeToken, credential: credential as unknown as Passkey.Proof["credential"] };
}

/** Returns a code that is invalid in the current step and in the ones before and after. */
export function wrongCode({ code }: { code: (stepsFromNow?: number) => string }): string {
  const valid = new Set([code(-1), code(0), code(1)]);
  return ["000000", "111111", "222222", "333333"].find((guess) => !valid.has(guess)) ?? "444444";
}

function fromBase32(text: string): Uint8Array {
  const bits = [...text]
    .map((letter) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"))
    .join("");
  return Uint8Array.from(bits.match(/[01]{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
}
