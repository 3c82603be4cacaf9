/**
 * Storage key of the token by which the server recognizes this browser. The token grants no access. With it, a sign-in is not
 * reported as a new device, and failed attempts by others do not lock this browser out. The cookie policy lists it.
 */
const key = "svc_device";

/** How long the token is kept after a sign-in. */
const lifeMs = 365 * 86_400_000;

type Stored = { token: string; expiresAt: number };

/** Returns the token for the next sign-in; undefined if this browser was never signed in, or not for a year. */
export function storedDeviceToken(): string | undefined {
  const stored = read();
  if (stored && stored.expiresAt > Date.now()) return stored.token;
  deleteDeviceToken();
  return undefined;
}

/** Stores the token from a sign-in response. */
export function storeDeviceToken(token: string): void {
  localStorage.setItem(key, JSON.stringify({ token, expiresAt: Date.now() + lifeMs } satisfies Stored));
}

/** Deletes the token. */
export function deleteDeviceToken(): void {
  localStorage.removeItem(key);
}

/** Earlier releases stored the token alone. */
function read(): Stored | undefined {
  const stored = localStorage.getItem(key);
  if (!stored?.startsWith("{")) return stored ? { token: stored, expiresAt: Date.now() + lifeMs } : undefined;
  return JSON.parse(stored);
}
