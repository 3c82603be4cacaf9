import type * as Authorization from "@svc/core/workspace/authorization";
import { requirePlanAndRole } from "@svc/core/workspace/authorization";
import type * as z from "zod/mini";
import type { Call, Step } from "./api.ts";
import { jsonOf } from "./body.ts";
import type { StepContract } from "./contract.ts";
import { input, type QuerySchema, query, queryOf, validInput, validQuery } from "./input.ts";
import { isStrict } from "./prefer.ts";

type WithMembership = Call & { membership: Authorization.Membership };

/** A plan, and a check whether a request uses its features. `uses` receives the fields before they are validated. */
export type PlanGate = {
  plan: Authorization.Plan;
  uses: (sent: Record<string, unknown>, membership: Authorization.Membership) => boolean;
};

/** Like `input`, but rejects with 403 `plan_upgrade_required` before validation if the body uses features of another plan. */
export function planGatedInput<T>(
  schema: z.ZodMiniType<T>,
  gate: PlanGate,
): Step<WithMembership, { input: T }> {
  return {
    contract: gated(input(schema).contract),
    before(call) {
      const body = jsonOf(call);
      requirePlan(call.membership, gate, body);
      return { input: validInput(schema, body, isStrict(call)) };
    },
  };
}

/** Like `query`, but rejects with 403 `plan_upgrade_required` before validation if the query uses features of another plan. */
export function planGatedQuery<T>(
  schema: QuerySchema<T>,
  gate: PlanGate,
): Step<WithMembership, { query: T }> {
  return {
    contract: gated(query(schema).contract),
    before({ event, membership }) {
      const sent = queryOf(event);
      requirePlan(membership, gate, sent);
      return { query: validQuery(schema, sent) };
    },
  };
}

function gated(contract: StepContract): StepContract {
  return { ...contract, codes: { ...contract.codes, forbidden: ["plan_upgrade_required"] } };
}

function requirePlan(membership: Authorization.Membership, { plan, uses }: PlanGate, sent: unknown): void {
  if (typeof sent === "object" && sent !== null && uses({ ...sent }, membership))
    requirePlanAndRole(membership, { plan });
}
