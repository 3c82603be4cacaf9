import * as Config from "@svc/core/platform/config/config";
import type { Call } from "./api.ts";

export const tokenCookie = "svc_token";
export const workspaceCookie = "svc_current_workspace";

const plainLocalhost = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/** The value of a cookie of the request, decoded. */
export function cookie({ cookies = [] }: Call["event"], name: string): string | undefined {
  const found = cookies.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
  if (found === undefined) return undefined;
  try {
    return decodeURIComponent(found);
  } catch {
    return found;
  }
}

/** The names of the request's cookies. */
export function cookieNames({ cookies = [] }: Call["event"]): string[] {
  return cookies.map((pair) => pair.replace(/=.*$/s, ""));
}

/** The token for the web client, out of reach of scripts. Secure everywhere but on a plain-http localhost. */
export function tokenSet(token: string, expiresAt: Date): string {
  return `${tokenCookie}=${token}; ${attributes()}; Expires=${expiresAt.toUTCString()}`;
}

/** The cookie is gone. */
export function tokenGone(): string {
  return `${tokenCookie}=; ${attributes()}; Max-Age=0`;
}

/** A cookie that scripts made is gone, on our host and on these domains. */
export function gone(name: string, domains: readonly string[]): string[] {
  const expired = `${name}=; Path=/; Max-Age=0; SameSite=Lax`;
  return [expired, ...domains.map((domain) => `${expired}; Domain=${domain}`)];
}

function attributes(): string {
  return `Path=/; HttpOnly; SameSite=Lax${plainLocalhost.test(Config.appUrl()) ? "" : "; Secure"}`;
}
