import * as Clock from "../base/clock.ts";
import * as AuthenticatorApp from "../identity/factors/authenticator-app.ts";
import * as Totp from "../identity/factors/totp.ts";
import type { Person } from "./people.ts";

/** An authenticator app that was given this secret: what it shows now, or some steps from now. */
export function app(secret: string) {
  const bytes = fromBase32(secret);
  return { code: (stepsFromNow = 0) => Totp.code(bytes, Totp.step(Clock.now()) + stepsFromNow) };
}

/**
 * This person has an authenticator app from now on. The step that confirmed it is used up, so what `code` shows is good
 * only after `Clock.advance(30)`, or with `code(1)`.
 */
export async function withApp({ id, sessionId }: Person) {
  const actor = { userId: id, sessionId, ip: "127.0.0.1", userAgent: "test", requestId: "test" };
  const { secret } = await AuthenticatorApp.begin(actor);
  const shown = app(secret);
  const { backupCodes } = await AuthenticatorApp.confirm(actor, { code: shown.code() });
  return { secret, backupCodes, ...shown };
}

/** A code that this app does not show now, nor a step before or after. */
export function wrongCode({ code }: { code: (stepsFromNow?: number) => string }): string {
  const right = new Set([code(-1), code(0), code(1)]);
  return ["000000", "111111", "222222", "333333"].find((guess) => !right.has(guess)) ?? "444444";
}

function fromBase32(text: string): Uint8Array {
  const bits = [...text]
    .map((letter) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"))
    .join("");
  return Uint8Array.from(bits.match(/[01]{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
}
