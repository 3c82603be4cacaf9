import type { Profile } from "@svc/core/identity/profile/profile";
import type { Plan, Role } from "@svc/core/workspace/authorization";
import { createContext, useContext } from "react";

/** Where a page of a signed-in person finds itself. */
export type Current = {
  me: Profile;
  workspace: Profile["workspaces"][number];
  /** The unit: the team that is looked at; undefined for somebody in no team of the workspace. */
  team: Profile["teams"][number] | undefined;
};

export const CurrentContext = createContext<Current | undefined>(undefined);

/** Who is signed in, in which workspace and team. For pages of members only. */
export function useCurrent(): Current {
  const current = useContext(CurrentContext);
  if (!current) throw new Error("useCurrent belongs into pages of members.");
  return current;
}

const ranks: readonly Role[] = ["member", "manager", "admin", "owner"];

/** Whether a role is this one or higher. */
export function reaches(role: Role, needed: Role): boolean {
  return ranks.indexOf(role) >= ranks.indexOf(needed);
}

const plans: readonly Plan[] = ["FREE", "PRO", "ENTERPRISE"];

/** Whether a plan is this one or a larger one. */
export function includes(plan: Plan, needed: Plan): boolean {
  return plans.indexOf(plan) >= plans.indexOf(needed);
}
