import type { Plan, Role } from "@svc/client";
import type { ComponentType } from "react";
import { planFeatures } from "../features/workspace/plan-features.ts";
import { messages } from "./messages.ts";

export type PageRoute = {
  /** A wouter pattern such as `/projects/:id`. Must not begin with a prefix of the API (functions/prefixes.ts). */
  path: string;
  /** The title in the side menu. */
  title: string;
  /** The group in the side menu. Pages without a group are reached by links only. */
  group?: keyof typeof messages.groups;
  /** The short title in the tab bar of phones, which has four pages. */
  tab?: string;
  /** The page needs no sign-in. */
  public?: true;
  /** The page concerns the user's account and works without access to the workspace. */
  account?: true;
  /** The lowest role that can use the page. The menu hides it from others. */
  role?: Role;
  /** The smallest plan that includes the page. */
  plan?: Plan;
  /** A sentence about the page, shown to workspaces without the plan. */
  about?: string;
  load: () => Promise<{ default: ComponentType }>;
};

/** All pages: route, menu entry, access rules and code-split module. */
export const pages: readonly PageRoute[] = [
  {
    path: "/login",
    title: messages.pages.signIn,
    public: true,
    load: () => import("../features/identity/login-page.tsx"),
  },
  {
    path: "/register",
    title: messages.pages.signUp,
    public: true,
    load: () => import("../features/identity/register-page.tsx"),
  },
  {
    path: "/verify-email",
    title: messages.pages.verifyEmail,
    public: true,
    load: () => import("../features/identity/verify-email-page.tsx"),
  },
  {
    path: "/confirm-email",
    title: messages.pages.confirmEmail,
    public: true,
    load: () => import("../features/identity/confirm-email-page.tsx"),
  },
  {
    path: "/undo-email-change",
    title: messages.pages.undoEmail,
    public: true,
    load: () => import("../features/identity/undo-email-change-page.tsx"),
  },
  {
    path: "/forgot-password",
    title: messages.pages.forgotPassword,
    public: true,
    load: () => import("../features/identity/forgot-password-page.tsx"),
  },
  {
    path: "/reset-password",
    title: messages.pages.newPassword,
    public: true,
    load: () => import("../features/identity/reset-password-page.tsx"),
  },
  {
    path: "/accept-invitation",
    title: messages.pages.acceptInvitation,
    public: true,
    load: () => import("../features/workspace/accept-invitation-page.tsx"),
  },
  {
    path: "/emergency-bypass",
    title: messages.pages.emergencyAccess,
    public: true,
    load: () => import("../features/identity/emergency-bypass-page.tsx"),
  },

  {
    path: "/",
    title: messages.pages.home,
    group: "work",
    tab: messages.tabs.home,
    load: () => import("../features/tracking/home-page.tsx"),
  },
  {
    path: "/time-entries",
    title: messages.pages.timeEntries,
    group: "work",
    tab: messages.tabs.entries,
    load: () => import("../features/tracking/time-entries-page.tsx"),
  },
  {
    path: "/projects",
    title: messages.pages.projects,
    group: "work",
    tab: messages.tabs.projects,
    load: () => import("../features/tracking/projects-page.tsx"),
  },
  {
    path: "/projects/:id",
    title: messages.pages.project,
    load: () => import("../features/tracking/project-page.tsx"),
  },
  {
    path: "/reports",
    title: messages.pages.reports,
    group: "work",
    tab: messages.tabs.reports,
    load: () => import("../features/report/reports-page.tsx"),
  },
  {
    path: "/custom-reports",
    group: "work",
    ...planFeatures.customReports,
    load: () => import("../features/report/custom-reports-page.tsx"),
  },
  {
    path: "/members",
    title: messages.pages.teamMembers,
    group: "team",
    load: () => import("../features/workspace/members-page.tsx"),
  },

  {
    path: "/teams",
    title: messages.pages.teams,
    group: "team",
    load: () => import("../features/workspace/teams-page.tsx"),
  },
  {
    path: "/teams/:id",
    title: messages.pages.team,
    load: () => import("../features/workspace/team-page.tsx"),
  },
  {
    path: "/currencies",
    group: "manage",
    ...planFeatures.currencies,
    load: () => import("../features/money/currencies-page.tsx"),
  },
  {
    path: "/currencies/:code",
    title: messages.pages.currency,
    plan: "ENTERPRISE",
    load: () => import("../features/money/currency-page.tsx"),
  },
  {
    path: "/webhooks",
    group: "manage",
    role: "admin",
    ...planFeatures.webhooks,
    load: () => import("../features/webhook/webhooks-page.tsx"),
  },
  {
    path: "/webhooks/:id",
    title: messages.pages.webhook,
    role: "admin",
    plan: "ENTERPRISE",
    load: () => import("../features/webhook/webhook-page.tsx"),
  },
  {
    path: "/webhooks/:id/deliveries/:deliveryId",
    title: messages.pages.delivery,
    role: "admin",
    plan: "ENTERPRISE",
    load: () => import("../features/webhook/delivery-page.tsx"),
  },
  {
    path: "/audit-log",
    group: "manage",
    role: "admin",
    ...planFeatures.auditLog,
    load: () => import("../features/audit/audit-log-page.tsx"),
  },
  {
    path: "/developers",
    title: messages.pages.developers,
    group: "manage",
    load: () => import("../features/developers/developers-page.tsx"),
  },
  {
    path: "/settings/workspace",
    title: messages.pages.workspace,
    group: "settings",
    load: () => import("../features/workspace/workspace-page.tsx"),
  },

  {
    path: "/settings/profile",
    title: messages.pages.profile,
    group: "settings",
    account: true,
    load: () => import("../features/identity/profile-page.tsx"),
  },
  {
    path: "/settings/security",
    title: messages.pages.security,
    group: "settings",
    account: true,
    load: () => import("../features/identity/security-page.tsx"),
  },
  {
    path: "/settings/workspace-security",
    group: "settings",
    role: "admin",
    ...planFeatures.workspaceSecurity,
    load: () => import("../features/workspace/workspace-security-page.tsx"),
  },
  {
    path: "/settings/preferences",
    title: messages.pages.preferences,
    group: "settings",
    account: true,
    load: () => import("../features/identity/preferences-page.tsx"),
  },
];

/** The first page of the menu, which users see after sign-in. */
export const homePath = pages.find(({ group }) => group)?.path ?? "/login";
