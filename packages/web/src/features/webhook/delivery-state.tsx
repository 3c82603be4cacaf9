import type { Delivery } from "@svc/client";
import { dayTime, time } from "../../base/format.ts";
import { Status } from "../../ui/status.tsx";
import { messages } from "./messages.ts";

const looks = { delivered: "good", failed: "bad", pending: "usual" } as const;

/** Shows the status of a delivery. */
export function DeliveryState({ status }: Pick<Delivery, "status">) {
  return <Status look={looks[status]}>{messages.delivery.statuses[status]}</Status>;
}

/** Returns when the delivery completed, or when its next attempt is due. An attempt in progress counts as due. */
export function deliveryTime({ completedAt, nextAttemptAt }: Delivery): string {
  if (completedAt) return dayTime(completedAt);
  if (!nextAttemptAt) return "";
  return Date.parse(nextAttemptAt) <= Date.now()
    ? messages.delivery.due
    : messages.delivery.next(time(nextAttemptAt));
}

/** Returns when to refetch: after 1.5 s while an attempt is due, after 15 s while one is scheduled, else after `refetchMs`. */
export function refetchDeliveriesMs(deliveries: readonly Delivery[], refetchMs: number): number {
  const pending = deliveries.filter(({ status }) => status === "pending");
  if (pending.length === 0) return refetchMs;
  const soon = Date.now() + 10_000;
  return pending.some(({ nextAttemptAt }) => !nextAttemptAt || Date.parse(nextAttemptAt) < soon)
    ? 1500
    : 15_000;
}
