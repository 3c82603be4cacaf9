import { type Job, jobs } from "../../functions/jobs.ts";
import { needsOf, type Route, routes } from "../../functions/routes.ts";
import type { Evaluated, Resource } from "./recorded.ts";

type Line = Pick<Job, "handler" | "needs" | "admin" | "schedule" | "queue"> & {
  sharp?: true;
  heavy?: true;
};

/** A deployed function and its entry in the tables: `key` is the route's URL or the job's name. */
export type Deployed = { key: string; line: Line; fn: Resource };

/** Returns every resource of one type. */
export const all = ({ resources }: Evaluated, type: string) => resources.filter((one) => one.type === type);

/** Returns every Lambda function. */
export const functionsOf = (evaluated: Evaluated) => all(evaluated, "aws:lambda/function:Function");

/** Returns every S3 bucket. */
export const bucketsOf = (evaluated: Evaluated) => all(evaluated, "aws:s3/bucket:Bucket");

/** Whether a resource belongs to the web client's site, whose files are replaced on every deploy. */
export const isSite = ({ parent }: Resource) => parent.includes("sst:aws:StaticSite$");

/** Returns the buckets that hold user data. */
export const dataBucketsOf = (evaluated: Evaluated) => bucketsOf(evaluated).filter((one) => !isSite(one));

/**
 * Returns every function with its entry in routes.ts or jobs.ts. A route's function is found the way a request finds it:
 * route, integration, function.
 */
export function deployed(evaluated: Evaluated): Deployed[] {
  const found: Deployed[] = [];
  const integrations = all(evaluated, "aws:apigatewayv2/integration:Integration");
  for (const { inputs } of all(evaluated, "aws:apigatewayv2/route:Route")) {
    const to = integrations.find(({ outputs }) => inputs.target === `integrations/${outputs.id}`);
    const fn = functionsOf(evaluated).find(({ outputs }) => outputs.arn === to?.inputs.integrationUri);
    const line = (routes as Record<string, Route>)[inputs.routeKey];
    if (fn && line) found.push({ key: inputs.routeKey, line: { ...line, needs: needsOf(line) }, fn });
  }
  for (const [name, line] of Object.entries<Job>(jobs))
    for (const fn of functionsOf(evaluated))
      if (fn.inputs.name === `svc-${evaluated.stage}-${name}`) found.push({ key: name, line, fn });
  return found;
}

/** Returns the work queue, which is the one that has a dead-letter queue. */
export function workQueueOf(evaluated: Evaluated): Resource | undefined {
  return all(evaluated, "aws:sqs/queue:Queue").find(({ inputs }) => inputs.redrivePolicy);
}

/** Returns a function's environment variables. */
export function variables({ inputs }: Resource): Record<string, string> {
  return inputs.environment?.variables ?? {};
}

/** Returns the name of the component that a resource is part of. */
export function component({ parent }: Resource): string {
  return parent.slice(parent.lastIndexOf("::") + 2);
}

/** Wraps a single value in a list, as AWS accepts one value where several are allowed. */
export const asList = <T>(value: T | T[] | undefined): T[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];
