/** One resource that the program registered, with what it gave for it. */
export type Resource = {
  /** For example `aws:s3/bucket:Bucket`; components begin with `sst:`. */
  type: string;
  name: string;
  urn: string;
  parent: string;
  /** Secrets are unwrapped here… */
  // biome-ignore lint/suspicious/noExplicitAny: every type has inputs of its own, and a rule knows those it looks at.
  inputs: Record<string, any>;
  /** …and the names of the inputs that were wrapped are here. */
  secrets: string[];
  /** The id, ARN and so on that the mock answered with. */
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  outputs: Record<string, any>;
  /** The region of a provider of its own; undefined with the app's own provider. */
  region?: string;
  retainOnDelete: boolean;
  /** URNs of what it waits for: what it was said to depend on, and everything that its inputs came from. */
  dependencies: string[];
};

export type App = {
  name: string;
  removal: string;
  protect: boolean;
  providers: { aws: { region: string } };
};

/** What the program of one stage makes. */
export type Evaluated = {
  stage: string;
  app: App;
  resources: Resource[];
  /** The folder that each function component was built from. */
  bundles: Record<string, string>;
};
