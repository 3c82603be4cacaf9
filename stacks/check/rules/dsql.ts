import { createHash } from "node:crypto";
import { migrations } from "../../../packages/core/platform/db/migrations.ts";
import { backupDays, isProduction } from "../../stage.ts";
import type { Evaluated } from "../recorded.ts";
import { all, asList, deployed, variables } from "../resources.ts";
import { add, difference, drop, environmentOf, functionOf, one, type Rule } from "./rule.ts";

const backupPlan = "aws:backup/plan:Plan";
const backupSelection = "aws:backup/selection:Selection";
const cluster = "aws:dsql/cluster:Cluster";
const invocation = "aws:lambda/invocation:Invocation";
const vault = "aws:backup/vault:Vault";

/** Returns whether a backup plan that writes to a vault of the stack selects the resource. */
function isBackedUp(evaluated: Evaluated, arn: string): boolean {
  const vaults = all(evaluated, vault).map(({ outputs }) => outputs.name);
  const plans = all(evaluated, backupPlan).filter(({ inputs }) =>
    asList<{ targetVaultName: string }>(inputs.rules).some((one) => vaults.includes(one.targetVaultName)),
  );
  return all(evaluated, backupSelection).some(
    ({ inputs }) =>
      asList<string>(inputs.resources).includes(arn) &&
      plans.some(({ outputs }) => outputs.id === inputs.planId),
  );
}

export const dsqlRules: Rule[] = [
  {
    promise:
      "the migrator runs when the migrations or the database change, before any function that uses the database is updated",
    offences: (evaluated) => {
      const functions = deployed(evaluated);
      const migrator = functions.find(({ key }) => key === "migrate");
      const invocations = all(evaluated, invocation);
      const [run] = invocations;
      if (!run || invocations.length > 1 || run.inputs.functionName !== migrator?.fn.outputs.name)
        return ["the migrator is not invoked exactly once"];
      const hash = createHash("sha256").update(JSON.stringify(migrations)).digest("hex");
      const waiting = functions.filter(({ line }) => line.needs.includes("database") && !line.admin);
      const hasRoles = all(evaluated, cluster).length > 0;
      return [
        ...(run.inputs.triggers?.migrations === hash ? [] : ["a changed migration would not run"]),
        ...(run.inputs.triggers?.database ? [] : ["another database would not be migrated"]),
        ...difference(
          JSON.parse(run.inputs.input).functionRoles,
          hasRoles ? waiting.map(({ fn }) => fn.inputs.role) : [],
          "database role",
        ),
        ...waiting
          .filter(({ fn }) => !fn.dependencies.includes(run.urn))
          .map(({ key }) => `${key} does not wait for the migrator`),
      ];
    },
    brokenBy: {
      "no run of the migrator": (r) => drop(r, invocation),
      "a migrator that never runs again": (r) =>
        Object.assign(one(r, invocation).inputs.triggers, { migrations: "1" }),
      "a function role to which the migrator grants no access": (r) => {
        const { inputs } = one(r, invocation);
        inputs.input = JSON.stringify({ functionRoles: JSON.parse(inputs.input).functionRoles.slice(1) });
      },
      "a function that is updated before the migration": (r) =>
        Object.assign(functionOf(r, "GetTeam"), { dependencies: [] }),
    },
  },
  {
    promise: "only the migrator connects as the owner of the schema",
    offences: (evaluated) =>
      deployed(evaluated)
        .filter(({ line, fn }) => !line.admin && variables(fn).DSQL_ADMIN)
        .map(({ key }) => `${key} connects as admin`),
    brokenBy: {
      "a route that connects as admin": (r) =>
        Object.assign(environmentOf(r, "GetTeam"), { DSQL_ADMIN: "true" }),
    },
  },
  {
    promise: "removing the production stack keeps the database, which is backed up, and the backups",
    offences: (evaluated) => {
      if (!isProduction(evaluated.stage)) return [];
      const clusters = all(evaluated, cluster);
      return [
        ...clusters
          .filter(({ retainOnDelete }) => !retainOnDelete)
          .map(({ name }) => `${name} would be removed`),
        ...clusters
          .filter(({ inputs }) => inputs.deletionProtectionEnabled !== true)
          .map(({ name }) => `${name} has no deletion protection`),
        ...clusters
          .filter(({ outputs }) => !isBackedUp(evaluated, outputs.arn))
          .map(({ name }) => `${name} is not backed up`),
        ...all(evaluated, vault)
          .filter(({ retainOnDelete }) => !retainOnDelete)
          .map(({ name }) => `${name} would be removed`),
      ];
    },
    brokenBy: {
      "a database that is removed": (r) => Object.assign(one(r, cluster), { retainOnDelete: false }),
      "a database without deletion protection": (r) =>
        Object.assign(one(r, cluster).inputs, { deletionProtectionEnabled: false }),
      "no backup": (r) => drop(r, backupSelection),
      "a vault that is removed": (r) => Object.assign(one(r, vault), { retainOnDelete: false }),
    },
    brokenDuringRestoreBy: {
      "a restored database without backup": (r) => drop(r, backupSelection),
      "a backup of another cluster": (r) =>
        Object.assign(one(r, backupSelection).inputs, { resources: ["arn:aws:dsql:::cluster/other"] }),
      "backups without a vault": (r) => drop(r, vault),
      "a vault that is removed": (r) => Object.assign(one(r, vault), { retainOnDelete: false }),
      "a restored database without deletion protection": (r) =>
        delete one(r, cluster).inputs.deletionProtectionEnabled,
      "a restored database that is removed": (r) => Object.assign(one(r, cluster), { retainOnDelete: false }),
    },
  },
  {
    promise:
      "a restored cluster takes the place of the stage's cluster for every function and for the migrator, and without one the stage imports none",
    offences: (evaluated) => {
      const { restoredCluster = "" } = evaluated.settings;
      const clusters = all(evaluated, cluster);
      const endpoints = deployed(evaluated).flatMap(({ key, fn }) => {
        const { DSQL_ENDPOINT: endpoint } = variables(fn);
        return endpoint && !endpoint.startsWith(`${restoredCluster}.`) ? [`${key} uses ${endpoint}`] : [];
      });
      const [run] = all(evaluated, invocation);
      const hash = createHash("sha256").update(String(clusters[0]?.outputs.arn)).digest("hex");
      return [
        ...difference(
          clusters.map(({ importId }) => importId),
          clusters.length > 0 || restoredCluster ? [restoredCluster] : [],
          "imported cluster",
        ),
        ...(restoredCluster ? endpoints : []),
        ...(restoredCluster && run?.inputs.triggers?.database !== hash
          ? ["the restored cluster would not be migrated"]
          : []),
      ];
    },
    brokenBy: {
      "a cluster that is imported without the setting": (r) =>
        Object.assign(one(r, cluster), { importId: "abcdefghijklmnopqrstuvwxyz" }),
    },
    brokenDuringRestoreBy: {
      "a new cluster instead of the restored one": (r) => Object.assign(one(r, cluster), { importId: "" }),
      "a second cluster": (r) => add(r, cluster),
      "a function on the earlier cluster": (r) =>
        Object.assign(environmentOf(r, "GetTeam"), {
          DSQL_ENDPOINT: "abcdefghijklmnopqrstuvwxyz.dsql.eu-central-1.on.aws",
        }),
      "a restored cluster that is not migrated": (r) =>
        Object.assign(one(r, invocation).inputs.triggers, { database: "1" }),
    },
  },
  {
    promise: "production keeps database backups for as long as deleted objects",
    offences: (evaluated) =>
      isProduction(evaluated.stage)
        ? all(evaluated, backupPlan)
            .flatMap(({ inputs }) => asList(inputs.rules))
            .filter(({ lifecycle }) => lifecycle?.deleteAfter !== backupDays)
            .map(({ lifecycle }) => `backups are kept for ${lifecycle?.deleteAfter} days`)
        : [],
    brokenBy: {
      "backups that are kept for a week": (r) => {
        const [rule] = asList(one(r, backupPlan).inputs.rules);
        Object.assign(rule, { lifecycle: { deleteAfter: 7 } });
      },
    },
  },
];
