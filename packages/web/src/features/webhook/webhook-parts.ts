import type { Webhook } from "@svc/client";
import type { Part } from "../../base/versions.ts";

/** The parts of a webhook that people compare. A change of headers has null for those that it removes. */
export const webhookParts: Part<Webhook>[] = [
  { label: "URL", names: ["url"], show: ({ url }) => url },
  { label: "Events", names: ["events"], show: ({ events }) => events.join(", ") },
  { label: "Description", names: ["description"], show: ({ description }) => description },
  {
    label: "Custom headers",
    names: ["headers"],
    show: ({ headers }) =>
      Object.entries(headers)
        .filter(([, value]) => value !== null)
        .map(([name, value]) => `${name}: ${value}`)
        .sort()
        .join("\n"),
  },
  { label: "Status", names: ["enabled"], show: ({ enabled }) => (enabled ? "Enabled" : "Disabled") },
];
