import { type Grant, named, type Permits } from "../../packages/local/granted.ts";
import type { Evaluated, Resource } from "./recorded.ts";
import { deployed, everybodys, type Granted, keyRights, rights, roleOf, variables } from "./rules.ts";

/** Names, addresses and files of the bundle, which open nothing by themselves. */
const open =
  /^(?:STORAGE_(?:BUCKET\w*|REGION|ENDPOINT)|MAIL_FROM|QUEUE_URL|DSQL_\w+|DATABASE_URL|MALLOC_\w+|COUNTRY_FILE)$/;

/** What every function and every storage key of a stage may do, by what was evaluated of it. */
export function permitsOf(evaluated: Evaluated): Permits {
  const local = (resource: string) => resource.replace(/(:::svc-\w+)-\w+-\d{12}/, "$1");
  const grant = ({ action, resource, condition }: Granted): Grant => {
    const prefix: string | undefined = JSON.parse(condition).StringEquals?.["s3:prefix"];
    return { action, resource: local(resource), ...(prefix !== undefined && { prefix }) };
  };
  const permits: Permits = { functions: {}, users: {} };
  for (const { key, fn } of deployed(evaluated)) {
    const told = Object.entries(variables(fn)).filter(
      ([name]) => !everybodys.includes(name) && !open.test(name),
    );
    const role = roleOf(evaluated, fn);
    permits.functions[key] = {
      grants: allowed(evaluated, role).map(grant),
      variables: Object.fromEntries(told),
    };
    const held = keyRights(evaluated, fn);
    const { STORAGE_ACCESS_KEY_ID, STORAGE_SECRET_ACCESS_KEY } = variables(fn);
    const [first] = held;
    if (first && STORAGE_ACCESS_KEY_ID && STORAGE_SECRET_ACCESS_KEY)
      permits.users[`the user ${first.owner.inputs.user}`] = {
        accessKeyId: STORAGE_ACCESS_KEY_ID,
        secretAccessKey: STORAGE_SECRET_ACCESS_KEY,
        grants: held.map(grant),
      };
  }
  return permits;
}

function allowed(evaluated: Evaluated, owner: Resource | undefined): Granted[] {
  return rights(evaluated).filter((right) => right.owner.urn === owner?.urn && right.effect !== "Deny");
}

/** One right of one holder, and how to take it away. */
export type Right = { holder: string; what: string; without(permits: Permits): Permits };

/** Every single right of these permits: actions of roles and users, and the variables that only some functions are told. */
export function rightsOf({ functions, users }: Permits): Right[] {
  return [
    ...Object.entries(functions).flatMap(([holder, { grants, variables }]) => [
      ...grants.map((grant) => ({
        holder,
        what: named(grant),
        without: (permits: Permits) => removed(permits, permits.functions[holder]?.grants, grant),
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
        what: named(grant),
        without: (permits: Permits) => removed(permits, permits.users[holder]?.grants, grant),
      })),
    ),
  ];
}

function removed(permits: Permits, grants: Grant[] = [], grant: Grant): Permits {
  const at = grants.findIndex((other) => named(other) === named(grant));
  if (at < 0) throw new Error(`There is no ${named(grant)} to take away.`);
  grants.splice(at, 1);
  return permits;
}
