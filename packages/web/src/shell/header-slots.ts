import type { ComponentType } from "react";

/** What stands in the header of every page of a member, between the team and the account: one line each. */
export const headerSlots: readonly { name: string; load: () => Promise<{ default: ComponentType }> }[] = [
  { name: "timer", load: () => import("../features/tracking/timer-slot.tsx") },
];
