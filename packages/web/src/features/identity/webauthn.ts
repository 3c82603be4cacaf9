import { Problem } from "../../base/api.ts";

/** Tells whether this browser supports passkeys (WebAuthn). */
export const webauthnAvailable = typeof PublicKeyCredential !== "undefined";

/** Creates a passkey with the API's options. Returns the credential as JSON for the API. Throws a `Problem` when it fails. */
export function createCredential(options: PublicKeyCredentialCreationOptionsJSON): Promise<unknown> {
  return toJson(() =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
  );
}

/** Signs in with a passkey and the API's options. Returns the assertion as JSON for the API. Throws a `Problem` when it fails. */
export function requestAssertion(options: PublicKeyCredentialRequestOptionsJSON): Promise<unknown> {
  return toJson(() =>
    navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
  );
}

/** Browsers do not tell pages why a request failed, to protect privacy, so all failures get the same message. */
async function toJson(request: () => Promise<Credential | null>): Promise<unknown> {
  try {
    return ((await request()) as PublicKeyCredential).toJSON();
  } catch {
    throw new Problem(0, {
      code: "device_refused",
      detail: "The request was canceled or timed out. Try again, or use another method.",
    });
  }
}
