import type { Webhook } from "@svc/client";
import { dayTime } from "../../base/format.ts";
import { Status } from "../../ui/status.tsx";
import { messages } from "./messages.ts";

/** Shows whether a webhook is enabled. */
export function WebhookState({ enabled }: Pick<Webhook, "enabled">) {
  return (
    <Status look={enabled ? "good" : "bad"}>
      {enabled ? messages.statuses.enabled : messages.statuses.disabled}
    </Status>
  );
}

/** Explains why and since when a webhook is disabled. */
export function disabledExplanation({ disabledReason, disabledAt }: Webhook): string {
  return disabledReason && disabledAt
    ? messages.disabledBecause[disabledReason](dayTime(disabledAt))
    : messages.disabledNote;
}

/** Describes the events of a webhook. */
export function eventsText(events: Webhook["events"]): string {
  return events.includes("*") ? messages.allEvents : messages.eventList(events);
}
