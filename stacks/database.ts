import { databaseUrl } from "./secrets.ts";
import { backupDays, isProduction, settings } from "./stage.ts";

/** IAM permissions and environment variables of a function. */
export type Grant = {
  permissions: { actions: string[]; resources: $util.Input<string>[] }[];
  environment: Record<string, $util.Input<string>>;
};

export type Database = {
  /** Grant for functions that read and write rows. */
  rows: Grant;
  /** Grant for the migrator, which owns the schema. */
  schema: Grant;
  /** Whether the migrator must grant access to the IAM roles of the functions. */
  knowsRoles: boolean;
  /** The Aurora DSQL cluster; undefined with another database. */
  cluster?: aws.dsql.Cluster;
  /** A value that changes when the stage uses another database. */
  identity: $util.Input<string>;
};

export const database = databaseUrl ? postgres(databaseUrl) : dsql();

function postgres(url: sst.Secret): Database {
  const grant = { permissions: [], environment: { DATABASE_URL: url.value } };
  return { rows: grant, schema: grant, knowsRoles: false, identity: url.value };
}

/**
 * Creates a cluster, or imports the restored one in its place. Both have the same name in the stack, so a restored cluster gets
 * the same protection and the same backup plan, and the vault with the earlier backups stays. Functions are not linked to it,
 * because `link` would grant each of them DbConnectAdmin.
 */
function dsql(): Database {
  const production = isProduction($app.stage);
  const { restoredCluster } = settings($app.stage);
  const cluster = new sst.aws.Dsql("Database", {
    ...(production && { backup: { retention: `${backupDays} days` as const } }),
    transform: {
      cluster: (args, opts) => {
        args.deletionProtectionEnabled = production;
        if (restoredCluster) opts.import = restoredCluster;
      },
      backupVault: (_, opts) => {
        opts.retainOnDelete = production;
      },
    },
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
    cluster: cluster.nodes.cluster,
    identity: arn,
  };
}
