import type { Plan, Role } from "@svc/client";
import type { ComponentType } from "react";
import { planFeatures } from "../features/workspace/plan-features.ts";

export type PageRoute = {
  /** A wouter pattern such as `/projects/:id`. Must not begin with a prefix of the API (functions/prefixes.ts). */
  path: string;
  /** The title in the side menu. */
  title: string;
  /** The group in the side menu. Pages without a group are reached by links only. */
  group?: "Work" | "Team" | "Manage" | "Settings";
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
    title: "Sign in",
    public: true,
    load: () => import("../features/identity/login-page.tsx"),
  },
  {
    path: "/register",
    title: "Sign up",
    public: true,
    load: () => import("../features/identity/register-page.tsx"),
  },
  {
    path: "/verify-email",
    title: "Confirm your email",
    public: true,
    load: () => import("../features/identity/verify-email-page.tsx"),
  },
  {
    path: "/confirm-email",
    title: "Confirm your new email",
    public: true,
    load: () => import("../features/identity/confirm-email-page.tsx"),
  },
  {
    path: "/undo-email-change",
    title: "Undo the change of your email",
    public: true,
    load: () => import("../features/identity/undo-email-change-page.tsx"),
  },
  {
    path: "/forgot-password",
    title: "Reset your password",
    public: true,
    load: () => import("../features/identity/forgot-password-page.tsx"),
  },
  {
    path: "/reset-password",
    title: "New password",
    public: true,
    load: () => import("../features/identity/reset-password-page.tsx"),
  },
  {
    path: "/accept-invitation",
    title: "Join a team",
    public: true,
    load: () => import("../features/workspace/accept-invitation-page.tsx"),
  },
  {
    path: "/emergency-bypass",
    title: "Emergency access",
    public: true,
    load: () => import("../features/identity/emergency-bypass-page.tsx"),
  },

  {
    path: "/",
    title: "Home",
    group: "Work",
    tab: "Home",
    load: () => import("../features/tracking/home-page.tsx"),
  },
  {
    path: "/time-entries",
    title: "Time entries",
    group: "Work",
    tab: "Entries",
    load: () => import("../features/tracking/time-entries-page.tsx"),
  },
  {
    path: "/projects",
    title: "Projects",
    group: "Work",
    tab: "Projects",
    load: () => import("../features/tracking/projects-page.tsx"),
  },
  { path: "/projects/:id", title: "Project", load: () => import("../features/tracking/project-page.tsx") },
  {
    path: "/reports",
    title: "Reports",
    group: "Work",
    tab: "Reports",
    load: () => import("../features/report/reports-page.tsx"),
  },
  {
    path: "/custom-reports",
    title: "Custom reports",
    group: "Work",
    ...planFeatures["Custom reports"],
    load: () => import("../features/report/custom-reports-page.tsx"),
  },
  {
    path: "/members",
    title: "Team members",
    group: "Team",
    load: () => import("../features/workspace/members-page.tsx"),
  },

  {
    path: "/teams",
    title: "Teams",
    group: "Team",
    load: () => import("../features/workspace/teams-page.tsx"),
  },
  { path: "/teams/:id", title: "Team", load: () => import("../features/workspace/team-page.tsx") },
  {
    path: "/currencies",
    title: "Currencies",
    group: "Manage",
    ...planFeatures.Currencies,
    load: () => import("../features/money/currencies-page.tsx"),
  },
  {
    path: "/currencies/:code",
    title: "Currency",
    plan: "ENTERPRISE",
    load: () => import("../features/money/currency-page.tsx"),
  },
  {
    path: "/webhooks",
    title: "Webhooks",
    group: "Manage",
    role: "admin",
    ...planFeatures.Webhooks,
    load: () => import("../features/webhook/webhooks-page.tsx"),
  },
  {
    path: "/webhooks/:id",
    title: "Webhook",
    role: "admin",
    plan: "ENTERPRISE",
    load: () => import("../features/webhook/webhook-page.tsx"),
  },
  {
    path: "/webhooks/:id/deliveries/:deliveryId",
    title: "Delivery",
    role: "admin",
    plan: "ENTERPRISE",
    load: () => import("../features/webhook/delivery-page.tsx"),
  },
  {
    path: "/audit-log",
    title: "Audit log",
    group: "Manage",
    role: "admin",
    ...planFeatures["Audit log"],
    load: () => import("../features/audit/audit-log-page.tsx"),
  },
  {
    path: "/developers",
    title: "API documentation",
    group: "Manage",
    load: () => import("../features/developers/developers-page.tsx"),
  },
  {
    path: "/settings/workspace",
    title: "Workspace",
    group: "Settings",
    load: () => import("../features/workspace/workspace-page.tsx"),
  },

  {
    path: "/settings/profile",
    title: "Profile",
    group: "Settings",
    account: true,
    load: () => import("../features/identity/profile-page.tsx"),
  },
  {
    path: "/settings/security",
    title: "Security",
    group: "Settings",
    account: true,
    load: () => import("../features/identity/security-page.tsx"),
  },
  {
    path: "/settings/workspace-security",
    title: "Workspace security",
    group: "Settings",
    role: "admin",
    ...planFeatures["Workspace security"],
    load: () => import("../features/workspace/workspace-security-page.tsx"),
  },
  {
    path: "/settings/preferences",
    title: "Preferences",
    group: "Settings",
    account: true,
    load: () => import("../features/identity/preferences-page.tsx"),
  },
];

/** The first page of the menu, which users see after sign-in. */
export const homePath = pages.find(({ group }) => group)?.path ?? "/login";
