import type { Webhook } from "@svc/client";
import { dayTime } from "../../base/format.ts";
import { Status } from "../../ui/status.tsx";

const reasons = {
  manual: "it was disabled manually",
  gone: "the endpoint returned 410 Gone",
  failing: "its last 20 deliveries failed",
} as const;

/** Shows whether a webhook is enabled. */
export function WebhookState({ enabled }: Pick<Webhook, "enabled">) {
  return <Status look={enabled ? "good" : "bad"}>{enabled ? "enabled" : "disabled"}</Status>;
}

/** Explains why and since when a webhook is disabled. */
export function disabledExplanation({ disabledReason, disabledAt }: Webhook): string {
  const reason = disabledReason ? `: ${reasons[disabledReason]}` : "";
  return `Disabled${disabledAt ? ` since ${dayTime(disabledAt)}` : ""}${reason}.`;
}

/** Describes the events of a webhook. */
export function eventsText(events: Webhook["events"]): string {
  return events.includes("*") ? "All events" : events.join(", ");
}
