import { allocator } from "../packages/core/avatar/allocator.ts";
import { heap } from "../packages/core/report/heap.ts";
import { folder } from "./bundles.ts";
import type { Deployed, Line } from "./deployed.ts";
import { grants } from "./grants.ts";
import { migrated } from "./migration.ts";
import { shortened } from "./names.ts";
import { receive } from "./queue.ts";
import { logRetentionDays, maxNameLength, settings } from "./stage.ts";

const { reservedConcurrency, tracing } = settings($app.stage);

/** Timeout of a route's function. Less than the gateway's limit of 30 seconds. */
const routeTimeoutSeconds = 29;

/**
 * Creates a function with the permissions that its line needs, and permission to write to its own log. The function's name
 * is app, stage and `name`, which is in kebab case and is shortened if it does not fit. `more` is added to its environment.
 */
export function lambda(name: string, line: Line, more: Record<string, $util.Input<string>> = {}): Deployed {
  const { permissions, environment } = grants(line);
  const prefix = `${$app.name}-${$app.stage}-`;
  const short = shortened(name, maxNameLength - prefix.length);
  const logs = new aws.cloudwatch.LogGroup(`${pascal(name)}Logs`, {
    name: `/${$app.name}/${$app.stage}/${short}`,
    retentionInDays: logRetentionDays,
  });
  const writeLogs = {
    actions: ["logs:CreateLogStream", "logs:PutLogEvents"],
    resources: [$interpolate`${logs.arn}:*`],
  };
  // X-Ray has no resources to which these actions could be limited.
  const trace = { actions: ["xray:PutTraceSegments", "xray:PutTelemetryRecords"], resources: ["*"] };
  const reserved = line.group && reservedConcurrency[line.group];
  const fn = new sst.aws.Function(pascal(name), {
    name: `${prefix}${short}`,
    bundle: folder(line.handler),
    handler: "index.handler",
    runtime: "nodejs24.x",
    architecture: "arm64",
    // 1769 MB is the smallest size with a whole vCPU.
    memory: line.sharp || line.heavy ? "1769 MB" : "512 MB",
    timeout: `${line.timeoutSeconds ?? routeTimeoutSeconds} seconds`,
    logging: { format: "json", logGroup: logs.name },
    ...(reserved && { concurrency: { reserved } }),
    environment: {
      ...environment,
      ...more,
      ...(line.sharp && allocator),
      ...(line.needs.includes("documents") && heap),
    },
    permissions: [...permissions, writeLogs, ...(line.queue ? [receive] : []), ...(tracing ? [trace] : [])],
    transform: {
      role: (args) => {
        // By default, every principal in the account that may assume roles could assume this one.
        args.assumeRolePolicy = aws.iam.assumeRolePolicyForPrincipal({ Service: "lambda.amazonaws.com" });
        // The default managed policy would allow the function to write to every log group.
        args.managedPolicyArns = [];
      },
      function: (args, opts) => {
        if (tracing) args.tracingConfig = { mode: "Active" };
        // New code needs the new schema. The migrator cannot wait for its own run.
        if (line.needs.includes("database") && !line.admin) opts.dependsOn = migrated;
      },
    },
  });
  return { line, fn, logs };
}

/** Converts kebab case to Pascal case, because names of components are alphanumeric. */
export function pascal(name: string): string {
  return name.replace(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase());
}
