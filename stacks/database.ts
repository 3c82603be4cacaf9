import { databaseUrl } from "./secrets.ts";
import { backupDays, isProduction } from "./stage.ts";

export type Grant = {
  permissions: { actions: string[]; resources: $util.Input<string>[] }[];
  environment: Record<string, $util.Input<string>>;
};

export type Database = {
  /** For a function that reads and writes rows. */
  rows: Grant;
  /** For the migrator, who owns the schema. */
  schema: Grant;
  /** Whether the functions' roles are made known to it, by the migrator. */
  knowsRoles: boolean;
  /** Changes when it is another database. */
  identity: $util.Input<string>;
};

export const database = databaseUrl ? postgres(databaseUrl) : dsql();

function postgres(url: sst.Secret): Database {
  const grant = { permissions: [], environment: { DATABASE_URL: url.value } };
  return { rows: grant, schema: grant, knowsRoles: false, identity: url.value };
}

/** `link` would grant DbConnectAdmin to everybody. */
function dsql(): Database {
  const production = isProduction($app.stage);
  const cluster = new sst.aws.Dsql("Database", {
    ...(production && { backup: { retention: `${backupDays} days` as const } }),
    transform: { cluster: { deletionProtectionEnabled: production } },
  });
  const { arn } = cluster.nodes.cluster;
  const grant = (action: string): Grant => ({
    permissions: [{ actions: [action], resources: [arn] }],
    environment: { DSQL_ENDPOINT: cluster.endpoint },
  });
  const schema = grant("dsql:DbConnectAdmin");
  return {
    rows: grant("dsql:DbConnect"),
    schema: { ...schema, environment: { ...schema.environment, DSQL_ADMIN: "true" } },
    knowsRoles: true,
    identity: arn,
  };
}
