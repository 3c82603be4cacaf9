/** The texts of the cookie banner. The specification prescribes the labels of its buttons. */
export const messages = {
  banner: "Cookies",
  explanation:
    "Essential cookies keep you signed in. With your consent, we also use cookies that remember your display preferences and measure which pages are used. You can change your choice at any time.",
  acceptAll: "Accept All",
  rejectAll: "Reject All",
  openSettings: "Cookie Settings",
};

/** The texts of the cookie settings. */
export const settingsMessages = {
  title: "Cookie settings",
  globalPrivacyControl:
    "Your browser sends a Global Privacy Control signal, so analytics and marketing cookies stay off.",
  save: "Save choice",
  categories: {
    essential: "Essential",
    functional: "Functional",
    analytics: "Analytics",
    marketing: "Marketing",
  },
  alwaysActive: (category: string) => `${category} (always active)`,
  cookies: "Cookies in this category",
  cookie: (name: string, purpose: string, duration: string) =>
    `<code>${name}</code>: ${purpose}. Expires after ${duration}.`,
};
