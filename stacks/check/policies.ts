import type { Evaluated, Resource } from "./recorded.ts";
import { all, asList, variables } from "./resources.ts";

type Statement = {
  Effect: string;
  Action: string | string[];
  Resource?: string | string[];
  Condition?: unknown;
  Principal?: unknown;
};

/** One action that a policy allows or denies on one resource. */
export type Permission = {
  /** The role, user or bucket policy that contains the statement. */
  owner: Resource;
  effect: string;
  action: string;
  resource: string;
  /** As JSON. */
  condition: string;
  /** As JSON. */
  principal: string;
};

/** Returns the statements of a policy document, which is JSON text or an object. */
export function statementsOf(document: unknown): Statement[] {
  const { Statement } = (typeof document === "string" ? JSON.parse(document) : document) as {
    Statement: Statement[];
  };
  return asList(Statement);
}

const computed = new WeakMap<Evaluated, Permission[]>();

/** Returns every permission of every policy. Computed once for each evaluation: do not change the resources afterwards. */
export function permissionsOf(evaluated: Evaluated): Permission[] {
  const permissions = computed.get(evaluated) ?? evaluated.resources.flatMap(permissionsIn);
  computed.set(evaluated, permissions);
  return permissions;
}

function permissionsIn(owner: Resource): Permission[] {
  const documents: unknown[] = asList(owner.inputs.inlinePolicies).map(
    ({ policy }: { policy: unknown }) => policy,
  );
  if (/^aws:(iam\/(policy|rolePolicy|userPolicy|groupPolicy)|s3\/bucketPolicy):/.test(owner.type))
    documents.push(owner.inputs.policy);
  return documents.flatMap(statementsOf).flatMap(({ Effect, Action, Resource, Condition, Principal }) =>
    asList(Action).flatMap((action) =>
      asList(Resource).map((resource) => ({
        owner,
        effect: Effect,
        action,
        resource,
        condition: JSON.stringify(Condition ?? {}),
        principal: JSON.stringify(Principal ?? {}),
      })),
    ),
  );
}

/** Describes a permission in an offence. */
export const described = ({ owner, action, resource }: Permission) =>
  `${owner.name} allows ${action} on ${resource}`;

/** Returns the role that a function assumes. */
export function roleOf(evaluated: Evaluated, fn: Resource): Resource | undefined {
  return all(evaluated, "aws:iam/role:Role").find(({ outputs }) => outputs.arn === fn.inputs.role);
}

/** Returns the permissions of the storage key in a function's environment. */
export function keyPermissionsOf(evaluated: Evaluated, fn: Resource): Permission[] {
  const { STORAGE_ACCESS_KEY_ID: id, STORAGE_SECRET_ACCESS_KEY: secret } = variables(fn);
  const key = all(evaluated, "aws:iam/accessKey:AccessKey").find(
    ({ outputs }) => outputs.id === id && outputs.secret === secret,
  );
  return permissionsOf(evaluated).filter(({ owner }) => key && owner.inputs.user === key.inputs.user);
}
