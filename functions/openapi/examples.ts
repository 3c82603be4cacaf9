import recorded from "./examples.json" with { type: "json" };

/** A real call of an operation: values of its parameters, the JSON bodies, and the status. */
export type Example = {
  path?: Record<string, string>;
  query?: Record<string, string>;
  request?: unknown;
  status: number;
  response?: unknown;
};

/** The recorded call of each route (`npm run openapi:examples`). */
export const examples: Partial<Record<string, Example>> = recorded;
