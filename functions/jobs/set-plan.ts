import * as Workspace from "@svc/core/workspace/workspace";
import type { Context } from "aws-lambda";

/** Changes the plan of a workspace. Run by an operator. */
export async function handler(event: unknown, { awsRequestId }: Context): Promise<Workspace.SetPlan> {
  return Workspace.setPlan(awsRequestId, Workspace.SetPlan.parse(event));
}
