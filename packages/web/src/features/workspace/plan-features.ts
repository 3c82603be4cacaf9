import type { Plan, Role } from "@svc/client";

/** Features of larger plans, by the title of their page. Workspaces on a smaller plan see the sentence in `about`. */
export const planFeatures = {
  Currencies: {
    plan: "ENTERPRISE",
    about:
      "Work in more than 40 currencies at central bank rates, and override a rate where a contract requires it.",
  },
  "Custom reports": {
    plan: "ENTERPRISE",
    about:
      "Build your own reports with up to three grouping levels, and choose columns, metrics and sort order.",
  },
  Webhooks: {
    plan: "ENTERPRISE",
    about:
      "Send events, such as an archived project, to your own systems. Deliveries are signed, retried and logged.",
  },
  "Audit log": {
    plan: "ENTERPRISE",
    about: "See who changed what, when and from where, and export it as a file.",
  },
  "Workspace security": {
    plan: "ENTERPRISE",
    about:
      "Restrict access to your own IP addresses, require two-factor authentication, and see on a map where members sign in.",
  },
} as const satisfies Record<string, { plan: Plan; about: string }>;

/** Tells a member with this role whom to ask for another plan. */
export function planChangeHint(role: Role): string {
  return role === "owner"
    ? "To change the plan, contact the operator of this service."
    : "To change the plan, ask the owner of this workspace.";
}
