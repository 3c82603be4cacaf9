import { AsyncLocalStorage } from "node:async_hooks";
import { appendFileSync, readFileSync } from "node:fs";
import * as Config from "@svc/core/platform/config/config";
import { type Job, jobs } from "@svc/functions/jobs";
import { routes } from "@svc/functions/routes";
import type { PostgresPool, PostgresPoolClient } from "kysely";
import type { Action, Credential } from "./bucket/bucket.ts";
import { describeGrant, type Grant, type Permits, type Use } from "./grants.ts";
import type { Invocation, Lambda } from "./lambda.ts";

export type Permitted = {
  /** Wraps a runner so that each function has only its own permissions and variables. */
  lambda(run: Lambda): Lambda;
  /** Wraps a pool so that only permitted functions connect, and only the admin role changes the schema. */
  database(pool: PostgresPool): PostgresPool;
  /** The storage keys with their permissions, for the local bucket. */
  credentials: Credential[];
  /** Throws unless the running function has permission for this action. Allows everything outside a function. */
  requirePermission(action: string): void;
  /** Returns every denied permission, even if the function handled the error. */
  refused(): readonly string[];
  /** Restores the environment of the process for all functions. */
  close(): void;
};

/** Actions that Lambda performs with the role of a function that consumes a queue. */
const pollingActions = ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"];

/**
 * Restricts every function to the permissions in this file. Appends each used and each denied permission once to
 * `<file>.record`, from which a check finds unused permissions.
 */
export function openPermits(file: string): Permitted {
  const { functions, users }: Permits = JSON.parse(readFileSync(file, "utf8"));
  const runningLine = new AsyncLocalStorage<string>();
  const variableNames = new Set(Object.values(functions).flatMap(({ variables }) => Object.keys(variables)));
  const { recordUse, refused } = openRecord(`${file}.record`);

  function isGranted(
    holder: string,
    grants: readonly Grant[],
    matches: (grant: Grant) => boolean,
    what: string,
  ): boolean {
    const grant = grants.find(matches);
    recordUse(
      grant ? { outcome: "used", holder, what: describeGrant(grant) } : { outcome: "refused", holder, what },
    );
    return grant !== undefined;
  }

  function requirePermission(action: string): void {
    const line = runningLine.getStore();
    if (line === undefined) return;
    const grants = functions[line]?.grants ?? [];
    if (isGranted(line, grants, (grant) => grant.action === action, action)) return;
    throw new Error(`AccessDenied: the function of ${line} has no permission for ${action}.`);
  }

  /** Returns the value of a variable, or undefined if the function does not have the variable. */
  function variable(line: string, name: string, value: string | undefined): string | undefined {
    const own = functions[line]?.variables[name];
    recordUse({
      outcome: own === undefined ? "refused" : "used",
      holder: line,
      what: `the variable ${name}`,
    });
    return own === undefined ? undefined : keyVariables.has(name) ? own : value;
  }

  /** Returns the environment of a function, which records every variable that is read. */
  function environmentOf(line: string): Config.Env {
    const env = { ...process.env };
    for (const name of variableNames)
      Object.defineProperty(env, name, { get: () => variable(line, name, process.env[name]) });
    return env;
  }

  Config.readEnvironmentFrom(() => {
    const line = runningLine.getStore();
    return line === undefined ? process.env : environmentOf(line);
  });

  return {
    requirePermission,
    refused: () => refused,
    lambda: (run) => (invocation) =>
      runningLine.run(lineOf(invocation), async () => {
        for (const action of ["logs:CreateLogStream", "logs:PutLogEvents"]) requirePermission(action);
        if (isBatch(invocation.event)) for (const action of pollingActions) requirePermission(action);
        return run(invocation);
      }),
    database: (pool) => restrictPool(pool, () => runningLine.getStore(), requirePermission),
    credentials: Object.entries(users).map(([name, { accessKeyId, secretAccessKey, grants }]) => ({
      accessKeyId,
      secretAccessKey,
      allow: (action, bucket, key) =>
        isGranted(
          name,
          grants,
          (grant) => covers(grant, action, bucket, key),
          `s3:${action} on ${bucket}/${key}`,
        ),
    })),
    close() {
      Config.readEnvironmentFrom();
    },
  };
}

/** Appends each use once to a file, and collects descriptions of the denied ones. */
function openRecord(file: string) {
  const recorded = new Set<string>();
  const refused: string[] = [];

  function recordUse(use: Use): void {
    if (use.outcome === "refused") refused.push(`${use.holder} is denied ${use.what}`);
    const line = `${JSON.stringify(use)}\n`;
    if (recorded.has(line)) return;
    recorded.add(line);
    appendFileSync(file, line);
  }

  return { recordUse, refused };
}

/** Wraps a pool so that connecting and changing the schema require the permissions that Aurora DSQL would require. */
function restrictPool(
  pool: PostgresPool,
  runningLine: () => string | undefined,
  requirePermission: (action: string) => void,
): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const line = runningLine();
      const owns = line !== undefined && (jobs as Record<string, Job>)[line]?.admin;
      requirePermission(owns ? "dsql:DbConnectAdmin" : "dsql:DbConnect");
      const client = await pool.connect();
      return {
        release: (broken?: boolean) => client.release(broken),
        query(sql: string, parameters: readonly unknown[]) {
          if (/^\s*(?:create|alter|drop|grant)\b/i.test(sql)) requirePermission("dsql:DbConnectAdmin");
          return client.query(sql, parameters);
        },
      } as PostgresPoolClient;
    },
  };
}

/** Variables whose value differs per function. All others have the value of the process. */
const keyVariables = new Set(["STORAGE_ACCESS_KEY_ID", "STORAGE_SECRET_ACCESS_KEY"]);

function covers(grant: Grant, action: Action, bucket: string, key: string): boolean {
  if (grant.action !== `s3:${action}`) return false;
  const arn = `arn:aws:s3:::${bucket}${key && `/${key}`}`;
  return grant.resource.endsWith("*") ? arn.startsWith(grant.resource.slice(0, -1)) : arn === grant.resource;
}

/** Returns the route key or job name of an invocation. Routes can share a handler, so they are found by the event. */
function lineOf({ file, event }: Invocation): string {
  const routeKey = (event as { requestContext?: { routeKey?: string } } | null)?.requestContext?.routeKey;
  if (routeKey !== undefined && routeKey in routes) return routeKey;
  const [name] = Object.entries(jobs).find(([, { handler }]) => handler === file) ?? [];
  if (!name) throw new Error(`No route or job uses ${file}.`);
  return name;
}

function isBatch(event: unknown): boolean {
  const records = (event as { Records?: { eventSource?: string }[] } | null)?.Records;
  return records?.[0]?.eventSource === "aws:sqs";
}
