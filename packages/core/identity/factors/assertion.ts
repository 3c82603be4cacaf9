import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import * as z from "zod/mini";
import * as Config from "../../platform/config/config.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { log } from "../../platform/log/log.ts";

/** Loads the library on first use, because loading takes 170 ms. */
export const library = () => import("@simplewebauthn/server");

/**
 * COSE identifiers of the accepted signature algorithms: EdDSA, ES256, RS256. The library's default includes one that Node
 * supports only experimentally, with a warning.
 */
export const algorithms = [-8, -7, -257];

export const Encoded = z.string().check(z.maxLength(16_384), z.regex(/^[\w-]+$/, "Must be base64url."));

/** The result of `credential.toJSON()` after `navigator.credentials.get` in a browser. */
export const Assertion = z.looseObject({
  id: Encoded,
  rawId: Encoded,
  type: z.literal("public-key"),
  response: z.looseObject({ clientDataJSON: Encoded, authenticatorData: Encoded, signature: Encoded }),
});
export type Assertion = z.infer<typeof Assertion>;

/** The options of either ceremony, for the browser's `parse…OptionsFromJSON`. */
export const Options = z.looseObject({ challenge: z.string() });
export type Options = z.infer<typeof Options>;

/** Returns the origin of the web client and its host, independent of the host that the API was called on. */
export function relyingParty(): { id: string; origin: string } {
  const origin = Config.appUrl();
  return { id: new URL(origin).hostname, origin };
}

/** Reads the challenge from client data; undefined if the client data is malformed. */
export function challengeOf(clientDataJSON: string): string | undefined {
  try {
    const data = JSON.parse(Buffer.from(clientDataJSON, "base64url").toString()) as { challenge?: unknown };
    return typeof data.challenge === "string" ? data.challenge : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Verifies an assertion with a COSE public key: challenge, origin, relying party, user verification and signature. Returns
 * the counter of the authenticator, or undefined if the signature is wrong. Throws errors of the library for anything else.
 * `recordUse` compares the counter afterwards, so that the work does not depend on the stored one.
 */
export async function verify(
  publicKey: Uint8Array<ArrayBuffer>,
  assertion: Assertion,
  challenge: string,
): Promise<number | undefined> {
  const { id: rpId, origin } = relyingParty();
  const { verifyAuthenticationResponse } = await library();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: assertion as unknown as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
    // The library accepts every counter after 0.
    credential: { id: assertion.id, publicKey, counter: 0 },
  });
  return verified ? authenticationInfo.newCounter : undefined;
}

/**
 * Stores the counter of a verified assertion. Returns false, and stores nothing, if the counter is not higher than the
 * stored one, which means that the authenticator was cloned or the assertion was sent twice. Passkeys that are synchronized
 * between devices have no counter and always send 0 (WebAuthn Level 3, 6.1.1).
 */
export async function recordUse(
  { id, counter: before }: { id: string; counter: bigint },
  counter: number,
  now: Date,
): Promise<boolean> {
  if (counter <= before && (counter > 0 || before > 0)) return false;
  const { numUpdatedRows } = await transaction((tx) =>
    tx
      .updateTable("webauthn_credentials")
      .set({ counter: BigInt(counter), last_used_at: now })
      .where("id", "=", id)
      .where("counter", "=", before)
      .executeTakeFirst(),
  );
  return numUpdatedRows === 1n;
}

/** Runs a verification of the library. Returns undefined, and logs the reason, if it throws. */
export async function undefinedIfInvalid<T>(verify: () => Promise<T>): Promise<T | undefined> {
  try {
    return await verify();
  } catch (error) {
    log.info("webauthn response rejected", { error: error as Error });
    return undefined;
  }
}
