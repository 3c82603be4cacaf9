import * as Workspace from "@svc/core/workspace/workspace";
import type { Context } from "aws-lambda";
import { job } from "./job.ts";

/** Changes the plan of a workspace. Run by an operator. */
export const handler = job(async (event: unknown, { awsRequestId }: Context): Promise<Workspace.SetPlan> => {
  return Workspace.setPlan(awsRequestId, Workspace.SetPlan.parse(event));
});
