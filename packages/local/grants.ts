/** A permission that a policy grants: an action on a resource. A trailing `*` of the resource matches anything. */
export type Grant = { action: string; resource: string };

/** The permissions of every function of a stage, as evaluated from the stacks. */
export type Permits = {
  /** The grants of each role and its environment variables, by the key in routes.ts or the name in jobs.ts. */
  functions: Record<string, { grants: Grant[]; variables: Record<string, string> }>;
  /** The IAM users of the storage keys, by name. Resources use the local bucket names. */
  users: Record<string, { accessKeyId: string; secretAccessKey: string; grants: Grant[] }>;
};

/** One line of the record: `holder` used the permission `what`, or was denied it. */
export type Use = { outcome: "used" | "refused"; holder: string; what: string };

/** Describes a grant as the record does. */
export function describeGrant({ action, resource }: Grant): string {
  return `${action} on ${resource}`;
}
