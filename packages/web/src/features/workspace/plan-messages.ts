/** The texts about the features of larger plans. The frame of the pages shows them too. */
export const planMessages = {
  currencies: {
    title: "Currencies",
    about:
      "Work in more than 40 currencies at central bank rates, and override a rate where a contract requires it.",
  },
  customReports: {
    title: "Custom reports",
    about:
      "Build your own reports with up to three grouping levels, and choose columns, metrics and sort order.",
  },
  webhooks: {
    title: "Webhooks",
    about:
      "Send events, such as an archived project, to your own systems. Deliveries are signed, retried and logged.",
  },
  auditLog: {
    title: "Audit log",
    about: "See who changed what, when and from where, and export it as a file.",
  },
  workspaceSecurity: {
    title: "Workspace security",
    about:
      "Restrict access to your own IP addresses, require two-factor authentication, and see on a map where members sign in.",
  },
};

/** Sentences that name the person to ask for another plan. */
export const planChangeMessages = {
  owner: "To change the plan, contact the operator of this service.",
  others: "To change the plan, ask the owner of this workspace.",
};
