import Bowser from "bowser";

/** Families without versions, so that an update does not make a new device: `Firefox`, `Windows`. */
export type Client = { browser: string; system: string };

/** The browser and the system that a User-Agent header names; of a program, its own name. Empty where it says nothing. */
export function client(userAgent: string): Client {
  if (userAgent === "") return { browser: "", system: "" };
  const { browser, os } = Bowser.parse(userAgent);
  const program = /^[\w.-]{1,50}/.exec(userAgent)?.[0] ?? "";
  return { browser: browser.name || program, system: os.name ?? "" };
}

/** The same for people: `Firefox on Windows`. */
export function label({ browser, system }: Client): string {
  return [browser || "Unknown client", ...(system ? [system] : [])].join(" on ");
}
