import type { Call } from "./api.ts";

/** The request header of `isStrict`, for the contracts of steps. */
export const preferHeader = {
  name: "Prefer",
  description:
    "With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored.",
  schema: { type: "string", examples: ["handling=strict"] },
};

/** Returns whether the client prefers that unknown fields are rejected. Says so in the response. */
export function isStrict({ event, headers }: Call): boolean {
  if (handlingOf(event.headers.prefer ?? "") !== "strict") return false;
  headers["preference-applied"] = "handling=strict";
  return true;
}

/** Returns the value of the preference `handling` in lower case (RFC 7240, section 4.4). The first one counts. */
export function handlingOf(header: string): string | undefined {
  // Splits at commas outside of quotes, and drops parameters.
  const preferences = header.match(/(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g) ?? [];
  for (const preference of preferences) {
    const [, value] = /^\s*handling\s*=\s*"?(\w+)"?\s*(?:;|$)/i.exec(preference) ?? [];
    if (value !== undefined) return value.toLowerCase();
  }
  return undefined;
}
