/**
 * Storage key of the token by which the server recognizes this browser. The token grants no access. With it, a sign-in is not
 * reported as a new device, and failed attempts by others do not lock this browser out.
 */
const key = "svc_device";

/** Returns the token for the next sign-in; undefined if this browser was never signed in. */
export function storedDeviceToken(): string | undefined {
  return localStorage.getItem(key) ?? undefined;
}

/** Stores the token from a sign-in response. */
export function storeDeviceToken(token: string): void {
  localStorage.setItem(key, token);
}
