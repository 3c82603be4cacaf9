import * as Config from "@svc/core/platform/config/config";
import type { Call } from "./api.ts";

export const tokenCookie = "svc_token";
export const workspaceCookie = "svc_current_workspace";

const httpLocalhost = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/** Returns the decoded value of a request cookie. */
export function cookie({ cookies = [] }: Call["event"], name: string): string | undefined {
  const found = cookies.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
  if (found === undefined) return undefined;
  try {
    return decodeURIComponent(found);
  } catch {
    return found;
  }
}

/** Returns the names of the request's cookies. */
export function cookieNames({ cookies = [] }: Call["event"]): string[] {
  return cookies.map((pair) => pair.replace(/=.*$/s, ""));
}

/** Sets the session token for the web client. Scripts cannot read it, and it is Secure except on http://localhost. */
export function setTokenCookie(token: string, expiresAt: Date): string {
  return `${tokenCookie}=${token}; ${attributes()}; Expires=${expiresAt.toUTCString()}`;
}

export function clearTokenCookie(): string {
  return `${tokenCookie}=; ${attributes()}; Max-Age=0`;
}

/** Clears a cookie that a script has set, on our host and on these domains. */
export function clearCookie(name: string, domains: readonly string[]): string[] {
  const expired = `${name}=; Path=/; Max-Age=0; SameSite=Lax`;
  return [expired, ...domains.map((domain) => `${expired}; Domain=${domain}`)];
}

function attributes(): string {
  return `Path=/; HttpOnly; SameSite=Lax${httpLocalhost.test(Config.appUrl()) ? "" : "; Secure"}`;
}
