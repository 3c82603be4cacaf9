import { once } from "node:events";
import { existsSync } from "node:fs";
import { access, constants, mkdir, stat } from "node:fs/promises";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import * as Clock from "@svc/core/base/clock";
import { Fault } from "@svc/core/base/fault";
import * as Config from "@svc/core/platform/config/config";
import * as Engine from "@svc/core/platform/db/engine";
import { migrate } from "@svc/core/platform/db/migrate";
import { open } from "@svc/core/platform/db/pglite";
import { installedCountryFile } from "@svc/core/platform/location/installed-file";
import * as Queue from "@svc/core/platform/queue/queue";
import { bucket } from "@svc/core/platform/storage/bucket";
import { secretHeader } from "@svc/functions/http/request-origin";
import { type Job, jobs } from "@svc/functions/jobs";
import { needsOf, routes } from "@svc/functions/routes";
import type { PostgresPool } from "kysely";
import { type LocalBucket, listen as listenBucket } from "./bucket/bucket.ts";
import { compressor } from "./compression.ts";
import { control, isTool, type State } from "./control.ts";
import { answerDemoPeople, asksForDemoPeople } from "./demo-people.ts";
import { compressPublic, offerToken } from "./edge.ts";
import { type Gateway, gateway } from "./gateway/gateway.ts";
import { gatewayReply } from "./gateway/result.ts";
import { type Keys, openKeys, saveKeys } from "./keys.ts";
import { type Lambda, lambda, surviveUncaughtErrors } from "./lambda.ts";
import { lockDirectory } from "./lock.ts";
import { type CapturedMail, type MailBox, openMailBox } from "./mail-box.ts";
import { openPermits, type Permitted } from "./permits.ts";
import { listen, urlOf } from "./ports.ts";
import { consume, queue } from "./queue.ts";
import { schedules } from "./schedules.ts";
import { isForSite, type Listener } from "./site.ts";
import { startStep } from "./start-step.ts";
import { realTimer } from "./timer.ts";

export type Options = {
  /** Port to listen on. 0 chooses a free one. */
  port: number;
  /** Port of the tools. A free one by default. */
  toolsPort?: number;
  /** Directory for all persistent data, created if it does not exist. */
  data: string;
  seed: "demo" | "none";
  /** Configuration that overrides the local server's defaults. */
  env?: Config.Env;
  /** Serves the web client. Without it, only the API is served. */
  site?: Listener;
  /** Database to use instead of the configured one. The caller has to close it. */
  database?: PostgresPool;
};

export type LocalServer = {
  url: string;
  /** URL of the tools under /_local, which the main URL does not serve. */
  toolsUrl: string;
  /** Text for the person who starts the server, such as why there is no demo data. */
  notice: string | undefined;
  /** Undefined if the configuration sets STORAGE_ENDPOINT. */
  bucket: LocalBucket | undefined;
  /** Returns the captured emails, newest first. */
  mails(): readonly CapturedMail[];
  /** Returns the permissions that functions were denied. Permissions are enforced only under `npm run check:permissions`. */
  refused(): readonly string[];
  close(): Promise<void>;
};

/**
 * Number of connections to PostgreSQL: two per core, as its documentation suggests. More connections compete for the same cores
 * while they hold locks: with ten on two cores, the 99th percentile of response times was three times as high.
 */
export const connections = 2 * availableParallelism();

/** Maximum wait for running requests when the server is closed. */
const graceMs = 10_000;

/** Maximum wait for clients to read the last responses. */
const flushMs = 1000;

/**
 * Placeholder for DATABASE_URL, which the configuration requires, while the embedded database is used. The domain can never
 * resolve (RFC 6761).
 */
const embedded = "postgres://embedded.invalid/svc";

/** Placeholder for QUEUE_URL. The queue is in this process. */
const inProcess = "https://queue.invalid/work";

/**
 * Starts the whole system in this process on 127.0.0.1, and resolves when it responds to requests. Its configuration is in the
 * environment of the process, so only one can run at a time. Throws `conflict` `port_unusable` or `data_in_use` if a port or the
 * directory is in use, `unavailable` `data_unusable` or `database_unusable` if the directory or the database cannot be used, and
 * `invalid` `configuration` if the configuration is invalid.
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
  { port, toolsPort = 0, data, seed, env = process.env, site, database }: Options,
  opened: AsyncDisposableStack,
): Promise<LocalServer> {
  opened.defer(await startStep(dataUnusable(data), () => openDirectory(data)));

  // Listens first, because APP_URL contains the port. Until the start is complete, requests get 503.
  let listener: Listener = startingUp;
  const server = await listen({ name: "PORT", port }, (request, response) => listener(request, response));
  opened.defer(() => closeAtOnce(server));
  const url = urlOf(server);
  // A separate listener: the tools need no token, so a reverse proxy in front of the main one must not reach them.
  let toolsListener: Listener = startingUp;
  const toolsServer = await listen({ name: "SVC_TOOLS_PORT", port: toolsPort }, (request, response) =>
    toolsListener(request, response),
  );
  opened.defer(() => closeAtOnce(toolsServer));

  const { mailBox, permits, localBucket, configuration } = await openServices(url, data, env, opened);
  validateConfiguration(configuration);
  opened.defer(configure(configuration));
  await startStep(databaseUnusable(configuration, data), async () => {
    opened.defer(await connect(data, configuration, database, permits));
    await migrate();
  });
  const { notice, hasDemoData } = seed === "demo" ? await seedDemo() : { hasDemoData: false };

  const run = permits?.lambda(lambda(realTimer)) ?? lambda(realTimer);
  const background = startJobs(run, permits, opened);
  const compress = compressPublic(compressor());
  const offer = offerToken(async () => (hasDemoData ? (await import("./demo.ts")).createToken() : undefined));
  const api = gateway(routes, run, async (request, reply) => offer(request, await compress(request, reply)));
  opened.defer(surviveUncaughtErrors());
  // Deferred last, so that it runs first.
  opened.defer(() => finish([server, toolsServer], api));

  toolsListener = control({
    mails: mailBox.mails,
    wake: background.wake,
    jobs: Object.keys(jobs),
    runJob: background.runJob,
    state: async () => ({ buckets: await storedKeys(localBucket), queue: background.depth() }),
  });
  listener = (request, response) => {
    if (asksForDemoPeople(request)) answerDemoPeople(response, hasDemoData);
    else if (site && isForSite(request) && !isTool(request)) site(request, response);
    else api.handle(request, response);
  };
  await checkHealth(server);
  return {
    url,
    toolsUrl: urlOf(toolsServer),
    notice,
    bucket: localBucket,
    mails: mailBox.mails,
    refused: () => permits?.refused() ?? [],
    close: () => opened.disposeAsync(),
  };
}

/**
 * Creates the demo data in a database without accounts, unless APP_URL says that others can reach this server: the password of
 * the demo users is public. Adds rates up to today to demo data of an earlier start. Returns whether the sign-in page may offer
 * the demo users, and what a person should know.
 */
async function seedDemo(): Promise<{ hasDemoData: boolean; notice?: string }> {
  const [demo, DemoRates] = await Promise.all([import("./demo.ts"), import("./demo-rates.ts")]);
  const accounts = await demo.existingAccounts();
  const appUrl = Config.appUrl();
  if (!Config.isLoopback(new URL(appUrl).hostname))
    return without(
      accounts === "demo"
        ? `Warning: APP_URL is ${appUrl}, and the database has the demo users, whose password is public. Use another database.`
        : `No demo data: APP_URL is ${appUrl}, and the password of the demo users is public.`,
    );
  if (accounts === "other") return without("No demo data: the database already holds other accounts.");
  if (accounts === "none") await demo.seed();
  await DemoRates.topUp(Clock.now());
  return { hasDemoData: true };
}

function without(notice: string) {
  return { hasDemoData: false, notice };
}

function dataUnusable(data: string) {
  return {
    code: "data_unusable",
    problem: `The data folder ${data} cannot be used`,
    advice: "Make it writable, or set SVC_DATA to another folder.",
  };
}

function databaseUnusable({ DATABASE_URL }: Config.Env, data: string) {
  const code = "database_unusable";
  if (DATABASE_URL !== embedded)
    return {
      code,
      problem: "The database of DATABASE_URL cannot be used",
      advice: "Start it, or correct DATABASE_URL.",
    };
  const problem = `The database in ${join(data, "database")} cannot be opened`;
  return { code, problem, advice: "Restore the folder, or set SVC_DATA to another one." };
}

/** Creates the data folder if it does not exist, and locks it. Returns a function that unlocks it. */
async function openDirectory(data: string): Promise<() => void> {
  await createDirectory(data);
  await access(data, constants.R_OK | constants.W_OK | constants.X_OK);
  return lockDirectory(data);
}

/** Creates a directory and its parents. mkdir's own option `recursive` never returns for a path such as /proc/data. */
async function createDirectory(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && (await stat(path)).isDirectory()) return;
    if (code !== "ENOENT" || existsSync(dirname(path))) throw error;
    await createDirectory(dirname(path));
    await mkdir(path);
  }
}

type Services = {
  mailBox: MailBox;
  /** Undefined unless permissions are enforced. */
  permits: Permitted | undefined;
  /** Undefined if the configuration sets STORAGE_ENDPOINT. */
  localBucket: LocalBucket | undefined;
  configuration: Config.Env & { DATABASE_URL: string };
};

/** Opens the mail box and the bucket, and returns them with the configuration, in which `env` overrides the defaults. */
async function openServices(
  url: string,
  data: string,
  env: Config.Env,
  opened: AsyncDisposableStack,
): Promise<Services> {
  const mailBox = await openMailBox();
  opened.defer(() => mailBox.close());
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value));
  const keys = await startStep(dataUnusable(data), () => openKeys(data));
  // npm run check:permissions sets SVC_PERMITS to restrict each function to the permissions of a deployed stage.
  const permits = process.env.SVC_PERMITS ? openPermits(process.env.SVC_PERMITS) : undefined;
  if (permits) opened.defer(() => permits.close());
  const localBucket = given.STORAGE_ENDPOINT
    ? undefined
    : await startStep(dataUnusable(data), () => openBucket(url, data, keys, given, permits));
  if (localBucket) opened.defer(() => localBucket.close());
  const configuration = {
    APP_URL: url,
    TOKEN_KEYS: keys.tokenKeys,
    ENCRYPTION_KEYS: keys.encryptionKeys,
    AUDIT_KEYS: keys.auditKeys,
    QUEUE_URL: inProcess,
    SMTP_URL: mailBox.url,
    MAIL_FROM: "svc <no-reply@svc.localhost>",
    DATABASE_URL: embedded,
    COUNTRY_FILE: installedCountryFile(),
    ...(localBucket && storageVariables(localBucket, keys)),
    ...given,
  };
  return { mailBox, permits, localBucket, configuration };
}

/** Starts the scheduled jobs, the work queue and its consumers. */
function startJobs(run: Lambda, permits: Permitted | undefined, opened: AsyncDisposableStack) {
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
    permits?.requirePermission("sqs:SendMessage");
    for (const { body, group, delaySeconds = 0 } of messages) work.send(body, { group, delaySeconds });
  });
  opened.defer(() => Queue.connect(undefined));
  return {
    runJob: scheduled.runJob,
    async wake() {
      const woken = consumers.map(({ wake }) => wake());
      const ran = await scheduled.wake();
      await Promise.all(woken);
      return ran;
    },
    depth: () => ({ ...work.depth(), deadLetters: deadLetters.depth().visible }),
  };
}

function consumersOf(jobs: Readonly<Record<string, Job>>): (Job & Required<Pick<Job, "queue">>)[] {
  return Object.values(jobs).filter((job) => job.queue !== undefined) as (Job &
    Required<Pick<Job, "queue">>)[];
}

/** Accepts no more connections, then waits for running functions and for clients that are reading responses. */
async function finish(servers: readonly Server[], api: Gateway): Promise<void> {
  const closed = Promise.all(servers.map((server) => once(server, "close")));
  for (const server of servers) server.close();
  await Promise.race([api.idle(), after(graceMs, undefined, { ref: false })]);
  for (const server of servers) server.closeIdleConnections();
  await Promise.race([closed, after(flushMs, undefined, { ref: false })]);
}

function closeAtOnce(server: Server): void {
  if (server.listening) server.close();
  server.closeAllConnections();
}

const startingUp: Listener = (_request, response) => {
  const { status, headers, body } = gatewayReply(503, "Service Unavailable");
  response.writeHead(status, { ...Object.fromEntries(headers), "retry-after": "1", connection: "close" });
  response.end(body);
};

/** Opens the local bucket, on its previous port if that is free, so that earlier signed URLs stay valid. */
async function openBucket(
  url: string,
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
    cors: { bucket: bucketNames(env).STORAGE_BUCKET_AVATARS, origin: new URL(env.APP_URL ?? url).origin },
  };
  const opened = await listenBucket({ ...options, port: keys.bucketPort }).catch((error) => {
    if (error.code === "EADDRINUSE") return listenBucket(options);
    throw error;
  });
  if (opened.port !== keys.bucketPort) await saveKeys(data, { ...keys, bucketPort: opened.port });
  return opened;
}

function bucketNames(env: Config.Env) {
  return {
    STORAGE_BUCKET: env.STORAGE_BUCKET ?? "svc-files",
    STORAGE_BUCKET_AVATARS: env.STORAGE_BUCKET_AVATARS ?? "svc-avatars",
  };
}

/**
 * Returns the storage configuration. Deployed functions have separate keys with minimal permissions. Local functions share one
 * environment, so they share one key with all permissions; npm run check:permissions tests the separate keys.
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

function validateConfiguration(configuration: Config.Env): void {
  const needs = [...Object.values(routes), ...Object.values(jobs)].flatMap(needsOf);
  try {
    Config.validate([...new Set(needs)], configuration);
  } catch (cause) {
    throw new Fault("invalid", "configuration", (cause as Error).message, { cause });
  }
}

/** Sets the environment of the process. Returns a function that restores it. */
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

/** Connects the database. Returns a function that disconnects it. */
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

/** Returns the object keys of both buckets, sorted. */
async function storedKeys(local: LocalBucket | undefined): Promise<State["buckets"]> {
  const buckets: Record<string, string[]> = {};
  for (const name of Object.values(bucketNames(process.env))) {
    buckets[name] = local?.keys(name) ?? [];
    if (!local) for await (const { key } of bucket(Config.storage(), name).list("")) buckets[name].push(key);
  }
  return buckets;
}

/** Requests GET /health, which covers everything from the socket to the database. */
async function checkHealth(server: Server): Promise<void> {
  const { port } = server.address() as AddressInfo;
  // With ORIGIN_SECRET, every route rejects requests that a router has not passed on.
  const [secret] = Config.originSecrets();
  const { status } = await fetch(`http://127.0.0.1:${port}/health`, {
    headers: { connection: "close", ...(secret && { [secretHeader]: secret }) },
  });
  if (status !== 200)
    throw new Fault(
      "unavailable",
      "not_healthy",
      `GET /health returned ${status} instead of 200. The log shows the reason.`,
    );
}
