/** The texts of the pages that need no session: sign-in, sign-up and the links of emails. */
export const messages = {
  signIn: "Sign in",
  newHere: "New here?",
  createAccount: "Create an account",
  passkey: "Sign in with a passkey",
  orWithEmail: "or with your email",
  email: "Email",
  password: "Password",
  forgotPassword: "Forgot password?",
  secondFactor: "Two-factor authentication",
  checkEmail: "Check your email",
  backToSignIn: "Back to sign in",
  code: "Code",
  deviceRefused: "The request was canceled or timed out. Try again, or use another method.",
  signUp: {
    title: "Sign up",
    name: "Name",
    workspace: "Workspace (optional)",
    workspaceHint: "The name of your company or team.",
    sent: (email: string) =>
      `We have sent an email to <strong>${email}</strong>. Open its link within one day to get started.`,
    noEmail: "No email? Check your spam folder, or <link>sign in</link> if you already have an account.",
    hasAccount: "Already have an account? <link>Sign in</link>",
  },
  secondStep: {
    use: {
      totp: "Use your authenticator app",
      webauthn: "Use a passkey or security key",
      backup_code: "Use a backup code",
    },
    continue: "Continue",
    continueWithDevice: "Continue with device",
    codeHint: "The 6-digit code from your authenticator app.",
    backupCode: "Backup code",
    backupCodeHint: "One of your 12 saved codes. Each code works once.",
    withDevice: "Confirm with your fingerprint, face, device PIN or security key.",
    startOver: "Start over",
  },
  newPassword: {
    label: "New password",
    hint: (minLength: string) => `At least ${minLength} characters. Four random words work well.`,
    strength: "Strength",
    weak: (advice: string) => `Easy to guess. ${advice}`,
    short: "Too short.",
    hard: "Hard to guess.",
    veryHard: "Very hard to guess.",
  },
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
