import Bowser from "bowser";

/**
 * Browser and system families, such as `Firefox` and `Windows`. Versions are omitted, so that a device is still recognized
 * after an update.
 */
export type Client = { browser: string; system: string };

/**
 * Parses the browser and operating system from a User-Agent header. For API clients, `browser` is the product name.
 * Unknown values are empty strings.
 */
export function client(userAgent: string): Client {
  if (userAgent === "") return { browser: "", system: "" };
  const { browser, os } = Bowser.parse(userAgent);
  const product = /^[\w.-]{1,50}/.exec(userAgent)?.[0] ?? "";
  return { browser: browser.name || product, system: os.name ?? "" };
}

const browsers = new Set(Object.values(Bowser.BROWSER_MAP));
const systems = new Set(Object.values(Bowser.OS_MAP));

/**
 * Labels the client of a User-Agent header for an email, with the names of known browsers and systems only. Any other text of
 * the header was written by its sender, who may not be the reader.
 */
export function knownLabel(userAgent: string): string {
  const { browser, system } = client(userAgent);
  return label({
    browser: browsers.has(browser) ? browser : "",
    system: systems.has(system) ? system : "",
  });
}

/** Formats a client for display: `Firefox on Windows`. */
export function label({ browser, system }: Client): string {
  return [browser || "Unknown client", ...(system ? [system] : [])].join(" on ");
}
