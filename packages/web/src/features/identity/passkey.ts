import type { PasskeyChallenge, PasskeyProof, SignedIn } from "@svc/client";
import { svc } from "../../base/api.ts";
import { storedDeviceToken } from "./device-token.ts";
import { requestAssertion, webauthnAvailable } from "./webauthn.ts";

/** A passkey that the user chose, for the API. */
type Proof = Pick<PasskeyProof, "challengeToken" | "credential">;

/** The API accepts a challenge for five minutes. Autofill requests a new one before that. */
const challengeMs = 4.5 * 60_000;

/** Asks the user for a passkey in a dialog of the browser. Returns the proof for the API. Throws a `Problem`. */
export async function askForPasskey(): Promise<Proof> {
  return prove(await svc.post("/auth/passkey/options"));
}

/** Signs in with a passkey that the user chooses in a dialog of the browser. Throws a `Problem`. */
export async function signInWithPasskey(): Promise<SignedIn> {
  return signIn(await askForPasskey());
}

/**
 * Offers passkeys in the autofill of the email field until one signs in or `signal` aborts, and then returns undefined. Also
 * returns undefined if the browser cannot. Throws a `Problem` if the API rejects the passkey.
 */
export async function signInByAutofill(signal: AbortSignal): Promise<SignedIn | undefined> {
  if (!webauthnAvailable || !(await PublicKeyCredential.isConditionalMediationAvailable?.()))
    return undefined;
  while (!signal.aborted) {
    const expiry = AbortSignal.timeout(challengeMs);
    const proof = await offer(signal, expiry);
    if (proof) return signIn(proof);
    if (!expiry.aborted) return undefined;
  }
  return undefined;
}

/** Offers passkeys for one challenge until a signal aborts. Returns undefined if none was chosen. */
async function offer(...signals: AbortSignal[]): Promise<Proof | undefined> {
  try {
    const signal = AbortSignal.any(signals);
    const challenge = await svc.post("/auth/passkey/options", { signal });
    return await prove(challenge, { mediation: "conditional", signal });
  } catch {
    return undefined;
  }
}

async function prove(
  { options, challengeToken }: PasskeyChallenge,
  how?: Parameters<typeof requestAssertion>[1],
): Promise<Proof> {
  // Unlike other credentials, passkeys name their user.
  const credential = (await requestAssertion(options, how)) as Proof["credential"];
  return { challengeToken, credential };
}

function signIn(proof: Proof): Promise<SignedIn> {
  return svc.post("/auth/passkey", { body: { ...proof, deviceToken: storedDeviceToken() } });
}

/**
 * Tells the browser which passkeys the account still accepts, and the user's current email and name, so that it can remove and
 * rename them in its list. Browsers without these functions, and failures, change nothing.
 */
export async function signalPasskeys({ email, name }: { email: string; name: string }): Promise<void> {
  if (!webauthnAvailable || !("signalAllAcceptedCredentials" in PublicKeyCredential)) return;
  try {
    const { data, rpId, userHandle: userId } = await svc.get("/user/2fa/webauthn");
    const allAcceptedCredentialIds = data.map(({ credentialId }) => credentialId);
    await PublicKeyCredential.signalAllAcceptedCredentials({ rpId, userId, allAcceptedCredentialIds });
    await PublicKeyCredential.signalCurrentUserDetails({ rpId, userId, name: email, displayName: name });
  } catch {
    // The list of the browser is only a convenience.
  }
}
