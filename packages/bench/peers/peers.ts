import { close, connect, postgres } from "../../core/platform/db/engine.ts";
import { migrate } from "../../core/platform/db/migrate.ts";
import { owner, type Person, password } from "../../core/testing/people.ts";
import { administer, databaseUrl } from "../../core/testing/setup-database.ts";
import { median } from "../interleaved.ts";
import { type HttpRequest, type HttpResponse, send } from "../load/connections.ts";
import { localServer, type Server, startServer, stopServer } from "../load/servers.ts";
import { type Endpoint, flatOut } from "../load/traffic.ts";

/** Accounts in each database. Requests take turns among them. */
const accounts = 50;
const rounds = Number(process.env.PEER_ROUNDS ?? 9);
const roundSeconds = 4;
const betterAuth = new URL("better-auth.ts", import.meta.url);

type Contender = { url: string; endpoint: Endpoint };

/**
 * Compares the requests per second of svc and of better-auth, each in its own process and on its own database of one
 * PostgreSQL server, in turn: the signed-in user, the check of the session, and the sign-in with email and password.
 */
export async function peers(): Promise<string> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) return "peers: needs TEST_DATABASE_URL (.ci/with-postgres npm run bench -- peers)\n";
  const names = ["own", "peer", "tuned"].map((kind) => `svc_peers_${kind}_${process.pid}`);
  for (const name of names) await administer(server, `CREATE DATABASE ${name}`);
  const [own = "", peer = "", tuned = ""] = names.map((name) => databaseUrl(server, name));
  connect(postgres(own, 1));
  await migrate();
  const servers = {
    own: await startServer(localServer, own),
    unnamed: await startServer(localServer, `${own}?prepared_statements=off`),
    peer: await startServer(betterAuth, peer),
    tuned: await startServer(betterAuth, tuned, { PEER: "tuned" }),
  };
  try {
    const rates = await measure(await contenders(servers));
    return report(rates);
  } finally {
    for (const started of Object.values(servers)) await stopServer(started);
    await close();
    for (const name of names) await administer(server, `DROP DATABASE ${name} WITH (FORCE)`);
  }
}

async function contenders(
  servers: Record<"own" | "unnamed" | "peer" | "tuned", Server>,
): Promise<Record<string, Contender>> {
  const users: Person[] = [];
  for (let at = 0; at < accounts; at++) users.push(await owner(`Person ${at}`));
  const tokens = users.map(({ token }) => ({ authorization: `Bearer ${token}` }));
  const own = (name: string, path: string, isCorrect: (body: string) => boolean) => ({
    url: servers.own.url,
    endpoint: readEndpoint(name, path, tokens, isCorrect),
  });
  const peer = async ({ url }: Server) => {
    const cookies = await signUp(url);
    const read = readEndpoint("get-session", "/api/auth/get-session", cookies, (body) =>
      body.includes('"email":"person'),
    );
    return {
      read: { url, endpoint: read },
      signIn: { url, endpoint: signInEndpoint("/api/auth/sign-in/email", emailOf) },
    };
  };
  const [plain, tuned] = [await peer(servers.peer), await peer(servers.tuned)];
  return {
    "svc `GET /auth/me`": own("me", "/auth/me", (body) => body.includes('"workspaces":[{')),
    "svc `GET /auth/me` without prepared statements": {
      ...own("me", "/auth/me", (body) => body.includes('"workspaces":[{')),
      url: servers.unnamed.url,
    },
    "svc `GET /auth/session`": own("session", "/auth/session", (body) => body === '{"signedIn":true}'),
    "better-auth `get-session`": plain.read,
    "better-auth `get-session` with `experimental.joins`": tuned.read,
    "svc `POST /auth/login`": {
      url: servers.own.url,
      endpoint: signInEndpoint("/auth/login", (at) => users[at]?.email ?? ""),
    },
    "better-auth `sign-in/email`, scrypt": plain.signIn,
    "better-auth `sign-in/email`, the argon2id of svc": tuned.signIn,
  };
}

const emailOf = (at: number) => `person${at}@peer.test`;

/** better-auth accepts changes only with the origin of its base URL. */
const json = { "content-type": "application/json", origin: "http://127.0.0.1" };

/** Creates the accounts of better-auth over HTTP and returns headers with their session cookies. */
async function signUp(url: string): Promise<Record<string, string>[]> {
  const headers = [];
  for (let at = 0; at < accounts; at++) {
    const body = JSON.stringify({ name: `Person ${at}`, email: emailOf(at), password });
    const response = await fetch(`${url}/api/auth/sign-up/email`, { method: "POST", headers: json, body });
    if (!response.ok) throw new Error(`better-auth: ${response.status} ${await response.text()}`);
    const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
    headers.push({ cookie: cookies.join("; ") });
  }
  return headers;
}

function readEndpoint(
  name: string,
  path: string,
  callers: readonly Record<string, string>[],
  isCorrect: (body: string) => boolean,
): Endpoint {
  return {
    name,
    request: (at) => ({ method: "GET", path, headers: callers[at % accounts] ?? {} }),
    check: (response) => check(response, isCorrect),
  };
}

function signInEndpoint(path: string, email: (at: number) => string): Endpoint {
  const request = (at: number): HttpRequest => ({
    method: "POST",
    path,
    headers: json,
    body: Buffer.from(JSON.stringify({ email: email(at % accounts), password })),
  });
  return { name: path, request, check: (response) => check(response, (body) => body.includes('"token":"')) };
}

function check({ status, body }: HttpResponse, isCorrect: (body: string) => boolean): string {
  const text = body.toString();
  return status === 200 && isCorrect(text) ? "correct" : `${status} ${text.slice(0, 300)}`;
}

/** Returns the requests per second of each contender, by round. The first round is a warm-up and is not counted. */
async function measure(all: Record<string, Contender>): Promise<Map<string, number[]>> {
  for (const { url, endpoint } of Object.values(all)) {
    const problem = endpoint.check(await send(url, endpoint.request(0)), 0);
    if (problem !== "correct") throw new Error(`${endpoint.name}: ${problem}`);
  }
  const rates = new Map(Object.keys(all).map((name) => [name, [] as number[]]));
  for (let round = 0; round <= rounds; round++)
    for (const [name, { url, endpoint }] of Object.entries(all)) {
      const rate = await flatOut(url, endpoint, roundSeconds);
      if (round > 0) rates.get(name)?.push(rate);
    }
  return rates;
}

function report(rates: Map<string, number[]>): string {
  const rate = (name: string) => median(rates.get(name) ?? []);
  const session = rate("better-auth `get-session`");
  const signIn = rate("better-auth `sign-in/email`, scrypt");
  const lines = [...rates].map(([name, list]) => {
    const base = /login|sign-in/.test(name) ? signIn : session;
    const [least, most] = [Math.min(...list), Math.max(...list)].map((value) => value.toFixed(0));
    return `| ${name} | ${median(list).toFixed(0)} | ${least} to ${most} | ${(median(list) / base).toFixed(2)} |`;
  });
  return [
    "### svc and better-auth on one PostgreSQL, requests per second over HTTP",
    "",
    "| request | per second | worst to best round | ratio to better-auth |",
    "|---|---|---|---|",
    ...lines,
    "",
  ].join("\n");
}
