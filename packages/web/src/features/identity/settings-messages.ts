import { counted, list, number } from "../../base/format.ts";

/** The texts of the settings page Profile. */
export const profileMessages = {
  title: "Profile",
  about: "About you",
  save: "Save changes",
  saved: "Profile saved.",
  name: "Name",
  jobTitle: "Title",
  jobTitleHint: "Your job title, shown in the member list.",
  phone: "Phone",
  toPreferences: "Change your language, time zone and date format in <link>Preferences</link>.",
  email: {
    title: "Email",
    current: (email: string) => `You sign in as <strong>${email}</strong>.`,
    new: "New email",
    password: "Your password",
    submit: "Change email",
    sent: (email: string) =>
      `Open the link that we have sent to ${email} within one day. Until then, you sign in as before.`,
  },
  password: {
    title: "Password",
    current: "Current password",
    submit: "Change password",
    keepTokens: "Keep my API tokens",
    keepTokensHint: "Otherwise they are revoked. Your other sessions end in any case.",
    changed: "Password changed. Your other sessions have ended.",
  },
  data: {
    title: "Download your data",
    lead: "A JSON file with all data about you: profile, devices, sign-ins, time entries, reports and the workspaces that you own. It contains no passwords, tokens or codes.",
    submit: "Download data",
    preparing: "Preparing your data…",
    done: "Data downloaded.",
    doneInPart: "Data downloaded. The oldest entries did not fit into the file and are missing.",
    omitted: {
      ip_not_allowed: (name: string) =>
        `The file does not contain the data of ${name}, which does not allow access from your IP address.`,
      two_factor_required: (name: string) =>
        `The file does not contain the data of ${name}, which requires two-factor authentication.`,
    },
  },
  deletion: {
    title: "Delete your account",
    lead: "Deletes your picture and personal data and ends your access immediately. Time that you tracked stays in the reports of each workspace, under “Deleted user”.",
    ask: "Delete account…",
    question: "Delete your account?",
    confirm: "Delete account",
    warning: "You cannot undo this. You will be asked for your password.",
    owned: (names: readonly string[]) => `You own ${list(names)}.`,
    ownedAlone:
      "Workspaces without other active members are deleted with your account, including all time and projects.",
    ownedWithOthers:
      "Workspaces with other active members need a new owner first. Transfer them under Workspaces.",
    soleOwner: (name: string) =>
      `You own ${name}, which has other members. Transfer it under Workspaces, then delete your account.`,
    soleOwnerOfUnknown:
      "You own a workspace that has other members. Transfer it under Workspaces, then delete your account.",
    done: "Account deleted.",
  },
};

/** The texts of the settings page Security. */
export const securityMessages = {
  title: "Security",
  auditNotice:
    "Admins of your workspaces on the ENTERPRISE plan see in the audit log when and from where you signed in or failed to, and what you changed in your account; of your profile they see the names of the changed fields, not their values.",
  tabs: {
    factors: "Two-factor authentication",
    sessions: "Sessions and devices",
    history: "Sign-in history",
    tokens: "API tokens",
  },
  cancel: "Cancel",
  added: (name: string) => `${name} added.`,
  removed: (name: string) => `${name} removed.`,
  confirmIdentity: {
    title: "Confirm your password",
    lead: "This action affects the security of your account or workspace. You will not be asked again for 10 minutes.",
    submit: "Continue",
    passkey: "Use a passkey instead",
    canceled: "Nothing was changed. This action needs your password or a passkey.",
  },
  required: {
    notice: (workspace: string) =>
      `${workspace} requires two-factor authentication. Set up an authenticator app, a passkey or a security key to continue.`,
    done: (workspace: string) => `Two-factor authentication is on. <link>Continue to ${workspace}</link>`,
  },
  factors: {
    on: "<strong>Two-factor authentication is on.</strong> To sign in, you need a passkey, or your password together with one of these methods.",
    off: "<strong>Two-factor authentication is off.</strong> Anyone who knows your password can sign in. Set up one of these methods to protect your account.",
  },
  app: {
    title: "Authenticator app",
    enabled: "Set up",
    disabled: "Not set up",
    since: (day: string) => `Since ${day}.`,
    hint: "An app on your phone that shows a new 6-digit code every 30 seconds.",
    setUp: "Set up app",
    setUpDone: "Authenticator app set up.",
    setUpTitle: "Set up an authenticator app",
    scan: "1. Scan this QR code with your app. If the app is on this device, <link>open it there</link>.",
    qr: "QR code for the authenticator app",
    manually: "Enter the key manually",
    manuallyHint: "Time-based (TOTP), 6 digits, 30 seconds.",
    copyKey: "Copy key",
    enterCode: "2. Enter the code that the app shows.",
    turnOn: "Turn on",
    code: "Code",
    ask: "Remove app…",
    question: "Remove the authenticator app?",
    confirm: "Remove app",
    warning:
      "Its codes will stop working. If you have no other second factor, your backup codes will stop working too.",
    removed: "Authenticator app removed.",
  },
  passkeys: {
    title: "Passkeys and security keys",
    kinds: {
      passkey: "Passkey: signs you in without a password",
      security_key: "Second factor only",
    },
    used: (kind: string, added: string, lastUsed: string) =>
      `${kind} · added ${added} · last used ${lastUsed}`,
    unused: (kind: string, added: string) => `${kind} · added ${added} · not used yet`,
    hint: "A passkey signs you in with your fingerprint, face or device PIN. A security key is a second factor after your password.",
    unsupported: "This browser does not support passkeys. Use another browser to add one.",
    add: { passkey: "Add passkey…", security_key: "Add security key…" },
    addTitle: { passkey: "Add passkey", security_key: "Add security key" },
    continue: "Continue with device",
    name: "Name",
    nameHint: "Helps you recognize it later, for example “Laptop”.",
    ask: "Remove…",
    askFor: (name: string) => `Remove ${name}`,
    question: (name: string) => `Remove ${name}?`,
    confirm: { passkey: "Remove passkey", security_key: "Remove security key" },
    warning:
      "You can no longer sign in with it. If you have no other second factor, your backup codes will stop working too.",
  },
  passkeyOffer: {
    label: "Passkey",
    lead: "<strong>Sign in without a password next time.</strong> Create a passkey to sign in with your fingerprint, face or device PIN.",
    create: "Create passkey…",
    dismiss: "Not now",
  },
  backupCodes: {
    title: "Backup codes",
    left: (count: number) => (count === 0 ? "None left" : `${number(count)} left`),
    hint: "Each code works once, in place of your app or passkey.",
    fewHint: "Create new codes soon. Without your device, they are the only way to sign in.",
    ask: "Create new codes…",
    question: "Create new backup codes?",
    confirm: "Create new codes",
    warning: "You will get 12 new codes. Your current codes will stop working.",
    created: "New codes created. The old codes no longer work.",
    newTitle: "Your backup codes",
    saved: "I have saved them",
    save: "Save these codes somewhere you can reach without your device. Each code works once. They will not be shown again.",
    copy: "Copy codes",
    download: "Download codes",
  },
  sessions: {
    title: "Sessions",
    current: "this session",
    details: (place: string, since: string, lastUsed: string) =>
      `${place} · since ${since} · last used ${lastUsed}`,
    end: "End session…",
    endOf: (device: string, since: string) => `End the session on ${device} since ${since}`,
    endQuestion: "End this session?",
    endConfirm: "End session",
    endWarning: (device: string, place: string) =>
      `${device}, ${place}. This device will have to sign in again.`,
    ended: "Session ended.",
    endOthers: "End all other sessions…",
    endOthersQuestion: "End all other sessions?",
    endOthersConfirm: "End sessions",
    endOthersWarning: "You will be signed out everywhere except in this browser.",
    othersEnded: "All other sessions ended.",
  },
  devices: {
    title: "Known devices",
    emptyTitle: "No known devices",
    emptyHint: "Devices will appear here after you sign in on them.",
    current: "this device",
    lastUsed: (time: string) => `last used ${time}`,
    rename: "Rename…",
    renameOf: (name: string) => `Rename ${name}`,
    renameSubmit: "Rename device",
    renamed: "Device renamed.",
    name: "Name",
    remove: "Remove…",
    removeOf: (name: string) => `Remove ${name}`,
    question: (name: string) => `Remove ${name}?`,
    confirm: "Remove device",
    warning: "Its sessions will end, and its next sign-in counts as a new device.",
    warningCurrent:
      "Its sessions will end, and its next sign-in counts as a new device. This is the device you are using, so you will be signed out.",
  },
  settings: {
    title: "Idle timeout and notifications",
    save: "Save changes",
    saved: "Security settings saved.",
    idle: "Sign me out after inactivity of",
    idleTime: (minutes: number) => {
      if (minutes % 1440 === 0) return counted(minutes / 1440, "day", "days");
      if (minutes % 60 === 0) return counted(minutes / 60, "hour", "hours");
      return counted(minutes, "minute", "minutes");
    },
    idleHint: "Also applies to current sessions. Every session ends after 90 days.",
    notify: "Email me when my account is used on a new device",
    notifyHint: "We always email you about suspicious sign-ins.",
  },
  history: {
    title: "Sign-ins and failed attempts",
    lead: "If you do not recognize a sign-in, change your password and end all other sessions.",
    emptyTitle: "No sign-ins yet",
    emptyHint: "Your sign-ins and failed attempts will appear here.",
    caption: "Sign-ins",
    columns: { time: "Time", outcome: "Outcome", method: "Method", device: "Device", location: "Location" },
    signedIn: "Signed in",
    failed: "Failed",
    suspicious: "suspicious",
    methods: {
      password: "password",
      totp: "authenticator app",
      webauthn: "passkey or security key",
      passkey: "passkey",
      backup_code: "backup code",
      email_link: "email link",
      emergency_bypass: "emergency access",
    },
    reasons: {
      new_country: "from a new country",
      new_device: "on a new device",
      impossible_travel: "too far from the previous sign-in",
      after_failures: "after many failed attempts",
      first_in_90_days: "first in 90 days",
    },
  },
};

/** The texts of API tokens. */
export const tokenMessages = {
  title: "API tokens",
  lead: "An API client with a token acts as you in one workspace. It can never do more than you can.",
  caption: "Your tokens",
  emptyTitle: "No API tokens yet",
  emptyHint: "Create a token to use the API from your own scripts and services.",
  columns: {
    name: "Name",
    access: "Access",
    workspace: "Workspace",
    lastUsed: "Last used",
    expires: "Expires",
    actions: "Actions",
  },
  never: "Never",
  formerWorkspace: "A workspace you left",
  create: "Create token",
  createTitle: "Create API token",
  cancel: "Cancel",
  nameHint: "Describe its purpose, for example “Payroll export”.",
  scopes: { read: "Read", write: "Read and write", admin: "Read, write and admin actions" },
  expiresAfter: "Expires after",
  days: (count: number) => counted(count, "day", "days"),
  createdTitle: (name: string) => `Token ${name}`,
  copyNow: "Copy the token now. It will not be shown again.",
  copy: "Copy token",
  remove: "Delete…",
  removeOf: (name: string) => `Delete ${name}`,
  question: (name: string) => `Delete the token ${name}?`,
  confirm: "Delete token",
  warning: "API clients that use this token lose access immediately.",
  deleted: "Token deleted.",
};

/** The texts of the settings page Preferences. */
export const preferenceMessages = {
  title: "Preferences",
  languageAndRegion: "Language and region",
  save: "Save changes",
  saved: "Preferences saved.",
  locale: "Number and date language",
  timezone: "Time zone",
  timezoneHint: "For Home, Time entries and the timer. Reports use the time zone of the workspace.",
  dateFormat: "Date format",
  hours: "Time format",
  hoursOf: (hours: number) => (hours === 12 ? "12-hour" : "24-hour"),
  weekStart: "First day of the week",
  region: (language: string, hours: string, weekday: string) =>
    `${language}, ${hours}, weeks from ${weekday}`,
  cookies: "Cookie Preferences",
  cookiesAllowed: (categories: readonly string[], since: string) =>
    `Allowed categories since ${since}: ${list(categories)}.`,
  cookiesNotChosen: "You have not made a choice yet, so only essential cookies are used.",
};
