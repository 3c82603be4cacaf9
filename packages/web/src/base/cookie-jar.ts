import { cookieDomains } from "@svc/core/consent/policy";

/** Reads and writes the browser's cookies. Callers check the consent first. */

/** Returns the names of all cookies that scripts can read. */
export function cookieNames(): string[] {
  return document.cookie
    .split("; ")
    .filter(Boolean)
    .map((pair) => pair.replace(/=.*$/s, ""));
}

/** Returns the decoded value of a cookie. */
export function readCookie(name: string): string | undefined {
  const pair = document.cookie.split("; ").find((one) => one.startsWith(`${name}=`));
  try {
    return pair && decodeURIComponent(pair.slice(name.length + 1));
  } catch {
    return undefined;
  }
}

/** Sets a first-party cookie for the whole site. */
export function writeCookie(name: string, value: string, maxAgeSeconds: number): void {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is asynchronous and not in every browser.
  document.cookie = `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${maxAgeSeconds}; SameSite=Lax${secure}`;
}

/** Deletes a cookie, including copies that a vendor's script set for a parent domain. */
export function deleteCookie(name: string): void {
  for (const domain of ["", ...cookieDomains(location.hostname)]) {
    // biome-ignore lint/suspicious/noDocumentCookie: as above.
    document.cookie = `${name}=; Path=/; Max-Age=0${domain && `; Domain=${domain}`}`;
  }
}
