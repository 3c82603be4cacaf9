import { createHash } from "node:crypto";
import * as Config from "../../platform/config/config.ts";
import { log } from "../../platform/log/log.ts";
import { readText } from "../../platform/net/read-text.ts";

/** Time limit in milliseconds, from sending the request to receiving the last byte. */
const defaultTimeoutMs = 2000;

/** Five times the size of a padded response. */
const maxBytes = 200_000;

/**
 * Returns whether a password is known from data breaches, by the range search of Pwned Passwords: the request contains only
 * the first five digits of the password's SHA-1 hash, and the response is padded, so that neither reveals the password.
 * Returns false without PWNED_PASSWORDS_URL, and after logging when the search fails: an outage must not stop registrations.
 */
export async function isBreached(password: string, timeoutMs = defaultTimeoutMs): Promise<boolean> {
  const url = Config.pwnedPasswordsUrl();
  if (!url) return false;
  const digest = createHash("sha1").update(password).digest("hex").toUpperCase();
  try {
    const suffixes = await search(`${url}/${digest.slice(0, 5)}`, timeoutMs);
    return suffixes.has(digest.slice(5));
  } catch (error) {
    log.warn("breached passwords not searched", { error: error as Error });
    return false;
  }
}

/** Returns the rest of each breached hash with this prefix. Entries that pad the response have a count of 0. */
async function search(url: string, timeoutMs: number): Promise<Set<string>> {
  const response = await fetch(url, {
    headers: { "add-padding": "true", "user-agent": "svc" },
    redirect: "error",
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`The server returned status ${response.status}.`);
  }
  const lines = (await readText(response, maxBytes)).split(/\r?\n/).map((line) => line.split(":"));
  return new Set(lines.flatMap(([suffix = "", count]) => (Number(count) > 0 ? [suffix.toUpperCase()] : [])));
}
