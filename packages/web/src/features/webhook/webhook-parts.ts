import type { Webhook } from "@svc/client";
import type { Part } from "../../base/versions.ts";
import { messages } from "./messages.ts";

/** The parts of a webhook that people compare. A change of headers has null for those that it removes. */
export const webhookParts: Part<Webhook>[] = [
  { label: messages.url, names: ["url"], show: ({ url }) => url },
  { label: messages.events, names: ["events"], show: ({ events }) => messages.eventList(events) },
  { label: messages.description, names: ["description"], show: ({ description }) => description },
  {
    label: messages.headers,
    names: ["headers"],
    show: ({ headers }) =>
      Object.entries(headers)
        .filter(([, value]) => value !== null)
        .map(([name, value]) => `${name}: ${value}`)
        .sort()
        .join("\n"),
  },
  {
    label: messages.status,
    names: ["enabled"],
    show: ({ enabled }) => (enabled ? messages.statuses.enabled : messages.statuses.disabled),
  },
];
