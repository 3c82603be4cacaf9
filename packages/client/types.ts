import type { paths } from "./generated.ts";

export type Method = "get" | "post" | "put" | "patch" | "delete";

/** The paths of the API that have this method. */
export type Path<M extends Method | "head"> = {
  [P in keyof paths]: paths[P] extends Record<M, { responses: unknown }> ? P : never;
}[keyof paths];

/** The operation of a path and a method. */
export type Operation<M extends Method | "head", P extends keyof paths> =
  paths[P] extends Record<M, infer O> ? O : never;

/** The paths whose responses are lists. */
export type ListPath = {
  [P in Path<"get">]: Result<Operation<"get", P>> extends { data: readonly unknown[] } ? P : never;
}[Path<"get">];

/** An item of the list at this path. */
export type Item<P extends Path<"get">> =
  Result<Operation<"get", P>> extends { data: readonly (infer I)[] } ? I : never;

/** Media types that an operation can respond with. */
export type MediaType<O> = keyof SuccessContent<O>;

/** The body of a successful response: undefined when it has none. */
export type Result<O, Accept = "application/json"> =
  SuccessContent<O> extends infer Content
    ? Accept extends keyof Content
      ? Content[Accept]
      : undefined
    : never;

type SuccessContent<O> = O extends { responses: infer R }
  ? R[Extract<keyof R, 200 | 201 | 202>] extends { content: infer Content }
    ? Content
    : unknown
  : never;

/** The options of a request, by what its operation takes. */
export type Options<O> = CommonOptions & Parameters<O> & Body<O> & HeaderOptions<O>;

/** Options of every request. */
export type CommonOptions = {
  signal?: AbortSignal | undefined;
  /** Limit of each attempt. */
  timeoutMs?: number | undefined;
  /** Further attempts after failures that may be temporary. */
  retries?: number | undefined;
  /** Lets the request finish after the page has closed, as in `fetch`. */
  keepalive?: boolean | undefined;
  headers?: Record<string, string>;
};

/** The arguments after the path: `options` can be left out if the operation requires none of them. */
export type Arguments<O, More = unknown> =
  Record<never, never> extends Options<O> ? [options?: Options<O> & More] : [options: Options<O> & More];

type Parameters<O> = O extends { parameters: infer P }
  ? { [In in keyof P as In extends "path" | "query" ? In : never]: Undefinable<P[In]> }
  : unknown;

type Body<O> = O extends { requestBody: { content: infer Content } }
  ? Content extends { "multipart/form-data": infer Form }
    ? {
        body: Form | FormData;
        /** Called with the share that was sent, 0 to 1, in pages and web workers. Elsewhere the platform cannot tell. */
        onProgress?: ((share: number) => void) | undefined;
      }
    : { body: Undefinable<Content[keyof Content]> }
  : { body?: never };

type HeaderOptions<O> = ("If-Match" extends HeaderOf<O>
  ? {
      /** The `version` of the resource to change. If it has another version, the request fails with `changed_meanwhile`. */
      ifMatch?: string | readonly string[] | undefined;
    }
  : unknown) &
  ("X-Workspace-Id" extends HeaderOf<O>
    ? {
        /** The workspace of this request, instead of that of the client. */
        workspaceId?: string | undefined;
      }
    : unknown) &
  ("Idempotency-Key" extends HeaderOf<O>
    ? {
        /** The key of an earlier request that this one repeats. By default every request has a new key. */
        idempotencyKey?: string | undefined;
      }
    : unknown);

/** The options of `send` for an operation that can answer 304, without data. */
export type Conditional<O> =
  "If-None-Match" extends HeaderOf<O>
    ? {
        /** The `version` that the caller has. */
        ifNoneMatch?: string | undefined;
      }
    : unknown;

/** The data of a response to `send`: undefined after a 304. */
export type ConditionalResult<O> = Result<O> | ("If-None-Match" extends HeaderOf<O> ? undefined : never);

type HeaderOf<O> = O extends { parameters: { header?: infer H } }
  ? [NonNullable<H>] extends [never]
    ? never
    : keyof NonNullable<H>
  : never;

/** Allows undefined for optional members, which are then left out. */
type Undefinable<T> = T extends object
  ? { [Key in keyof T]: Record<never, never> extends Pick<T, Key> ? T[Key] | undefined : T[Key] }
  : T;
