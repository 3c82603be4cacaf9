import type { Plan, Role } from "@svc/client";
import { planChangeMessages, planMessages } from "./plan-messages.ts";

/** Features of larger plans. Workspaces on a smaller plan see the sentence in `about`. */
export const planFeatures = {
  currencies: { plan: "ENTERPRISE", ...planMessages.currencies },
  customReports: { plan: "ENTERPRISE", ...planMessages.customReports },
  webhooks: { plan: "ENTERPRISE", ...planMessages.webhooks },
  auditLog: { plan: "ENTERPRISE", ...planMessages.auditLog },
  workspaceSecurity: { plan: "ENTERPRISE", ...planMessages.workspaceSecurity },
} as const satisfies Record<string, { plan: Plan; title: string; about: string }>;

/** Tells a member with this role whom to ask for another plan. */
export function planChangeHint(role: Role): string {
  return role === "owner" ? planChangeMessages.owner : planChangeMessages.others;
}
