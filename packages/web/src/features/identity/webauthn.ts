import type { WebAuthnAssertion, WebAuthnAttestation, WebAuthnOptions } from "@svc/client";
import { Problem } from "../../base/api.ts";
import { messages } from "./messages.ts";

/** Tells whether this browser supports passkeys (WebAuthn). */
export const webauthnAvailable = typeof PublicKeyCredential !== "undefined";

/** Creates a passkey with the API's options. Returns the credential as JSON for the API. Throws a `Problem` when it fails. */
export function createCredential(options: WebAuthnOptions): Promise<WebAuthnAttestation> {
  const json = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  return toJson(() =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(json) }),
  );
}

/**
 * Requests an assertion with the API's options. With `mediation: "conditional"`, the browser offers the passkeys in the autofill
 * of the email field instead of a dialog. Returns the assertion as JSON for the API. Throws a `Problem` when it fails.
 */
export function requestAssertion(
  options: WebAuthnOptions,
  how: { mediation?: "conditional"; signal?: AbortSignal } = {},
): Promise<WebAuthnAssertion> {
  const json = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  return toJson(() =>
    navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(json),
      ...how,
    }),
  );
}

/** Browsers do not tell pages why a request failed, to protect privacy, so all failures get the same message. */
async function toJson<T>(request: () => Promise<Credential | null>): Promise<T> {
  try {
    return ((await request()) as PublicKeyCredential).toJSON() as T;
  } catch {
    throw new Problem(0, {
      code: "device_refused",
      detail: messages.deviceRefused,
    });
  }
}
