/** The texts of the pages to which emails link, and of those that ask for such an email or replace it. */
export const linkMessages = {
  linkIncomplete: "This link is incomplete. Open the link in the email again.",
  home: "Go to home page",
  verify: {
    title: "Confirm your email",
    lead: "Enter the password that you chose when you signed up.",
    hint: "If you didn't sign up, close this page. No account is created.",
    submit: "Create account",
    others: "<up>Sign up</up> or <in>sign in</in>",
  },
  forgot: {
    title: "Reset your password",
    lead: "Enter your email and we will send you a link to set a new password.",
    submit: "Send link",
    sent: (email: string) =>
      `If <strong>${email}</strong> has an account, we have sent a link to it. The link expires in one hour.`,
  },
  reset: {
    title: "New password",
    submit: "Change password",
    done: "Password changed",
    doneLead: "All your sessions have ended, and your API tokens are revoked.",
    signIn: "Sign in with your new password",
    newLink: "Request a new link",
  },
  confirmEmail: {
    title: "Confirm your new email",
    lead: "Your account will use the email to which we sent the link.",
    submit: "Confirm email",
    done: "Email changed",
    doneLead: "From now on, you sign in with the new email.",
  },
  undoEmail: {
    title: "Undo the change of your email",
    lead: "Your account will use the email to which we sent the link. All sessions and API tokens end. Passkeys, second factors and devices that were added since, or in the day before, are removed. Then you choose a new password.",
    submit: "Undo the change",
  },
  emergency: {
    title: "Emergency access",
    lead: "For admins whose IP address is blocked by their workspace. You need your password and a second factor, or a passkey. Access lasts one hour. All admins receive an email with your reason, and the audit log records it.",
    submit: "Get access",
    method: "Sign in with",
    methods: {
      totp: "Password and authenticator app",
      backup_code: "Password and backup code",
      passkey: "Passkey",
    },
    reason: "Reason",
    reasonHint: "At least 10 characters. The other admins will see it.",
  },
};
