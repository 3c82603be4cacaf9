import { type Answer, expectEqual, expectStatus } from "./http.ts";
import { request, type Stage } from "./stage.ts";

/** One promise of the service that is checked without the others. */
export type Check = {
  /** Name for `--only`. */
  name: string;
  /** Sentence about what holds if the check passes. */
  title: string;
  /** Operations of the OpenAPI document that the check calls with success. */
  operations?: readonly string[];
  /** Returns why the check cannot run on this stage. */
  skip?: (stage: Stage) => string | undefined;
  run(run: Run): Promise<void>;
};

export type CallOptions = {
  /** Expected status, or a list of those that are accepted. 200 by default. */
  expect?: number | readonly number[];
  /** Expected `code` of a problem document. */
  code?: string;
  /** Path parameters by name. */
  path?: Record<string, string>;
  query?: Record<string, string>;
  /** Sent as JSON, or as it is if it is a string. */
  body?: unknown;
  form?: FormData;
  headers?: Record<string, string>;
  /** The status that says that a result does not exist yet. It counts as a success. */
  pending?: number;
};

/** Calls an operation of the OpenAPI document, such as `GET /team/{id}`, and checks the status of the response. */
export type Client = (operation: string, options?: CallOptions) => Promise<Answer>;

/** A user that a check has registered on the local server. */
export type Account = {
  id: string;
  email: string;
  password: string;
  workspaceId: string;
  teamId: string;
  /** Origin of the links in emails, which is also that of passkeys. */
  appUrl: string;
  /** Response of the sign-in. */
  signedIn: Answer;
  /** Calls with the session. */
  call: Client;
  /** True when the check itself has deleted the account. */
  deleted: boolean;
};

/** The stage and the helpers of a running check. */
export type Run = {
  stage: Stage;
  /** Returns a client with this token, or without one. */
  client(token?: string): Client;
  /** Returns a client with an API token of the scope admin, in a workspace with the plan ENTERPRISE. */
  admin(): Promise<Client>;
  /** Registers a user with a workspace on the local server, and deletes both when the check has ended. */
  account(): Promise<Account>;
  /**
   * Removes something when the check has ended, the last one first. `what` names it if that fails. Returns a function that removes
   * it earlier.
   */
  cleanUp(what: string, remove: () => Promise<unknown>): () => Promise<void>;
  /** Adds a remark to the line of the check. */
  note(text: string): void;
};

/** Returns a client of the stage that reports each operation that succeeded as expected. */
export function clientOf(
  stage: Stage,
  token?: string,
  succeeded: (operation: string) => void = () => {},
): Client {
  return async (operation, options = {}) => {
    const { expect = 200, code, path = {}, query, body, form, headers, pending } = options;
    const [method = "", template = ""] = operation.split(" ");
    const filled = template.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(path[name] ?? "none"),
    );
    const search = query ? `?${new URLSearchParams(query)}` : "";
    const content =
      form ?? (body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body));
    const init = {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(content !== undefined && { body: content }),
    };
    const expected = [expect, pending ?? []].flat();
    const answer = await request(stage, filled + search, init, expected.includes(429));
    if (!expected.includes(answer.status)) expectStatus(operation, answer, expected[0] ?? 200);
    if (code !== undefined) expectStatus(operation, answer, answer.status, code);
    if (answer.status === 204) expectEqual(`${operation}: body`, answer.body, undefined);
    if (answer.status < 300 || answer.status === pending) succeeded(operation);
    return answer;
  };
}

/** Why a check that needs `npm start` is skipped on a deployed stage. Undefined on the local server. */
export const localOnly =
  (reason: string) =>
  ({ tools }: Stage): string | undefined =>
    tools ? undefined : reason;
