import type { Kind } from "@svc/core/base/fault";
import type { Role } from "@svc/core/workspace/authorization";
import type { $ZodObject, $ZodType } from "zod/v4/core";

/** The error codes of an endpoint by kind. Clients switch on them, so they are stable. */
export type Codes = Partial<Record<Kind, readonly string[]>>;

/** The part of an endpoint's description that one step contributes. */
export type StepContract = {
  codes?: Codes;
  body?: $ZodType;
  query?: $ZodObject;
  /** OpenAPI media type objects by content type, for a body that is not JSON. */
  content?: Record<string, object>;
  headers?: readonly { name: string; description: string; schema: object }[];
  /** Whether the step reads who is signed in. routes.ts says who may call. */
  signIn?: "required" | "optional";
  /** The lowest role that may call. */
  role?: Role;
  deprecated?: true;
  rateLimited?: true;
};

/**
 * Whether a response with an ETag may be stored and revalidated with If-None-Match: never, by the client, or by every cache. One
 * with signed URLs must not be stored: each response signs them again, and they expire.
 */
export type Versioned = "never-stored" | "revalidated" | "public";

/** The part of an endpoint's description that its handler states. */
export type Described = {
  summary: string;
  description?: string;
  /** The body's schema by status; null for a body without one. */
  returns: Partial<Record<200 | 201 | 202 | 204, $ZodType | null>>;
  /** Media types that a 200 can have besides JSON. */
  files?: readonly string[];
  /**
   * The response has an ETag. It is the `version` of the single resource in the body, except of a public response, whose handler
   * sets it.
   */
  versioned?: Versioned;
  codes?: Codes;
  /** Headers of the response, besides those that follow from the steps and the status. */
  headers?: readonly ("Content-Disposition" | "ETag" | "Link")[];
};

/** Everything that the OpenAPI document says about an endpoint. */
export type Contract = Described & { steps: readonly StepContract[] };
