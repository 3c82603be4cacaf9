import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { Fault } from "@svc/core/base/fault";
import * as Config from "@svc/core/platform/config/config";
import * as Engine from "@svc/core/platform/db/engine";
import { migrate } from "@svc/core/platform/db/migrate";
import { open } from "@svc/core/platform/db/pglite";
import { installedCountryFile } from "@svc/core/platform/location/installed-file";
import * as Queue from "@svc/core/platform/queue/queue";
import { bucket } from "@svc/core/platform/storage/bucket";
import { type Job, jobs } from "@svc/functions/jobs";
import { needsOf, routes } from "@svc/functions/routes";
import type { PostgresPool } from "kysely";
import { type LocalBucket, listen as listenBucket } from "./bucket/bucket.ts";
import { control, type State } from "./control.ts";
import { type Gateway, gateway } from "./gateway/gateway.ts";
import { gatewayAnswer } from "./gateway/result.ts";
import { type Keys, keep, openKeys } from "./keys.ts";
import { lambda } from "./lambda.ts";
import { claim } from "./lock.ts";
import { type CapturedMail, openMailBox } from "./mail-box.ts";
import { openPermits, type Permitted } from "./permits.ts";
import { consume, queue } from "./queue.ts";
import { schedules } from "./schedules.ts";
import { isForSite, type Listener } from "./site.ts";
import { realTimer } from "./timer.ts";

export type Options = {
  /** 0: any that is free. */
  port: number;
  /** Directory of everything that survives a restart; made when it is not there. */
  data: string;
  seed: "demo" | "none";
  /** Configuration that wins over what the local server would choose. */
  env?: Config.Env;
  /** Answers for the web client; without it there is the API alone. */
  site?: Listener;
  /** A database of the caller's, who also closes it, instead of the one that the configuration names. */
  database?: PostgresPool;
};

export type LocalServer = {
  url: string;
  /** Undefined when the configuration names another store. */
  bucket: LocalBucket | undefined;
  /** Captured mails, newest first. */
  mails(): readonly CapturedMail[];
  /** Rights that a function wanted and did not have; held to any only under `npm run check:permissions`. */
  refused(): readonly string[];
  close(): Promise<void>;
};

/**
 * Connections to a PostgreSQL: two for each core, by its own rule of thumb. More take turns on the same cores, and hold their
 * locks the while: with ten on two cores one answer in a hundred was three times as late.
 */
export const connections = 2 * availableParallelism();

/** How long requests may take to end when the server is closed. */
const graceMs = 10_000;

/** How long the last answers may take to be read. */
const flushMs = 1000;

/** A connection on which nothing moves is given up; longer than any function may take. */
const idleMs = 60_000;

/**
 * Names no server: the embedded database is in this process, and the engine already holds it. Configuration asks for
 * an address all the same, and this one can never be reached by mistake (RFC 6761).
 */
const embedded = "postgres://embedded.invalid/svc";

/** Of the queue it is true too: it is in this process, and connected without an address. */
const inProcess = "https://queue.invalid/work";

/**
 * The whole system in this process, on 127.0.0.1: resolves when it answers. Configuration lives in the environment of
 * the process, so there can be one at a time. Throws a Fault that says what to do when the port or the directory is
 * taken or the configuration is not right.
 */
export async function startLocal(options: Options): Promise<LocalServer> {
  const opened = new AsyncDisposableStack();
  try {
    return await start(options, opened);
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

async function start(
  { port, data, seed, env = process.env, site, database }: Options,
  opened: AsyncDisposableStack,
): Promise<LocalServer> {
  await mkdir(data, { recursive: true });
  opened.defer(claim(data));

  // The port first: who asks too early hears so, and our own address is known.
  let listener: Listener = notYet;
  const server = await listen(port, (request, response) => listener(request, response));
  opened.defer(() => abandon(server));
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;

  const mailBox = await openMailBox();
  opened.defer(() => mailBox.close());
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value));
  const keys = await openKeys(data);
  // With it, each function has the rights of a deployed stage only: npm run check:permissions.
  const permits = process.env.SVC_PERMITS ? openPermits(process.env.SVC_PERMITS) : undefined;
  if (permits) opened.defer(() => permits.close());
  const localBucket = given.STORAGE_ENDPOINT ? undefined : await openBucket(data, keys, given, permits);
  if (localBucket) opened.defer(() => localBucket.close());
  const configuration = {
    APP_URL: url,
    TOKEN_KEYS: keys.tokenKeys,
    ENCRYPTION_KEYS: keys.encryptionKeys,
    QUEUE_URL: inProcess,
    SMTP_URL: mailBox.url,
    MAIL_FROM: "svc <no-reply@svc.localhost>",
    DATABASE_URL: embedded,
    COUNTRY_FILE: installedCountryFile(),
    ...(localBucket && storageVariables(localBucket, keys)),
    ...given,
  };
  demand(configuration);
  opened.defer(configure(configuration));

  opened.defer(await connect(data, configuration, database, permits));
  await migrate();
  if (seed === "demo") await (await import("./demo.ts")).seed();

  const run = permits?.lambda(lambda(realTimer)) ?? lambda(realTimer);
  const scheduled = schedules(jobs, run);
  opened.defer(() => scheduled.close());
  const deadLetters = queue({ name: "work-dead-letters", visibilitySeconds: 180 });
  const work = queue({
    name: "work",
    visibilitySeconds: 180,
    redrive: { maxReceives: 5, to: deadLetters },
  });
  const consumers = consumersOf(jobs).map(({ handler, timeoutSeconds, queue: options }) =>
    consume(work, (event) => run({ file: handler, event, timeoutMs: timeoutSeconds * 1000 }), options),
  );
  opened.defer(async () => void (await Promise.all(consumers.map(({ close }) => close()))));
  Queue.connect(async (messages) => {
    permits?.demand("sqs:SendMessage");
    for (const { body, delaySeconds = 0 } of messages) work.send(body, { delaySeconds });
  });
  opened.defer(() => Queue.connect(undefined));
  const api = gateway(routes, run);
  // Registered last, so that it runs first.
  opened.defer(() => finish(server, api));

  const answerControl = control({
    mails: mailBox.mails,
    async wake() {
      const woken = consumers.map(({ wake }) => wake());
      const ran = await scheduled.wake();
      await Promise.all(woken);
      return ran;
    },
    jobs: Object.keys(jobs),
    runJob: scheduled.runJob,
    state: async () => ({
      buckets: await storedKeys(localBucket),
      queue: { ...work.depth(), deadLetters: deadLetters.depth().visible },
    }),
  });
  listener = (request, response) => {
    if (/^\/_local(?:[/?]|$)/.test(request.url ?? "")) answerControl(request, response);
    else if (site && isForSite(request)) site(request, response);
    else api.answer(request, response);
  };
  await answers(server);
  return {
    url,
    bucket: localBucket,
    mails: mailBox.mails,
    refused: () => permits?.refused() ?? [],
    close: () => opened.disposeAsync(),
  };
}

function consumersOf(jobs: Readonly<Record<string, Job>>): (Job & Required<Pick<Job, "queue">>)[] {
  return Object.values(jobs).filter((job) => job.queue !== undefined) as (Job &
    Required<Pick<Job, "queue">>)[];
}

async function listen(port: number, listener: Listener): Promise<Server> {
  const server = createServer(listener);
  server.on("checkContinue", listener);
  server.setTimeout(idleMs);
  server.listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const why = code === "EADDRINUSE" ? "is taken by another program" : `cannot be used (${code})`;
    throw new Fault("conflict", "port_unusable", `Port ${port} ${why}. Set PORT to another one.`, { cause });
  }
  return server;
}

/** Lets nobody new in and sees the others out: functions end, answers reach who reads them. */
async function finish(server: Server, api: Gateway): Promise<void> {
  const closed = once(server, "close");
  server.close();
  await Promise.race([api.idle(), after(graceMs, undefined, { ref: false })]);
  server.closeIdleConnections();
  await Promise.race([closed, after(flushMs, undefined, { ref: false })]);
}

function abandon(server: Server): void {
  if (server.listening) server.close();
  server.closeAllConnections();
}

const notYet: Listener = (_request, response) => {
  const { status, headers, body } = gatewayAnswer(503, "Service Unavailable");
  response.writeHead(status, { ...Object.fromEntries(headers), "retry-after": "1", connection: "close" });
  response.end(body);
};

/** On the port of the last time when it is free, so that signed URLs of that time are still good. */
async function openBucket(
  data: string,
  keys: Keys,
  env: Config.Env,
  permits: Permitted | undefined,
): Promise<LocalBucket> {
  const options = {
    directory: join(data, "buckets"),
    credentials: [keys.storage, ...(permits?.credentials ?? [])],
    buckets: Object.values(bucketNames(env)),
    region: env.STORAGE_REGION ?? "eu-central-2",
  };
  const opened = await listenBucket({ ...options, port: keys.bucketPort }).catch((error) => {
    if (error.code === "EADDRINUSE") return listenBucket(options);
    throw error;
  });
  if (opened.port !== keys.bucketPort) await keep(data, { ...keys, bucketPort: opened.port });
  return opened;
}

function bucketNames(env: Config.Env) {
  return {
    STORAGE_BUCKET: env.STORAGE_BUCKET ?? "svc-files",
    STORAGE_BUCKET_AVATARS: env.STORAGE_BUCKET_AVATARS ?? "svc-avatars",
  };
}

/**
 * Deployed, each function has the key of its own need (DESIGN, decision 4). Here all functions share one process and so
 * one environment, hence one key that may do everything; that each can live with its own is proved where they run
 * apart.
 */
function storageVariables({ url }: LocalBucket, { storage }: Keys): Config.Env {
  return {
    STORAGE_ENDPOINT: url,
    STORAGE_REGION: "eu-central-2",
    STORAGE_ACCESS_KEY_ID: storage.accessKeyId,
    STORAGE_SECRET_ACCESS_KEY: storage.secretAccessKey,
    STORAGE_FORCE_PATH_STYLE: "true",
  };
}

function demand(configuration: Config.Env): void {
  const needs = [...Object.values(routes), ...Object.values(jobs)].flatMap(needsOf);
  try {
    Config.validate([...new Set(needs)], configuration);
  } catch (cause) {
    throw new Fault("invalid", "configuration", (cause as Error).message, { cause });
  }
}

/** Make this the configuration of the process. Answers how to take it back. */
function configure(configuration: Config.Env): () => void {
  const before = Object.keys(configuration).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, configuration);
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}

/** Answers how to end the connection. */
async function connect(
  data: string,
  { DATABASE_URL }: Config.Env,
  database: PostgresPool | undefined,
  permits: Permitted | undefined,
): Promise<() => Promise<void>> {
  const url = DATABASE_URL === embedded ? undefined : DATABASE_URL;
  const pool =
    database ?? (url ? Engine.postgres(url, connections) : await open({ directory: join(data, "database") }));
  Engine.connect(permits?.database(pool) ?? pool);
  return database ? async () => {} : Engine.close;
}

/** Keys of both buckets, in order. */
async function storedKeys(local: LocalBucket | undefined): Promise<State["buckets"]> {
  const buckets: Record<string, string[]> = {};
  for (const name of Object.values(bucketNames(process.env))) {
    buckets[name] = local?.keys(name) ?? [];
    if (!local) for await (const { key } of bucket(Config.storage(), name).list("")) buckets[name].push(key);
  }
  return buckets;
}

/** The whole way from the socket to the database, before anybody is told that it works. */
async function answers(server: Server): Promise<void> {
  const { port } = server.address() as AddressInfo;
  const { status } = await fetch(`http://127.0.0.1:${port}/health`, { headers: { connection: "close" } });
  if (status !== 200)
    throw new Fault(
      "unavailable",
      "not_healthy",
      `GET /health answers ${status} instead of 200; the log says why.`,
    );
}
