import { allocator } from "../packages/core/avatar/allocator.ts";
import { folder } from "./bundles.ts";
import type { Deployed, Line } from "./deployed.ts";
import { grants } from "./grants.ts";
import { migrated } from "./migration.ts";
import { receive } from "./queue.ts";
import { logRetentionDays } from "./stage.ts";

/** The gateway waits 30 seconds: a function that gives up before can still answer for itself. */
const routeTimeoutSeconds = 29;

/**
 * A function with exactly the rights that its line needs, and the right to write into its own log. `name` is in kebab case
 * and becomes the function's name after app and stage, so that people find it. `more` is added to its environment.
 */
export function lambda(name: string, line: Line, more: Record<string, $util.Input<string>> = {}): Deployed {
  const { permissions, environment } = grants(line);
  const logs = new aws.cloudwatch.LogGroup(`${pascal(name)}Logs`, {
    name: `/${$app.name}/${$app.stage}/${name}`,
    retentionInDays: logRetentionDays,
  });
  const writeLogs = {
    actions: ["logs:CreateLogStream", "logs:PutLogEvents"],
    resources: [$interpolate`${logs.arn}:*`],
  };
  const fn = new sst.aws.Function(pascal(name), {
    name: `${$app.name}-${$app.stage}-${name}`,
    bundle: folder(line.handler),
    handler: "index.handler",
    runtime: "nodejs24.x",
    architecture: "arm64",
    // A whole processor, where pictures are decoded and files are made.
    memory: line.sharp || line.heavy ? "1769 MB" : "512 MB",
    timeout: `${line.timeoutSeconds ?? routeTimeoutSeconds} seconds`,
    logging: { format: "json", logGroup: logs.name },
    environment: { ...environment, ...more, ...(line.sharp && allocator) },
    permissions: [...permissions, writeLogs, ...(line.queue ? [receive] : [])],
    transform: {
      role: (args) => {
        // Left alone, everybody in the account whom an administrator lets assume roles could be this function…
        args.assumeRolePolicy = aws.iam.assumeRolePolicyForPrincipal({ Service: "lambda.amazonaws.com" });
        // …and the managed policy for logs would let it write into every log group.
        args.managedPolicyArns = [];
      },
      function: (_, opts) => {
        // New code meets the new schema. The migrator itself cannot wait for it.
        if (line.needs.includes("database") && !line.admin) opts.dependsOn = migrated;
      },
    },
  });
  return { line, fn, logs };
}

/** Names of components are alphanumeric. */
export function pascal(name: string): string {
  return name.replace(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase());
}
