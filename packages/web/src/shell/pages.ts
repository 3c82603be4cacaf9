import type { Plan, Role } from "@svc/core/workspace/authorization";
import type { ComponentType } from "react";
import { planFeatures } from "../features/workspace/plan-features.ts";

export type PageRoute = {
  /** As wouter matches it: `/projects/:id`. Never below a first segment of the API (functions/prefixes.ts). */
  path: string;
  /** In the side menu. */
  title: string;
  /** Under which heading of the side menu it stands; without one it is reached by links. */
  group?: "Work" | "Manage" | "Settings";
  /** Nobody has to be signed in. */
  open?: true;
  /** The lowest role that it is for; it is left out of the menu for others. */
  role?: Role;
  /** The smallest plan that has it; others are told so. */
  plan?: Plan;
  /** What it is good for, in a sentence, for whoever has not got the plan. */
  about?: string;
  load: () => Promise<{ default: ComponentType }>;
};

/** Every page, once: its route, its place in the menu and the chunk that it is loaded from. */
export const pages: readonly PageRoute[] = [
  { path: "/login", title: "Sign in", open: true, load: () => import("../features/identity/login-page.tsx") },
  {
    path: "/register",
    title: "Sign up",
    open: true,
    load: () => import("../features/identity/register-page.tsx"),
  },
  {
    path: "/verify-email",
    title: "Confirm your address",
    open: true,
    load: () => import("../features/identity/verify-email-page.tsx"),
  },
  {
    path: "/forgot-password",
    title: "Forgotten password",
    open: true,
    load: () => import("../features/identity/forgot-password-page.tsx"),
  },
  {
    path: "/reset-password",
    title: "New password",
    open: true,
    load: () => import("../features/identity/reset-password-page.tsx"),
  },
  {
    path: "/accept-invitation",
    title: "Join a team",
    open: true,
    load: () => import("../features/workspace/accept-invitation-page.tsx"),
  },
  {
    path: "/emergency-bypass",
    title: "Emergency access",
    open: true,
    load: () => import("../features/identity/emergency-bypass-page.tsx"),
  },

  { path: "/", title: "Home", group: "Work", load: () => import("../features/tracking/home-page.tsx") },
  {
    path: "/time-entries",
    title: "Time entries",
    group: "Work",
    load: () => import("../features/tracking/time-entries-page.tsx"),
  },
  {
    path: "/projects",
    title: "Projects",
    group: "Work",
    load: () => import("../features/tracking/projects-page.tsx"),
  },
  { path: "/projects/:id", title: "Project", load: () => import("../features/tracking/project-page.tsx") },
  {
    path: "/reports",
    title: "Reports",
    group: "Work",
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
    group: "Work",
    load: () => import("../features/workspace/members-page.tsx"),
  },

  {
    path: "/teams",
    title: "Teams",
    group: "Manage",
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
    load: () => import("../features/identity/profile-page.tsx"),
  },
  {
    path: "/settings/security",
    title: "Security",
    group: "Settings",
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
    load: () => import("../features/identity/preferences-page.tsx"),
  },
];

/** Where a signed-in person begins: the first page of the menu. */
export const homePath = pages.find(({ group }) => group)?.path ?? "/login";
