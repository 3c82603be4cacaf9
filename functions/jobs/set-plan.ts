import * as Workspace from "@svc/core/workspace/workspace";
import type { Context } from "aws-lambda";

/** An operator changes what a workspace pays for. */
export async function handler(event: unknown, { awsRequestId }: Context): Promise<Workspace.SetPlan> {
  return Workspace.setPlan(awsRequestId, Workspace.SetPlan.parse(event));
}
