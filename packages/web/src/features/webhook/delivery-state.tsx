import type { View as Delivery } from "@svc/core/webhook/delivery";
import { dayTime, time } from "../../base/format.ts";

const looks = { delivered: "good", failed: "bad", pending: undefined } as const;

/** What became of a delivery so far. */
export function DeliveryState({ status }: Pick<Delivery, "status">) {
  return (
    <span className="badge" data-look={looks[status]}>
      {status}
    </span>
  );
}

/** When it ended, or is tried next. */
export function deliveryTime({ completedAt, nextAttemptAt }: Delivery): string {
  if (completedAt) return dayTime(completedAt);
  return nextAttemptAt ? `tried next at ${time(nextAttemptAt)}` : "";
}

/** When to look again: soon while something is due, now and then while something waits. */
export function lookAgainMs(deliveries: readonly Delivery[], refetchMs: number): number {
  const waiting = deliveries.filter(({ status }) => status === "pending");
  if (waiting.length === 0) return refetchMs;
  const soon = Date.now() + 10_000;
  return waiting.some(({ nextAttemptAt }) => !nextAttemptAt || Date.parse(nextAttemptAt) < soon)
    ? 1500
    : 15_000;
}
