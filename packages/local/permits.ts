import { AsyncLocalStorage } from "node:async_hooks";
import { appendFileSync, readFileSync } from "node:fs";
import * as Config from "@svc/core/platform/config/config";
import { type Job, jobs } from "@svc/functions/jobs";
import { routes } from "@svc/functions/routes";
import type { PostgresPool, PostgresPoolClient } from "kysely";
import type { Action, Credential } from "./bucket/bucket.ts";
import { type Grant, named, type Permits, type Use } from "./granted.ts";
import type { Invocation, Lambda } from "./lambda.ts";

export type Permitted = {
  /** The same functions, each with its own rights and variables only. */
  lambda(run: Lambda): Lambda;
  /** The same database, for those who may connect to it; only its owner changes the schema. */
  database(pool: PostgresPool): PostgresPool;
  /** The storage keys, for the bucket. */
  credentials: Credential[];
  /** Throws unless the function that runs may do this. Outside of a function everything may be done. */
  demand(action: string): void;
  /** What was wanted in vain, also where the function went on without it. */
  refused(): readonly string[];
  /** Gives all functions the environment of the process again. */
  close(): void;
};

/** What Lambda does in the name of a function that consumes a queue. */
const polling = ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"];

/**
 * Hold every function to its own rights: those of the stage whose permits are in this file. What is used and what is refused
 * is appended to `<file>.record`, each once, so that a check can tell which rights nobody needs.
 */
export function openPermits(file: string): Permitted {
  const { functions, users }: Permits = JSON.parse(readFileSync(file, "utf8"));
  const calling = new AsyncLocalStorage<string>();
  const known = new Set(Object.values(functions).flatMap(({ variables }) => Object.keys(variables)));
  const written = new Set<string>();
  const refused: string[] = [];

  function note(use: Use): void {
    if (use.outcome === "refused") refused.push(`${use.holder} is refused ${use.what}`);
    const line = `${JSON.stringify(use)}\n`;
    if (written.has(line)) return;
    written.add(line);
    appendFileSync(`${file}.record`, line);
  }

  function may(holder: string, grants: readonly Grant[], asked: (grant: Grant) => boolean, what: string) {
    const grant = grants.find(asked);
    note(grant ? { outcome: "used", holder, what: named(grant) } : { outcome: "refused", holder, what });
    return grant !== undefined;
  }

  function demand(action: string): void {
    const line = calling.getStore();
    if (line === undefined) return;
    const grants = functions[line]?.grants ?? [];
    if (may(line, grants, (grant) => grant.action === action, action)) return;
    throw new Error(`AccessDenied: the function of ${line} may not do ${action}.`);
  }

  /** Returns a configuration variable if the function's line has it. */
  function variable(line: string, name: string, value: string | undefined): string | undefined {
    const own = functions[line]?.variables[name];
    note({ outcome: own === undefined ? "refused" : "used", holder: line, what: `the variable ${name}` });
    return own === undefined ? undefined : keyVariables.has(name) ? own : value;
  }

  /** The environment as a function sees it. Reading a variable records it; one that the function lacks is undefined. */
  function environmentOf(line: string): Config.Env {
    const env = { ...process.env };
    for (const name of known)
      Object.defineProperty(env, name, { get: () => variable(line, name, process.env[name]) });
    return env;
  }

  Config.readEnvironmentFrom(() => {
    const line = calling.getStore();
    return line === undefined ? process.env : environmentOf(line);
  });

  return {
    demand,
    refused: () => refused,
    lambda: (run) => (invocation) =>
      calling.run(lineOf(invocation), async () => {
        for (const action of ["logs:CreateLogStream", "logs:PutLogEvents"]) demand(action);
        if (isBatch(invocation.event)) for (const action of polling) demand(action);
        return run(invocation);
      }),
    database: (pool) => ({
      options: pool.options,
      end: () => pool.end(),
      async connect() {
        const line = calling.getStore();
        const owns = line !== undefined && (jobs as Record<string, Job>)[line]?.admin;
        demand(owns ? "dsql:DbConnectAdmin" : "dsql:DbConnect");
        const client = await pool.connect();
        return {
          release: (broken?: boolean) => client.release(broken),
          query(sql: string, parameters: readonly unknown[]) {
            if (/^\s*(?:create|alter|drop|grant)\b/i.test(sql)) demand("dsql:DbConnectAdmin");
            return client.query(sql, parameters);
          },
        } as PostgresPoolClient;
      },
    }),
    credentials: Object.entries(users).map(([name, { accessKeyId, secretAccessKey, grants }]) => ({
      accessKeyId,
      secretAccessKey,
      allow: (action, bucket, key, prefix) =>
        may(
          name,
          grants,
          (grant) => covers(grant, action, bucket, key, prefix),
          `s3:${action} on ${bucket}/${key}`,
        ),
    })),
    close() {
      Config.readEnvironmentFrom();
    },
  };
}

/** Of these, each function has a value of its own; all others are as the process has them. */
const keyVariables = new Set(["STORAGE_ACCESS_KEY_ID", "STORAGE_SECRET_ACCESS_KEY"]);

function covers(grant: Grant, action: Action, bucket: string, key: string, prefix: string): boolean {
  if (grant.action !== `s3:${action}` || (grant.prefix !== undefined && grant.prefix !== prefix))
    return false;
  const arn = `arn:aws:s3:::${bucket}${key && `/${key}`}`;
  return grant.resource.endsWith("*") ? arn.startsWith(grant.resource.slice(0, -1)) : arn === grant.resource;
}

/** The line of the tables that an event is for. Several routes may share a handler; a job has one of its own. */
function lineOf({ file, event }: Invocation): string {
  const routeKey = (event as { requestContext?: { routeKey?: string } } | null)?.requestContext?.routeKey;
  if (routeKey !== undefined && routeKey in routes) return routeKey;
  const [name] = Object.entries(jobs).find(([, { handler }]) => handler === file) ?? [];
  if (!name) throw new Error(`No line of the tables is for ${file}.`);
  return name;
}

function isBatch(event: unknown): boolean {
  const records = (event as { Records?: { eventSource?: string }[] } | null)?.Records;
  return records?.[0]?.eventSource === "aws:sqs";
}
