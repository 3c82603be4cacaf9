import type { Settings } from "../stage.ts";

/** A resource that the program registered, with its inputs. */
export type Resource = {
  /** For example `aws:s3/bucket:Bucket`. The types of components begin with `sst:`. */
  type: string;
  name: string;
  urn: string;
  parent: string;
  /** The inputs, with secrets unwrapped. */
  // biome-ignore lint/suspicious/noExplicitAny: every type has its own inputs, and each rule knows the ones that it reads.
  inputs: Record<string, any>;
  /** The names of the inputs that were marked as secret. */
  secrets: string[];
  /** The id, ARN and other outputs that the mock returned. */
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  outputs: Record<string, any>;
  /** The region of the resource's explicit provider; undefined with the app's default provider. */
  region?: string;
  retainOnDelete: boolean;
  /** The id of the existing resource that the stack imports; empty if it creates a resource. */
  importId: string;
  /** URNs of the resources that this one waits for: explicit dependencies and the sources of its inputs. */
  dependencies: string[];
};

export type App = {
  name: string;
  removal: string;
  protect: boolean;
  providers: { aws: { region: string } };
};

/** The result of evaluating one stage. */
export type Evaluated = {
  stage: string;
  settings: Settings;
  app: App;
  resources: Resource[];
  /** The folder of each function component's bundle. */
  bundles: Record<string, string>;
};
