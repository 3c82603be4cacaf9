import { createHash } from "node:crypto";
import { migrations } from "../packages/core/platform/db/migrations.ts";
import { database } from "./database.ts";
import type { Deployed } from "./deployed.ts";

const { promise, resolve } = Promise.withResolvers<aws.lambda.Invocation>();

/** Resolves to the migrator's invocation. Resources that depend on it wait for the newest schema and the database roles. */
export const migrated = promise;

/**
 * Runs the migrator whenever the migrations, the database or the functions' roles change. A function can connect to Aurora
 * DSQL only after the migrator has granted the database role to the function's IAM role.
 */
export function migrate({ fn }: Deployed, all: readonly Deployed[]): void {
  const roles = all
    .filter(({ line }) => database.knowsRoles && line.needs.includes("database") && !line.admin)
    .map(({ fn }) => fn.nodes.role.arn);
  resolve(
    new aws.lambda.Invocation("Migration", {
      functionName: fn.name,
      input: $jsonStringify({ functionRoles: $util.all(roles).apply((arns) => arns.toSorted()) }),
      triggers: {
        migrations: createHash("sha256").update(JSON.stringify(migrations)).digest("hex"),
        database: $util
          .output(database.identity)
          .apply((identity) => createHash("sha256").update(identity).digest("hex")),
      },
    }),
  );
}
