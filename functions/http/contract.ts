import type { Kind } from "@svc/core/base/fault";
import type { Role } from "@svc/core/workspace/authorization";
import type { $ZodType } from "zod/v4/core";

/** What can go wrong, by kind: the stable codes that clients switch on. */
export type Codes = Partial<Record<Kind, readonly string[]>>;

/** What one step of a handler adds to the endpoint's description. */
export type StepContract = {
  codes?: Codes;
  body?: $ZodType;
  query?: $ZodType;
  /** A body that no schema describes, as an OpenAPI media type object by content type. */
  content?: Record<string, object>;
  headers?: readonly { name: string; description: string }[];
  /** Whether the step reads who is signed in; routes.ts says who may call. */
  signIn?: "required" | "optional";
  /** The lowest role that the call is for. */
  role?: Role;
  deprecated?: true;
  rateLimited?: true;
};

/** What a handler says about itself. The OpenAPI document is made from this. */
export type Described = {
  summary: string;
  description?: string;
  /** Schema of the body by status; null where there is none. */
  returns: Partial<Record<200 | 201 | 202 | 204, $ZodType | null>>;
  /** Media types other than JSON that a 200 can have. */
  files?: readonly string[];
  codes?: Codes;
};

export type Contract = Described & { steps: readonly StepContract[] };
