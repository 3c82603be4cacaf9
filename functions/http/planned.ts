import * as Workspace from "@svc/core/workspace/workspace";
import type { Call, Step } from "./api.ts";

/** Query parameters that only this plan has. Stands before `query`, since the plan is judged before the input. */
export function planned<C extends Call & { seat: Workspace.Seat }>(
  plan: Workspace.Plan,
  names: readonly string[],
): Step<C, object> {
  return {
    contract: { codes: { forbidden: ["plan_upgrade_required"] } },
    before({ event, seat }) {
      const given = event.queryStringParameters ?? {};
      if (names.some((name) => given[name] !== undefined)) Workspace.seated(seat, { plan });
      return {};
    },
  };
}
