/**
 * How the server knows this browser again: a token of its own from the last login. It opens nothing; with it a login is not
 * announced as one on a new device, and strangers' failures do not lock this one out.
 */
const key = "svc_device";

/** For the next login; undefined in a browser that was never signed in. */
export function deviceToken(): string | undefined {
  return localStorage.getItem(key) ?? undefined;
}

/** From an answer to a login. */
export function storeDeviceToken(token: string): void {
  localStorage.setItem(key, token);
}
