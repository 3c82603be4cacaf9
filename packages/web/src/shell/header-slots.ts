import type { ComponentType } from "react";

/** Components in the header of every member page, between the team and the account menu. */
export const headerSlots: readonly { name: string; load: () => Promise<{ default: ComponentType }> }[] = [
  { name: "timer", load: () => import("../features/tracking/timer-slot.tsx") },
];
