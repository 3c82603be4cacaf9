import type { Plan, Role } from "@svc/core/workspace/workspace";
import type { ComponentType } from "react";
import { offers } from "./offers.ts";

export type PageLine = {
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
export const pages: readonly PageLine[] = [
  { path: "/login", title: "Sign in", open: true, load: () => import("./pages/login.tsx") },
  { path: "/register", title: "Sign up", open: true, load: () => import("./pages/register.tsx") },
  {
    path: "/verify-email",
    title: "Confirm your address",
    open: true,
    load: () => import("./pages/verify-email.tsx"),
  },
  {
    path: "/forgot-password",
    title: "Forgotten password",
    open: true,
    load: () => import("./pages/forgot-password.tsx"),
  },
  {
    path: "/reset-password",
    title: "New password",
    open: true,
    load: () => import("./pages/reset-password.tsx"),
  },
  {
    path: "/accept-invitation",
    title: "Join a team",
    open: true,
    load: () => import("./pages/accept-invitation.tsx"),
  },
  {
    path: "/emergency-bypass",
    title: "Emergency access",
    open: true,
    load: () => import("./pages/emergency-bypass.tsx"),
  },

  { path: "/", title: "Home", group: "Work", load: () => import("./pages/home.tsx") },
  {
    path: "/time-entries",
    title: "Time entries",
    group: "Work",
    load: () => import("./pages/time-entries.tsx"),
  },
  { path: "/projects", title: "Projects", group: "Work", load: () => import("./pages/projects.tsx") },
  { path: "/projects/:id", title: "Project", load: () => import("./pages/project.tsx") },
  { path: "/reports", title: "Reports", group: "Work", load: () => import("./pages/reports.tsx") },
  {
    path: "/custom-reports",
    title: "Custom reports",
    group: "Work",
    ...offers["Custom reports"],
    load: () => import("./pages/custom-reports.tsx"),
  },
  { path: "/members", title: "Team members", group: "Work", load: () => import("./pages/members.tsx") },

  { path: "/teams", title: "Teams", group: "Manage", load: () => import("./pages/teams.tsx") },
  { path: "/teams/:id", title: "Team", load: () => import("./pages/team.tsx") },
  {
    path: "/currencies",
    title: "Currencies",
    group: "Manage",
    ...offers.Currencies,
    load: () => import("./pages/currencies.tsx"),
  },
  {
    path: "/currencies/:code",
    title: "Currency",
    plan: "ENTERPRISE",
    load: () => import("./pages/currency.tsx"),
  },
  {
    path: "/webhooks",
    title: "Webhooks",
    group: "Manage",
    role: "admin",
    ...offers.Webhooks,
    load: () => import("./pages/webhooks.tsx"),
  },
  {
    path: "/webhooks/:id",
    title: "Webhook",
    role: "admin",
    plan: "ENTERPRISE",
    load: () => import("./pages/webhook.tsx"),
  },
  {
    path: "/webhooks/:id/deliveries/:deliveryId",
    title: "Delivery",
    role: "admin",
    plan: "ENTERPRISE",
    load: () => import("./pages/delivery.tsx"),
  },
  {
    path: "/audit-log",
    title: "Audit log",
    group: "Manage",
    role: "admin",
    ...offers["Audit log"],
    load: () => import("./pages/audit-log.tsx"),
  },
  {
    path: "/developers",
    title: "API documentation",
    group: "Manage",
    load: () => import("./pages/developers.tsx"),
  },
  {
    path: "/settings/workspace",
    title: "Workspace",
    group: "Settings",
    load: () => import("./pages/workspace.tsx"),
  },

  {
    path: "/settings/profile",
    title: "Profile",
    group: "Settings",
    load: () => import("./pages/profile.tsx"),
  },
  {
    path: "/settings/security",
    title: "Security",
    group: "Settings",
    load: () => import("./pages/security.tsx"),
  },
  {
    path: "/settings/workspace-security",
    title: "Workspace security",
    group: "Settings",
    role: "admin",
    ...offers["Workspace security"],
    load: () => import("./pages/workspace-security.tsx"),
  },
  {
    path: "/settings/preferences",
    title: "Preferences",
    group: "Settings",
    load: () => import("./pages/preferences.tsx"),
  },
];

/** Where a signed-in person begins: the first page of the menu. */
export const landing = pages.find(({ group }) => group)?.path ?? "/login";
