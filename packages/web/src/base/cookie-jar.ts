import { cookieDomains } from "@svc/core/consent/policy";

/** The browser's cookies, as scripts may reach them. Whether one may be set is decided by those who call. */

/** Names of all cookies that scripts can see. */
export function names(): string[] {
  return document.cookie
    .split("; ")
    .filter(Boolean)
    .map((pair) => pair.replace(/=.*$/s, ""));
}

/** The value of a cookie, decoded. */
export function read(name: string): string | undefined {
  const pair = document.cookie.split("; ").find((one) => one.startsWith(`${name}=`));
  try {
    return pair && decodeURIComponent(pair.slice(name.length + 1));
  } catch {
    return undefined;
  }
}

/** Set a cookie for the whole site, of the first party, for this many seconds. */
export function write(name: string, value: string, maxAgeSeconds: number): void {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser, and answers too late.
  document.cookie = `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${maxAgeSeconds}; SameSite=Lax${secure}`;
}

/** The cookie is gone, also where a vendor's script set it for a domain above ours. */
export function expire(name: string): void {
  for (const domain of ["", ...cookieDomains(location.hostname)]) {
    // biome-ignore lint/suspicious/noDocumentCookie: as above.
    document.cookie = `${name}=; Path=/; Max-Age=0${domain && `; Domain=${domain}`}`;
  }
}
