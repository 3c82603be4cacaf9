import type { Plan } from "@svc/core/workspace/authorization";

/** What larger plans have, by the title of its page: which plan, and what it is good for. */
export const planFeatures = {
  Currencies: {
    plan: "ENTERPRISE",
    about:
      "Work in more than 40 currencies at central banks’ rates, with rates of your own where a contract says so.",
  },
  "Custom reports": {
    plan: "ENTERPRISE",
    about:
      "Put reports together yourself: up to three levels of groups, your own columns, metrics and order.",
  },
  Webhooks: {
    plan: "ENTERPRISE",
    about:
      "Have events such as an archived project sent to your own systems: signed, repeated when they fail, and logged.",
  },
  "Audit log": {
    plan: "ENTERPRISE",
    about: "See who changed what, when and from where, and take it all with you as a file.",
  },
  "Workspace security": {
    plan: "ENTERPRISE",
    about: "Let people in from your own addresses only, and see on a map from where they sign in.",
  },
} as const satisfies Record<string, { plan: Plan; about: string }>;
