import * as AuditLog from "@svc/core/audit/audit-log";
import * as Checkpoint from "@svc/core/audit/proof/checkpoint";
import * as AvatarUpload from "@svc/core/avatar/upload";
import { CurrencyCode } from "@svc/core/base/currency-code";
import * as Day from "@svc/core/base/day";
import * as DayBounds from "@svc/core/base/day-bounds";
import * as EmailAddress from "@svc/core/base/email-address";
import { FeedMeta } from "@svc/core/base/feed";
import { Id } from "@svc/core/base/id";
import { Instant } from "@svc/core/base/instant";
import { IpAddress } from "@svc/core/base/ip-address";
import { PageMeta } from "@svc/core/base/page";
import * as Consent from "@svc/core/consent/consent";
import * as Catalog from "@svc/core/event/catalog";
import * as Devices from "@svc/core/identity/devices/device-list";
import * as EmailChange from "@svc/core/identity/email-change/email-change";
import * as Assertion from "@svc/core/identity/factors/assertion";
import * as AuthenticatorApp from "@svc/core/identity/factors/authenticator-app";
import * as BackupCodes from "@svc/core/identity/factors/backup-codes";
import * as Factors from "@svc/core/identity/factors/factors";
import * as Passkey from "@svc/core/identity/factors/passkey";
import * as WebAuthn from "@svc/core/identity/factors/webauthn";
import * as IpAllowlist from "@svc/core/identity/ip-allowlist/ip-allowlist";
import * as PasswordChange from "@svc/core/identity/password/change";
import * as PasswordReset from "@svc/core/identity/password/reset";
import * as ResetLink from "@svc/core/identity/password/reset-link";
import * as Profile from "@svc/core/identity/profile/profile";
import * as Registration from "@svc/core/identity/registration/register";
import * as Verification from "@svc/core/identity/registration/verification";
import * as Sessions from "@svc/core/identity/sessions/session-list";
import * as SecuritySettings from "@svc/core/identity/settings/settings";
import * as EmergencyBypass from "@svc/core/identity/sign-in/emergency-bypass";
import * as Login from "@svc/core/identity/sign-in/login";
import * as LoginHistory from "@svc/core/identity/sign-in/login-history";
import * as LoginMap from "@svc/core/identity/sign-in/login-map";
import * as PasskeyLogin from "@svc/core/identity/sign-in/passkey-login";
import * as Reauthentication from "@svc/core/identity/sign-in/reauthentication";
import * as SecondStep from "@svc/core/identity/sign-in/second-step";
import * as ApiToken from "@svc/core/identity/tokens/api-token";
import * as AccountExport from "@svc/core/lifecycle/export";
import * as LeaveWorkspace from "@svc/core/lifecycle/leave-workspace";
import * as OwnedWorkspaces from "@svc/core/lifecycle/owned-workspaces";
import * as Convert from "@svc/core/money/convert";
import * as Currencies from "@svc/core/money/listing";
import * as MissingRates from "@svc/core/money/missing-rates";
import * as Money from "@svc/core/money/money";
import * as Override from "@svc/core/money/override";
import * as Chart from "@svc/core/report/chart";
import * as CustomReport from "@svc/core/report/custom";
import * as ReportColumns from "@svc/core/report/detail";
import * as GenerateReport from "@svc/core/report/generate";
import * as ReportGroups from "@svc/core/report/groups";
import * as Report from "@svc/core/report/report";
import * as SummaryReport from "@svc/core/report/summary";
import * as Budget from "@svc/core/tracking/budgets/budget";
import * as ProjectList from "@svc/core/tracking/budgets/project-list";
import * as BudgetSettings from "@svc/core/tracking/projects/budget-settings";
import * as Project from "@svc/core/tracking/projects/project";
import * as SeveralEntries from "@svc/core/tracking/time-entries/bulk";
import * as Suggestions from "@svc/core/tracking/time-entries/suggestions";
import * as TimeEntry from "@svc/core/tracking/time-entries/time-entry";
import * as Delivery from "@svc/core/webhook/delivery";
import * as Webhook from "@svc/core/webhook/endpoint";
import * as Authorization from "@svc/core/workspace/authorization";
import * as Invitation from "@svc/core/workspace/invitations/invitation";
import * as Member from "@svc/core/workspace/members/member";
import * as TeamMember from "@svc/core/workspace/members/team-member";
import * as WorkspaceSettings from "@svc/core/workspace/settings";
import * as Team from "@svc/core/workspace/teams/team";
import * as Workspace from "@svc/core/workspace/workspace";
import type { $ZodType } from "zod/v4/core";
import { Links } from "../http/list-reply.ts";

/** Returns the name of an event's payload: `ProjectArchivedEvent` for `project.archived`. */
export function payloadName(type: Catalog.WebhookEventType): string {
  return `${type.replace(/(?:^|[^a-z])([a-z])/g, (_, first: string) => first.toUpperCase())}Event`;
}

/**
 * The schemas that have a name in the OpenAPI document. Generated clients name types by them. A resource has the noun that the API
 * uses (`Project`), the body that creates one `New…`, and the body that changes one `…Changes`.
 */
export const schemas: Record<string, $ZodType> = {
  // Shared by all
  Id,
  Day: Day.Day,
  TrackedDay: DayBounds.Day,
  Instant,
  TrackedInstant: TimeEntry.TrackedInstant,
  TimeZone: Day.Timezone,
  Email: EmailAddress.Email,
  IpAddress,
  CurrencyCode,
  PageMeta,
  CursorMeta: FeedMeta,
  PageLinks: Links,

  // Sign-in and registration
  Credentials: Login.Credentials,
  SignedIn: Login.LoggedIn,
  SecondFactorRequired: Login.MfaRequired,
  PendingLogin: SecondStep.Begun,
  SecondFactorProof: SecondStep.Finish,
  PasskeyChallenge: Passkey.Begun,
  PasskeyProof: PasskeyLogin.SignIn,
  EmergencyBypass: EmergencyBypass.Bypass,
  Reauthentication: Reauthentication.Reauthenticate,
  Reauthenticated: Reauthentication.Reauthenticated,
  WebAuthnOptions: Assertion.Options,
  WebAuthnAssertion: Assertion.Assertion,
  Registration: Registration.Register,
  EmailVerification: Verification.Verify,
  PasswordResetRequest: ResetLink.Forgot,
  PasswordReset: PasswordReset.Reset,

  // Account
  User: Profile.Me,
  Profile: Profile.Profile,
  ProfileChanges: Profile.Update,
  UserTeam: Profile.Team,
  Person: TimeEntry.Person,
  UploadedAvatar: AvatarUpload.Uploaded,
  EmailChange: EmailChange.Change,
  EmailChangeLink: EmailChange.Link,
  UndoneEmailChange: EmailChange.Undone,
  PasswordChange: PasswordChange.Change,
  Session: Sessions.View,
  Device: Devices.View,
  DeviceChanges: Devices.Rename,
  LoginRecord: LoginHistory.View,
  SecuritySettings: SecuritySettings.Settings,
  SecuritySettingsChanges: SecuritySettings.Update,
  SecondFactors: Factors.Overview,
  Passkey: Factors.Key,
  Passkeys: WebAuthn.Registrations,
  NewPasskey: WebAuthn.Register,
  RegisteredPasskey: WebAuthn.Registered,
  WebAuthnAttestation: WebAuthn.Attestation,
  AuthenticatorAppSetup: AuthenticatorApp.SetUp,
  AuthenticatorAppConfirmation: AuthenticatorApp.Confirm,
  BackupCodes: BackupCodes.Shown,
  ApiToken: ApiToken.View,
  NewApiToken: ApiToken.Create,
  CreatedApiToken: ApiToken.Created,
  AccountExport: AccountExport.Export,
  OwnedWorkspace: OwnedWorkspaces.OwnedWorkspace,
  CookiePolicy: Consent.PolicyView,
  Consent: Consent.View,
  ConsentChoice: Consent.Choice,

  // Workspace
  Workspace: Workspace.View,
  NewWorkspace: Workspace.Create,
  WorkspaceTransfer: LeaveWorkspace.Transfer,
  WorkspaceSettings: WorkspaceSettings.View,
  WorkspaceSettingsChanges: WorkspaceSettings.Update,
  Plan: Authorization.Plan,
  Role: Authorization.Role,
  Member: Member.View,
  MemberChanges: Member.Update,
  NewTeamMember: TeamMember.Add,
  Team: Team.View,
  NewTeam: Team.Create,
  TeamChanges: Team.Update,
  Invitation: Invitation.View,
  NewInvitation: Invitation.Invite,
  InvitationAcceptance: Invitation.Accept,
  AcceptedInvitation: Invitation.Accepted,
  IpAllowlist: IpAllowlist.View,
  NewIpAllowlist: IpAllowlist.Allowlist,
  LoginMap: LoginMap.LoginMap,
  AuditEntry: AuditLog.View,
  AuditCheckpoint: Checkpoint.View,

  // Time and money
  Project: Project.View,
  ListedProject: ProjectList.Item,
  NewProject: Project.Create,
  ProjectChanges: Project.Update,
  Decimal: BudgetSettings.Decimal,
  BudgetSettings: BudgetSettings.View,
  NewBudgetSettings: BudgetSettings.Input,
  Budget: Budget.View,
  TimeEntry: TimeEntry.View,
  NewTimeEntry: TimeEntry.Create,
  NewTimer: TimeEntry.Details,
  TimeEntryChanges: TimeEntry.Update,
  TimeEntrySplit: TimeEntry.Split,
  TimeEntriesChanges: SeveralEntries.Update,
  TimeEntriesDeletion: SeveralEntries.Remove,
  Suggestion: Suggestions.Suggestion,
  Money: Money.View,
  ConvertedMoney: Convert.Converted,
  MissingRate: MissingRates.MissingRate,
  Currency: Currencies.Listed,
  Currencies: Currencies.List,
  Rate: Currencies.DatedRate,
  RateHistory: Currencies.History,
  RateOverride: Override.Stored,
  NewRateOverride: Override.Put,
  Report: Report.View,
  NewReport: GenerateReport.Generate,
  SummaryReport: SummaryReport.View,
  CustomReport: CustomReport.View,
  ReportTotals: ReportGroups.SumView,
  ReportColumn: ReportColumns.Column,
  ReportMetric: CustomReport.Metric,
  ReportSort: CustomReport.Sort,
  Chart: Chart.Chart,

  // Integration
  Webhook: Webhook.View,
  NewWebhook: Webhook.Create,
  WebhookChanges: Webhook.Update,
  UpdatedWebhook: Webhook.Updated,
  WebhookWithSecret: Webhook.WithSecret,
  WebhookEventType: Catalog.EventType,
  WebhookRecovery: Delivery.Recover,
  TestEvent: Delivery.Test,
  Delivery: Delivery.View,
  DeliveryWithAttempts: Delivery.WithAttempts,
  DeliveryAttempt: Delivery.Attempt,
  DeliveryStatus: Delivery.Status,
  ...Object.fromEntries(Catalog.webhookEventTypes.map((type) => [payloadName(type), Catalog.payload(type)])),
};
