import type { Call, Step } from "./api.ts";

/**
 * Reads whether the browser sends the Global Privacy Control signal, which opts the user out of sharing data. Adds
 * `globalPrivacyControl`.
 */
export function globalPrivacyControl(): Step<Call, { globalPrivacyControl: boolean }> {
  return {
    contract: {
      headers: [
        {
          name: "Sec-GPC",
          description: "With the value 1, analytics and marketing are rejected regardless of the choice.",
          schema: { type: "string", examples: ["1"] },
        },
      ],
    },
    before: ({ event }) => ({ globalPrivacyControl: event.headers["sec-gpc"] === "1" }),
  };
}
