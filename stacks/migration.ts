import { createHash } from "node:crypto";
import { migrations } from "../packages/core/platform/db/migrations.ts";
import { database } from "./database.ts";
import type { Deployed } from "./deployed.ts";

const { promise, resolve } = Promise.withResolvers<aws.lambda.Invocation>();

/** Done when the database has the newest schema and knows the roles of the functions. */
export const migrated = promise;

/**
 * Run the migrator whenever the migrations, the database or the functions' roles changed. Aurora DSQL lets a function
 * connect only once the migrator has granted its IAM role the database role.
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
