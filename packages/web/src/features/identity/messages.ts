export const messages = {
  signIn: "Sign in",
  newHere: "New here?",
  createAccount: "Create an account",
  passkey: "Sign in with a passkey",
  orWithEmail: "or with your email",
  email: "Email",
  emailExample: "name@company.com",
  password: "Password",
  forgotPassword: "Forgot password?",
  secondFactor: "Two-factor authentication",
  statement: "Every hour, on the right project.",
  lead: "Time tracking for teams that bill by the hour.",
  facts: {
    timer: "A timer on every page",
    budgets: "Budgets that forecast their end and warn you early",
    reports: "Reports in more than 35 currencies, as PDF, Excel and CSV",
  },
  demo: "Explore the demo",
  demoHint: "Sign in as one of these people. No password needed.",
  roles: { owner: "Owner", admin: "Admin", manager: "Manager", member: "Member" },
  example: {
    week: "This week",
    total: "34:52",
    days: ["Mon", "Tue", "Wed", "Thu", "Fri"],
    task: "Checkout flow review",
  },
};

/** The sentences of the question to sign in again. */
export const sessionMessages = {
  ended: "Your session has ended",
  signInAgain: (email: string) =>
    `Sign in again as ${email} to continue on this page. What you have entered stays here.`,
  useAnotherAccount: "Use another account",
};
