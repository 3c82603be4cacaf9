import { Problem } from "../../base/api.ts";

/** Whether this browser can speak to a passkey, a fingerprint reader or a security key. */
export const webauthnAvailable = typeof PublicKeyCredential !== "undefined";

/** Make a credential on the person's device, with the API's options. Answers what the API takes; throws a Problem when refused. */
export function createCredential(options: PublicKeyCredentialCreationOptionsJSON): Promise<unknown> {
  return asked(() =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
  );
}

/** Have a credential prove itself, with the API's options. Answers what the API takes; throws a Problem when refused. */
export function requestAssertion(options: PublicKeyCredentialRequestOptionsJSON): Promise<unknown> {
  return asked(() =>
    navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
  );
}

/** Browsers tell pages on purpose no more than that it came to nothing. */
async function asked(ask: () => Promise<Credential | null>): Promise<unknown> {
  try {
    return ((await ask()) as PublicKeyCredential).toJSON();
  } catch {
    throw new Problem(0, {
      code: "device_refused",
      detail: "The device did not answer in time or was cancelled. Try again, or use another way.",
    });
  }
}
