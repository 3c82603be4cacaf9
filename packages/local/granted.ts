/** One right that a policy gives: an action on a resource, `*` at its end standing for anything. */
export type Grant = { action: string; resource: string; prefix?: string };

/** What every function of a stage may do, as the evaluated stacks say. */
export type Permits = {
  /** By the key of routes.ts or the name of jobs.ts: the rights of its role, and the variables that it alone is told. */
  functions: Record<string, { grants: Grant[]; variables: Record<string, string> }>;
  /** The IAM users of the storage keys, by name. Buckets go by their local names. */
  users: Record<string, { accessKeyId: string; secretAccessKey: string; grants: Grant[] }>;
};

/** One line of the record: who used, or was refused, what. */
export type Use = { outcome: "used" | "refused"; holder: string; what: string };

/** In words, as the record has it. */
export function named({ action, resource }: Grant): string {
  return `${action} on ${resource}`;
}
