import type { Call, Step } from "./api.ts";

/** Whether the browser asks on the person's behalf not to share their data (Global Privacy Control). Adds `globalPrivacyControl`. */
export function gpc(): Step<Call, { globalPrivacyControl: boolean }> {
  return {
    contract: {
      headers: [
        { name: "Sec-GPC", description: "1: analytics and marketing are refused, whatever is chosen." },
      ],
    },
    before: ({ event }) => ({ globalPrivacyControl: event.headers["sec-gpc"] === "1" }),
  };
}
