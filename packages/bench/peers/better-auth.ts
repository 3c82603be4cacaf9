import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { toNodeHandler } from "better-auth/node";
import pg from "pg";
import * as Password from "../../core/identity/password/hash.ts";
import { connections } from "../../local/server.ts";
import type { Ready } from "../load/server.ts";

// Runs better-auth in a separate process, on the database of LOAD_DATABASE, with as many connections as the local server. It has
// its defaults, or with PEER=tuned database joins and the password hash of svc.

const tuned = process.env.PEER === "tuned";
const argon2id = {
  hash: (password: string) => Password.hash(password),
  verify: ({ password, hash }: { password: string; hash: string }) => Password.matches(password, hash),
};
const options = {
  baseURL: "http://127.0.0.1",
  secret: "a secret of the benchmark that protects nothing",
  database: new pg.Pool({ connectionString: process.env.LOAD_DATABASE, max: connections }),
  emailAndPassword: { enabled: true, ...(tuned && { password: argon2id }) },
  // svc reads the session from the database at each request, so better-auth does not cache it in a cookie either.
  session: { cookieCache: { enabled: false } },
  experimental: { joins: tuned },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  logger: { disabled: true },
};

const { runMigrations } = await getMigrations(options);
await runMigrations();
const server = createServer(toNodeHandler(betterAuth(options)));
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ url: `http://127.0.0.1:${port}` } satisfies Ready);
});
process.on("disconnect", () => process.exit());
