import type { Exchange, Fault } from "./proxy.ts";

/** Changes the status of responses. */
export const answers = (request: RegExp, from: number, status: number): Fault => ({
  after(exchange) {
    if (request.test(nameOf(exchange)) && exchange.status === from) exchange.status = status;
  },
});

/** Changes the text of successful responses. */
const writes = (request: RegExp, from: string | RegExp, to: string): Fault => ({
  after(exchange) {
    if (!request.test(nameOf(exchange)) || exchange.status >= 300) return;
    exchange.body = Buffer.from(String(exchange.body).replace(from, to));
  },
});

const nameOf = ({ method, path }: Exchange) => `${method} ${path}`;

/** Defects of a server, each with the name of the check that must find it. */
export const faults: readonly [defect: string, check: string, fault: Fault][] = [
  [
    "strips the security headers",
    "security-headers",
    {
      after: ({ answer }) =>
        void ["x-content-type-options", "strict-transport-security"].map((name) => answer.delete(name)),
    },
  ],
  ["opens altered signed URLs of pictures", "avatar", answers(/^GET \/bucket\//, 403, 200)],
  ["answers 200 for what does not exist", "problems", answers(/^GET /, 404, 200)],
  [
    "ignores the Idempotency-Key",
    "idempotency",
    { before: ({ headers }) => void delete headers["idempotency-key"] },
  ],
  ["has no database", "health", writes(/ \/health$/, "ok", "down")],
  [
    "allows every origin",
    "cors",
    { after: ({ answer, headers }) => answer.set("access-control-allow-origin", headers.origin ?? "*") },
  ],
  ["lists API tokens without a sign-in", "sign-in-required", answers(/ \/user\/tokens$/, 401, 200)],
  ["accepts every password", "public-operations", answers(/ \/auth\/login$/, 401, 200)],
  [
    "shows the cookie to scripts",
    "cookie",
    {
      after({ answer }) {
        const cookies = answer.getSetCookie();
        answer.delete("set-cookie");
        for (const cookie of cookies) answer.append("set-cookie", cookie.replace("; HttpOnly", ""));
      },
    },
  ],
  ["accepts large files", "upload-limits", answers(/ \/api\/upload\/avatar$/, 413, 200)],
  ["opens altered signed URLs of reports", "reports", answers(/^GET \/bucket\/svc-files\//, 403, 200)],
  ["keeps deleted projects", "projects", { ignores: /^DELETE \/api\/v1\/projects\// }],
  ["keeps deleted time entries", "time-entries", { ignores: /^DELETE \/api\/v1\/time-entries\// }],
  [
    "ignores cursors",
    "pagination",
    {
      before(exchange) {
        exchange.path = exchange.path.replace(/&cursor=[^&]*/, "");
      },
    },
  ],
  ["keeps deleted teams", "teams", { ignores: /^DELETE \/team\// }],
  [
    "does not change the workspace",
    "workspace",
    writes(/^PATCH \/api\/v1\/workspace$/, /"weekStart":\d/, '"weekStart":3'),
  ],
  [
    "ignores overridden rates",
    "currencies",
    writes(/ \/api\/v1\/currencies$/, /"overridden":true/g, '"overridden":false'),
  ],
  [
    "has an empty audit log",
    "audit-log",
    writes(/ \/api\/v1\/audit-logs/, /"data":\[.*\](?=,"meta")/s, '"data":[]'),
  ],
  ["does not remove members", "members", { ignores: /^DELETE \/api\/v1\/workspace\/members\// }],
  [
    "shows the secrets of webhooks",
    "webhooks",
    writes(/^GET \/api\/v1\/webhooks\/whk?_?\w+$/, /^\{/, '{"secret":"whsec_x",'),
  ],
  [
    "signs with another secret",
    "webhook-deliveries",
    writes(/^POST \/api\/v1\/webhooks$/, /whsec_..../, "whsec_AAAA"),
  ],
  ["has no rate limit", "rate-limit", answers(/\/test$/, 429, 404)],
  ["keeps sessions after sign-out", "registration", { ignores: /^POST \/auth\/logout$/ }],
  ["does not change the profile", "profile", writes(/^PATCH \/user\/profile$/, "Smoke test", "")],
  ["does not end other sessions", "sessions", { ignores: /^DELETE \/user\/sessions/ }],
  ["keeps revoked API tokens", "api-tokens", { ignores: /^DELETE \/user\/tokens\// }],
  ["exports another account", "own-data", writes(/^GET \/user\/export$/, /smoke-[\w-]+@/g, "other@")],
  ["accepts a reset link twice", "password", answers(/ \/auth\/password\/reset$/, 410, 204)],
  ["does not undo a change of email", "email-change", { ignores: /^POST \/auth\/email\/undo$/ }],
  [
    "asks for no second factor",
    "authenticator-app",
    writes(/ \/auth\/login$/, '"mfaRequired":true', '"mfaRequired":false'),
  ],
  [
    "asks for no security key",
    "security-key",
    writes(/ \/auth\/login$/, '"mfaRequired":true', '"mfaRequired":false'),
  ],
  ["accepts a passkey challenge twice", "passkey", answers(/ \/auth\/passkey$/, 401, 200)],
];
