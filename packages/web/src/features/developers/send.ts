import { createClient, Problem } from "@svc/client";
import { currentWorkspaceId } from "../../base/cookies.ts";
import type { Document, Endpoint } from "./openapi.ts";
import { given, queryValues, type Values } from "./snippets.ts";

/** A response as it was received. */
export type Received = {
  status: number;
  statusText: string;
  headers: readonly (readonly [string, string])[];
  body: string;
  durationMs: number;
};

type Send = (method: string, path: string, options: object) => Promise<unknown>;

/**
 * Sends a request once, with this token or else with the session, and returns the response whatever its status is. Throws
 * `Problem` if there is no response, and `SyntaxError` if the body is not valid JSON.
 */
export async function send(
  { method, path, operation }: Endpoint,
  { path: inPath, query, body, files }: Values,
  token: string,
  document: Document,
): Promise<Received> {
  let received: Received | undefined;
  const client = createClient({
    retries: 0,
    token,
    workspaceId: token ? undefined : currentWorkspaceId,
    async fetch(url, init) {
      const startedAt = performance.now();
      const response = await fetch(url, { ...init, credentials: token ? "omit" : "same-origin" });
      const { status, statusText, headers } = response;
      const text = await response.clone().text();
      const durationMs = Math.round(performance.now() - startedAt);
      received = { status, statusText, headers: [...headers], body: text, durationMs };
      return response;
    },
  });
  const options = {
    path: inPath,
    query: queryValues(operation, query, document),
    ...(body !== undefined && { body: JSON.parse(body) }),
    ...(files && { body: form(files) }),
  };
  // The operation is chosen at run time, so the compiler cannot know its options.
  await (client.send as unknown as Send)(method.toLowerCase(), path, options).catch((problem: unknown) => {
    if (!(problem instanceof Problem) || !received) throw problem;
  });
  if (!received) throw new TypeError("The client did not send the request.");
  return received;
}

function form(files: Record<string, File | undefined>): FormData {
  const data = new FormData();
  for (const [name, file] of Object.entries(files)) if (file) data.append(name, file);
  return data;
}

/** Returns the names of the path parameters that have no value yet. */
export function missing({ path }: Values): string[] {
  return Object.keys(path).filter((name) => !(name in given(path)));
}
