import type { View as Webhook } from "@svc/core/webhook/endpoint";
import { dayTime } from "../../base/format.ts";

const reasons = {
  manual: "by hand",
  gone: "it answered 410 Gone",
  failing: "its last 20 deliveries all failed",
} as const;

/** Whether a webhook is in service, in words and colour. */
export function WebhookState({ enabled }: Pick<Webhook, "enabled">) {
  return (
    <span className="badge" data-look={enabled ? "good" : "bad"}>
      {enabled ? "enabled" : "disabled"}
    </span>
  );
}

/** Why a webhook is out of service, and since when. */
export function whyDisabled({ disabledReason, disabledAt }: Webhook): string {
  const why = disabledReason ? `: ${reasons[disabledReason]}` : "";
  return `Disabled${disabledAt ? ` since ${dayTime(disabledAt)}` : ""}${why}.`;
}

/** Which events, as a person would say it. */
export function eventWords(events: Webhook["events"]): string {
  return events.includes("*") ? "All events" : events.join(", ");
}
