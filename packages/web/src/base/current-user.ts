import type { Plan, Profile, Role } from "@svc/client";
import { createContext, useContext } from "react";

/** The signed-in user, with the workspace and team that this browser has selected. */
export type CurrentUser = {
  me: Profile;
  workspace: Profile["workspaces"][number];
  /** Undefined when the user is in no team of the workspace. */
  team: Profile["teams"][number] | undefined;
};

export const CurrentUserContext = createContext<CurrentUser | undefined>(undefined);

/** Returns the signed-in user, workspace and team. Throws outside the pages for members. */
export function useCurrentUser(): CurrentUser {
  const current = useContext(CurrentUserContext);
  if (!current) throw new Error("useCurrentUser works only inside MemberFrame.");
  return current;
}

const ranks: readonly Role[] = ["member", "manager", "admin", "owner"];

/** Tells whether `role` is `needed` or higher. */
export function hasRole(role: Role, needed: Role): boolean {
  return ranks.indexOf(role) >= ranks.indexOf(needed);
}

const plans: readonly Plan[] = ["FREE", "PRO", "ENTERPRISE"];

/** Tells whether `plan` is `needed` or larger. */
export function hasPlan(plan: Plan, needed: Plan): boolean {
  return plans.indexOf(plan) >= plans.indexOf(needed);
}

/** Tells whether the workspace refuses the user until they set up a second factor. The API enforces the same rule. */
export function needsSecondFactor({ me, workspace }: CurrentUser): boolean {
  return workspace.plan === "ENTERPRISE" && workspace.requireTwoFactor && !me.twoFactorEnabled;
}
