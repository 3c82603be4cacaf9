import type { Job } from "../functions/jobs.ts";
import type { RouteGroup } from "../functions/routes.ts";
import type { Need } from "../packages/core/platform/config/config.ts";

/** A line of routes.ts or jobs.ts. */
export type Line = {
  handler: string;
  needs: readonly Need[];
  group?: RouteGroup;
  sharp?: true;
  heavy?: true;
  timeoutSeconds?: number;
  admin?: true;
  queue?: Job["queue"];
};

/** A line with the function and the log group that were deployed for it. */
export type Deployed = { line: Line; fn: sst.aws.Function; logs: aws.cloudwatch.LogGroup };
