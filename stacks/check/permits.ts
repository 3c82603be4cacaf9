import { describeGrant, type Grant, type Permits } from "../../packages/local/grants.ts";
import { keyPermissionsOf, type Permission, permissionsOf, roleOf } from "./policies.ts";
import type { Evaluated, Resource } from "./recorded.ts";
import { deployed, variables } from "./resources.ts";
import { commonVariables } from "./rules/lambda.ts";

/** Variables that hold only names, URLs, file names and options of Node.js, which grant no access. */
const harmless =
  /^(?:NODE_OPTIONS|STORAGE_(?:BUCKET\w*|REGION|ENDPOINT)|MAIL_FROM|QUEUE_URL|DSQL_\w+|DATABASE_URL|MALLOC_\w+|COUNTRY_FILE)$/;

/** Returns the permissions of every function and every storage key of a stage, with the local names of the buckets. */
export function permitsOf(evaluated: Evaluated): Permits {
  const permits: Permits = { functions: {}, users: {} };
  for (const { key, fn } of deployed(evaluated)) {
    const given = Object.entries(variables(fn)).filter(
      ([name]) => !commonVariables.includes(name) && !harmless.test(name),
    );
    permits.functions[key] = {
      grants: allowedTo(evaluated, roleOf(evaluated, fn)).map(grant),
      variables: Object.fromEntries(given),
    };
    const keyPermissions = keyPermissionsOf(evaluated, fn);
    const { STORAGE_ACCESS_KEY_ID, STORAGE_SECRET_ACCESS_KEY } = variables(fn);
    const [first] = keyPermissions;
    if (first && STORAGE_ACCESS_KEY_ID && STORAGE_SECRET_ACCESS_KEY)
      permits.users[`the user ${first.owner.inputs.user}`] = {
        accessKeyId: STORAGE_ACCESS_KEY_ID,
        secretAccessKey: STORAGE_SECRET_ACCESS_KEY,
        grants: keyPermissions.map(grant),
      };
  }
  return permits;
}

function grant({ action, resource }: Permission): Grant {
  return { action, resource: resource.replace(/(:::svc-\w+)-\w+-\d{12}/, "$1") };
}

function allowedTo(evaluated: Evaluated, owner: Resource | undefined): Permission[] {
  return permissionsOf(evaluated).filter((one) => one.owner.urn === owner?.urn && one.effect !== "Deny");
}

/** One permission or secret variable of one holder, and how to revoke it. `without` changes its argument. */
export type Right = { holder: string; what: string; without(permits: Permits): Permits };

/** Lists every action of a role or user, and every variable that only some functions have. */
export function rightsOf({ functions, users }: Permits): Right[] {
  return [
    ...Object.entries(functions).flatMap(([holder, { grants, variables }]) => [
      ...grants.map((grant) => ({
        holder,
        what: describeGrant(grant),
        without: (permits: Permits) => revoked(permits, permits.functions[holder]?.grants, grant),
      })),
      ...Object.keys(variables).map((name) => ({
        holder,
        what: `the variable ${name}`,
        without(permits: Permits) {
          delete permits.functions[holder]?.variables[name];
          return permits;
        },
      })),
    ]),
    ...Object.entries(users).flatMap(([holder, { grants }]) =>
      grants.map((grant) => ({
        holder,
        what: describeGrant(grant),
        without: (permits: Permits) => revoked(permits, permits.users[holder]?.grants, grant),
      })),
    ),
  ];
}

function revoked(permits: Permits, grants: Grant[] = [], grant: Grant): Permits {
  const at = grants.findIndex((other) => describeGrant(other) === describeGrant(grant));
  if (at < 0) throw new Error(`There is no grant ${describeGrant(grant)} to revoke.`);
  grants.splice(at, 1);
  return permits;
}
