import type { Evaluated, Resource } from "../recorded.ts";

/** One promise about the infrastructure. */
export type Rule = {
  /** The promise, as a sentence. */
  promise: string;
  /** Returns a sentence for each place where a stage breaks the promise. */
  offences: (evaluated: Evaluated) => string[];
  /** Mutations of production's resources that the rule must report, named to complete "reports …". */
  brokenBy: Record<string, Mutation>;
  /** The same, of production's resources while it is paused and has a restored cluster. */
  brokenDuringRestoreBy?: Record<string, Mutation>;
};

/** Changes recorded resources in place. */
export type Mutation = (resources: Resource[], evaluated: Evaluated) => unknown;

/** Describes the items that are in only one of the two lists. */
export function difference(got: readonly string[], wanted: readonly string[], what: string): string[] {
  return [
    ...wanted.filter((one) => !got.includes(one)).map((one) => `missing ${what}: ${one}`),
    ...got.filter((one) => !wanted.includes(one)).map((one) => `unexpected ${what}: ${one}`),
  ];
}

/** Returns the first resource of a type whose name matches. Throws if there is none, so that no mutation is a no-op. */
export function one(resources: Resource[], type: string, name = /./): Resource {
  const found = resources.find((resource) => resource.type === type && name.test(resource.name));
  if (!found) throw new Error(`There is no ${type} ${name} to mutate.`);
  return found;
}

/** Removes the first resource of a type whose name matches. */
export function drop(resources: Resource[], type: string, name?: RegExp): void {
  resources.splice(resources.indexOf(one(resources, type, name)), 1);
}

/** Adds a resource that no stack declares. Its outputs equal its inputs. */
export function add(resources: Resource[], type: string, inputs: Resource["inputs"] = {}): void {
  const rest = { parent: "", secrets: [], dependencies: [], retainOnDelete: false, importId: "" };
  resources.push({ type, name: "Extra", urn: `extra::${type}`, inputs, outputs: inputs, ...rest });
}

/** Returns the Lambda function of a component. */
export function functionOf(resources: Resource[], name: string): Resource {
  return one(resources, "aws:lambda/function:Function", new RegExp(`^${name}Function$`));
}

/** Returns the environment variables of a component's function, for a mutation to change. */
export function environmentOf(resources: Resource[], name: string): Record<string, string> {
  return functionOf(resources, name).inputs.environment.variables;
}

/** Returns the role of a component. */
export function role(resources: Resource[], name: string): Resource {
  return one(resources, "aws:iam/role:Role", new RegExp(`^${name}Role$`));
}

/** Adds a statement to the first policy of a role, a user or a bucket. */
export function allow({ inputs }: Resource, action: string, resource: string): void {
  const holder = inputs.inlinePolicies?.[0] ?? inputs;
  const document = JSON.parse(holder.policy);
  document.Statement.push({ Effect: "Allow", Action: [action], Resource: [resource] });
  holder.policy = JSON.stringify(document);
}
