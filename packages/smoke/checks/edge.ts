import { type ConnectionOptions, connect } from "node:tls";
import { type CallOptions, type Check, localOnly, type Run } from "../check.ts";
import { expectEqual, expectMatch, expectStatus, Mismatch, send } from "../http.ts";

/** Operations that need no sign-in. All others must reject requests without a token. */
const publicOperations = [
  "GET /health",
  "HEAD /health",
  "GET /openapi.json",
  "HEAD /openapi.json",
  "POST /auth/register",
  "POST /auth/email/verify",
  "POST /auth/email/confirm",
  "POST /auth/email/undo",
  "POST /auth/login",
  "POST /auth/passkey/options",
  "POST /auth/passkey",
  "POST /auth/emergency-bypass",
  "POST /auth/login/2fa",
  "POST /auth/login/2fa/webauthn-options",
  "GET /auth/session",
  "POST /auth/password/forgot",
  "POST /auth/password/reset",
  "GET /api/v1/consents/policy",
  "POST /api/v1/consents",
];

const stranger = { email: "unknown@smoke.test", password: "a pass phrase of no account" };
const code = { method: "totp", code: "000000" };

/** Requests of people without a valid secret, and the error that each must get. */
const refused: [operation: string, options: CallOptions][] = [
  ["POST /auth/register", { body: { email: "unknown" }, expect: 422, code: "invalid_input" }],
  ["POST /auth/email/verify", { body: { token: "none", password: "x" }, expect: 410, code: "link_expired" }],
  ["POST /auth/email/confirm", { body: { token: "none" }, expect: 410, code: "link_expired" }],
  ["POST /auth/email/undo", { body: { token: "none" }, expect: 410, code: "link_expired" }],
  [
    "POST /auth/password/reset",
    { body: { token: "none", password: stranger.password }, expect: 410, code: "link_expired" },
  ],
  ["POST /auth/login", { body: stranger, expect: 401, code: "invalid_credentials" }],
  ["POST /auth/login/2fa", { body: { ...code, mfaToken: "none" }, expect: 401, code: "token_invalid" }],
  [
    "POST /auth/login/2fa/webauthn-options",
    { body: { mfaToken: "none" }, expect: 401, code: "token_invalid" },
  ],
  ["POST /auth/passkey", { body: {}, expect: 422, code: "invalid_input" }],
  [
    "POST /auth/emergency-bypass",
    {
      body: { ...stranger, ...code, reason: "A check of the deployment" },
      expect: 401,
      code: "invalid_credentials",
    },
  ],
  ["POST /api/v1/consents", { body: {}, expect: 422, code: "invalid_input" }],
];

/** Checks of what every client sees first: the router, headers, errors, and who may call. */
export const edge: readonly Check[] = [
  {
    name: "health",
    title: "the service reaches its database, and serves its OpenAPI document to caches",
    operations: ["GET /health", "HEAD /health", "GET /openapi.json", "HEAD /openapi.json"],
    async run({ client }) {
      const { body, headers } = await client()("GET /health");
      expectEqual("GET /health: body", body, { status: "ok" });
      expectMatch("GET /health: cache-control", headers.get("cache-control"), /\bno-store\b/);
      const document = await client()("GET /openapi.json");
      expectMatch("GET /openapi.json: openapi", document.body.openapi, /^3\.1\./);
      expectMatch("GET /openapi.json: cache-control", document.headers.get("cache-control"), /\bpublic\b/);
      const known = { "if-none-match": document.headers.get("etag") ?? "none" };
      await client()("GET /openapi.json", { expect: 304, headers: known });
      for (const operation of ["HEAD /health", "HEAD /openapi.json"])
        expectEqual(`${operation}: body`, (await client()(operation)).body, undefined);
    },
  },
  {
    name: "tls",
    title: "plain HTTP is redirected, and TLS older than 1.2 is refused",
    skip: ({ url }) => (url.startsWith("https:") ? undefined : "the server has no TLS"),
    async run({ stage }) {
      const { host, hostname, port } = new URL(stage.url);
      const secure = await protocol({ host: hostname, port: Number(port || 443), servername: hostname });
      expectMatch("TLS: version", secure, /^TLSv1\.[23]$/);
      const old = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT:@SECLEVEL=0" } as const;
      const refusal = await protocol({
        host: hostname,
        port: Number(port || 443),
        servername: hostname,
        ...old,
      });
      expectEqual("TLS 1.1: version", refusal, undefined);
      const plain = await send(`http://${host}/health`);
      expectMatch("GET http://…/health: status", String(plain.status), /^30[18]$/);
      expectEqual("GET http://…/health: location", plain.headers.get("location"), `${stage.url}/health`);
    },
  },
  {
    name: "security-headers",
    title: "pages, responses and errors have the security headers",
    async run({ stage }) {
      for (const path of ["/health", "/auth/me", "/"]) {
        const { headers } = await send(stage.url + path);
        const header = (name: string, pattern: RegExp) =>
          expectMatch(`GET ${path}: ${name}`, headers.get(name), pattern);
        header("strict-transport-security", /^max-age=(?:[3-9]\d{7}|\d{9,})\b/);
        header("x-content-type-options", /^nosniff$/);
        header("referrer-policy", /^(?:no-referrer|same-origin)$/);
        header("cache-control", /\bno-store\b/);
        if (path !== "/") continue;
        header("content-type", /^text\/html\b/);
        header("content-security-policy", /default-src 'none'.*script-src 'self'.*frame-ancestors 'none'/);
        header("cross-origin-opener-policy", /^same-origin$/);
        header("permissions-policy", /\bcamera=\(\)/);
      }
    },
  },
  {
    name: "cors",
    title: "pages of the client's origin may call with credentials, and those of other origins may not",
    async run({ stage }) {
      const preflight = (origin: string) =>
        send(`${stage.url}/auth/me`, {
          method: "OPTIONS",
          headers: { origin, "access-control-request-method": "GET" },
        });
      const allowed = await preflight(stage.url);
      expectStatus("OPTIONS /auth/me", allowed, 204);
      expectMatch("OPTIONS /auth/me: allow", allowed.headers.get("allow"), /\bGET\b/);
      expectEqual("allowed origin", allowed.headers.get("access-control-allow-origin"), stage.url);
      expectEqual("credentials", allowed.headers.get("access-control-allow-credentials"), "true");
      expectMatch("methods", allowed.headers.get("access-control-allow-methods"), /\bGET\b/);
      for (const origin of ["https://smoke.invalid", `${stage.url}.smoke.invalid`, "null"]) {
        const { headers } = await preflight(origin);
        expectEqual(`allowed origin for ${origin}`, headers.get("access-control-allow-origin"), null);
        const answer = await send(`${stage.url}/health`, { headers: { origin } });
        expectEqual(
          `GET /health: allowed origin for ${origin}`,
          answer.headers.get("access-control-allow-origin"),
          null,
        );
      }
    },
  },
  {
    name: "sign-in-required",
    title: "every operation that is not public rejects requests without a token",
    async run({ stage, client }) {
      const operations = stage.operations.filter((name) => !publicOperations.includes(name));
      // A few at a time, as a browser would.
      for (let at = 0; at < operations.length; at += 6)
        await Promise.all(
          operations
            .slice(at, at + 6)
            .map((operation) =>
              client()(operation, { expect: 401, code: "token_missing", ...emptyBody(operation) }),
            ),
        );
      await client("none")("GET /user/profile", { expect: 401, code: "token_invalid" });
    },
  },
  {
    name: "public-operations",
    title: "operations that need no token answer, and reject wrong passwords, codes and links",
    operations: [
      "GET /auth/session",
      "POST /auth/passkey/options",
      "POST /auth/password/forgot",
      "GET /api/v1/consents/policy",
    ],
    async run({ client }) {
      const anyone = client();
      expectEqual("GET /auth/session: body", (await anyone("GET /auth/session")).body, { signedIn: false });
      const passkey = await anyone("POST /auth/passkey/options");
      expectMatch("POST /auth/passkey/options: challenge", passkey.body.options?.challenge, /^[\w-]{20,}$/);
      // No account has this email, so nothing is sent, and the response must not tell.
      await anyone("POST /auth/password/forgot", { expect: 202, body: { email: stranger.email } });
      const policy = await anyone("GET /api/v1/consents/policy");
      expectMatch("GET /api/v1/consents/policy: policyVersion", policy.body.policyVersion, /./);
      for (const [operation, options] of refused) await anyone(operation, options);
    },
  },
  {
    name: "problems",
    title: "errors are problem documents with the documented status and code",
    async run({ stage, admin }) {
      const call = await admin();
      await call("GET /auth/me", { expect: 403, code: "session_required" });
      await call("GET /api/v1/projects/{id}", { expect: 404, code: "project_not_found" });
      await call("POST /api/v1/projects", { expect: 422, code: "invalid_input", body: {} }).then(({ body }) =>
        expectEqual("POST /api/v1/projects: errors", body.errors?.[0]?.pointer, "/name"),
      );
      await call("POST /api/v1/projects", { expect: 400, code: "json_malformed", body: "{" });
      const text = { "content-type": "text/plain" };
      await call("POST /api/v1/projects", {
        expect: 415,
        code: "unsupported_media_type",
        body: "x",
        headers: text,
      });
      const large = { name: "x".repeat(300_000) };
      await call("POST /api/v1/projects", { expect: 413, code: "body_too_large", body: large });
      const nowhere = await send(`${stage.url}/api/v1/nothing-here`);
      expectStatus("GET /api/v1/nothing-here", nowhere, 404, "route_not_found");
      for (const path of ["/.well-known/nothing-here", "//nothing-here", "/nothing//here"])
        expectStatus(`GET ${path}`, await send(stage.url + path), 404, "route_not_found");
      const wrongMethod = await send(`${stage.url}/health`, { method: "DELETE" });
      expectStatus("DELETE /health", wrongMethod, 405, "method_not_allowed");
      expectMatch("DELETE /health: allow", wrongMethod.headers.get("allow"), /\bGET\b/);
    },
  },
  {
    name: "router-only",
    title: "the gateway rejects requests that do not come through the router",
    skip: ({ originUrl }) => (originUrl ? undefined : "SMOKE_ORIGIN_URL is not set"),
    async run({ stage }) {
      for (const headers of [{}, { "x-origin-secret": "0".repeat(43) }] as Record<string, string>[])
        expectStatus("GET /health of the gateway", await send(`${stage.originUrl}/health`, { headers }), 403);
    },
  },
  {
    name: "cookie",
    title: "the session cookie is out of reach of scripts and other sites",
    skip: localOnly("needs an account with a password"),
    run: checkCookie,
  },
];

/** A body for operations that read one, so that only the missing token can be the reason for the rejection. */
function emptyBody(operation: string): CallOptions {
  return /^(?:POST|PUT|PATCH) /.test(operation) ? { body: {} } : {};
}

async function checkCookie({ stage, account, client }: Run): Promise<void> {
  const { signedIn } = await account();
  const [cookie = ""] = signedIn.headers.getSetCookie().filter((line) => line.startsWith("svc_token="));
  const [pair = "", ...attributes] = cookie.split("; ").map((part) => part.replace(/^Expires=.*/, "Expires"));
  const secure = stage.url.startsWith("https:") ? ["Secure"] : [];
  expectEqual(
    "attributes of svc_token",
    attributes.sort(),
    ["Expires", "HttpOnly", "Path=/", "SameSite=Lax", ...secure].sort(),
  );
  const call = (operation: string, options: CallOptions = {}) =>
    client()(operation, { ...options, headers: { cookie: pair, ...options.headers } });
  expectEqual("GET /auth/session: body", (await call("GET /auth/session")).body, { signedIn: true });
  const elsewhere = { origin: "https://smoke.invalid", "sec-fetch-site": "cross-site" };
  const body = { title: "Smoke" };
  await call("PATCH /user/profile", { expect: 403, code: "cross_origin", body, headers: elsewhere });
  await call("PATCH /user/profile", { body, headers: { "sec-fetch-site": "same-origin" } });
}

/** Returns the TLS version of a connection, or undefined if the server refuses it. Throws `Mismatch` if there is no server. */
function protocol(options: ConnectionOptions): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect({ ...options, timeout: 10_000 }, () => {
      resolve(socket.getProtocol() ?? undefined);
      socket.destroy();
    });
    socket.on("timeout", () => reject(new Mismatch("TLS: expected a handshake, got none in 10 seconds")));
    socket.on("error", ({ code = "", message }: NodeJS.ErrnoException) => {
      if (/SSL|TLS|ECONNRESET/.test(code)) resolve(undefined);
      else reject(new Mismatch(`TLS: expected a handshake, got ${message}`));
    });
  });
}
