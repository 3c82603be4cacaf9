import * as Authorization from "@svc/core/workspace/authorization";
import type { Call, Step } from "./api.ts";

/**
 * Query parameters that only this plan has. Stands before `query`, since the plan is judged before the input. `flags` count
 * only when they are switched on.
 */
export function planned<C extends Call & { membership: Authorization.Membership }>(
  plan: Authorization.Plan,
  names: readonly string[],
  flags: readonly string[] = [],
): Step<C, object> {
  return {
    contract: { codes: { forbidden: ["plan_upgrade_required"] } },
    before({ event, membership }) {
      const given = event.queryStringParameters ?? {};
      const asked =
        names.some((name) => given[name] !== undefined) ||
        flags.some((name) => given[name] !== undefined && given[name] !== "false");
      if (asked) Authorization.requirePlanAndRole(membership, { plan });
      return {};
    },
  };
}

/** The same for what stands in a JSON body: `uses` is given the body as it was sent, whatever it is. */
export function plannedBody<C extends Call & { membership: Authorization.Membership }>(
  plan: Authorization.Plan,
  uses: (body: Record<string, unknown>) => boolean,
): Step<C, object> {
  return {
    contract: { codes: { forbidden: ["plan_upgrade_required"] } },
    before({ event, membership }) {
      const body = sent(event);
      if (body && uses(body)) Authorization.requirePlanAndRole(membership, { plan });
      return {};
    },
  };
}

/** What is no JSON object is judged by `input`, which comes next. */
function sent({ body = "", isBase64Encoded }: Call["event"]): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(isBase64Encoded ? Buffer.from(body, "base64").toString() : body);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
