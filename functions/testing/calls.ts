import { randomInt, randomUUID } from "node:crypto";
import * as Clock from "@svc/core/base/clock";
import { newId } from "@svc/core/base/id";
import { policyVersion } from "@svc/core/consent/policy";
import * as Password from "@svc/core/identity/password/hash";
import { manyFailures } from "@svc/core/identity/sign-in/suspicion";
import { hashSecret, newSecret } from "@svc/core/platform/crypto/secret";
import { db } from "@svc/core/platform/db/engine";
import { authenticator } from "@svc/core/testing/authenticator";
import { app, withApp } from "@svc/core/testing/factors";
import { colleague, type Home, owner, type Person, password, person } from "@svc/core/testing/people";
import { jpeg } from "@svc/core/testing/pictures";
import type { JobName } from "../jobs.ts";
import type { RouteKey } from "../routes.ts";
import { type Ask, form, request } from "./request.ts";

/** Returns a random client IP address, so that calls do not share a rate limit. */
const ip = () => `10.${[1, 2, 3].map(() => randomInt(256)).join(".")}`;
const another = "another long sentence";
const picture = await jpeg({ width: 60, height: 40 });

const enterprise = () => owner("Ada", "ENTERPRISE");

async function withPicture<P extends Person>(who: P): Promise<P> {
  await answered("POST /api/upload/avatar", { token: who.token, form: form(picture) });
  return who;
}

/** Makes a request that prepares another one, and returns its body. Throws unless it succeeds. */
async function answered(route: RouteKey, ask: Ask) {
  const { status, body } = await request(route, { ip: ip(), ...ask });
  if (status >= 300) throw new Error(`${route} answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** A user who has just entered the password again. */
async function reauthenticated(): Promise<Person> {
  const who = await person();
  await db()
    .updateTable("sessions")
    .set({ reauthenticated_at: Clock.now() })
    .where("id", "=", who.sessionId)
    .execute();
  return who;
}

/** A user with an authenticator app whose next code can be used at once. */
async function withAuthenticatorApp() {
  const who = await reauthenticated();
  return { ...who, app: await withApp(who) };
}

async function withSecurityKey() {
  const who = await reauthenticated();
  const key = authenticator();
  const { challenge } = await answered("POST /user/2fa/webauthn/options", { token: who.token });
  const body = { credential: key.register({ challenge }), name: "Key" };
  const { id } = await answered("POST /user/2fa/webauthn", { token: who.token, body });
  return { ...who, key, credentialId: id as string };
}

async function mfaTokenOf({ email }: Person): Promise<string> {
  return (await answered("POST /auth/login", { body: { email, password } })).mfaToken;
}

/** The token of an emailed link, and the columns that store its hash. */
function link() {
  const token = newSecret();
  const now = Clock.now();
  const row = {
    token_hash: hashSecret(token),
    created_at: now,
    expires_at: new Date(now.getTime() + 600_000),
  };
  return { token, row };
}

async function registration(expiresAt?: Date): Promise<string> {
  const { token, row } = link();
  const details = { name: "Grace", password_hash: await Password.hash(password), workspace_name: "Home" };
  await db()
    .insertInto("registrations")
    .values({
      ...row,
      ...details,
      email: `${randomUUID()}@new.test`,
      ...(expiresAt && { expires_at: expiresAt }),
    })
    .execute();
  return token;
}

async function inProject(home: Person & Home, budget: object = {}): Promise<string> {
  const body = { name: `Engine ${randomUUID()}`, currency: "EUR", hourlyRate: "80", ...budget };
  return (await answered("POST /api/v1/projects", { token: home.token, body })).id;
}

const hour = { startedAt: "2026-11-20T09:00:00Z", endedAt: "2026-11-20T10:00:00Z" };

async function entry(home: Person & Home, budget: object = {}): Promise<string> {
  const body = { ...hour, projectId: await inProject(home, budget) };
  return (await answered("POST /api/v1/time-entries", { token: home.token, body })).id;
}

async function running(home: Person & Home): Promise<Person & Home> {
  const body = { projectId: await inProject(home) };
  await answered("POST /api/v1/time-entries/start", { token: home.token, body });
  return home;
}

const as = ({ token }: Person, more: Ask = {}): Ask => ({ token, ...more });
const asOwner = async (more: Ask = {}) => as(await enterprise(), more);
const withOne =
  (make: (home: Person & Home) => Promise<string>, more: Ask = {}) =>
  async () => {
    const home = await enterprise();
    return as(home, { path: { id: await make(home) }, ...more });
  };
const teamOf = (more: Ask = {}) => withOne(async ({ teamId }) => teamId, more);

async function secondTeam({ token }: Person): Promise<string> {
  return (await answered("POST /team", { token, body: { name: "Second" } })).id;
}

const hook = { url: "https://1.1.1.1/hook", events: ["*"] };

/** Registers a webhook, then moves it to a private address, so that no attempt leaves this machine. */
async function webhook({ token }: Person): Promise<string> {
  const { id } = await answered("POST /api/v1/webhooks", { token, body: hook });
  const url = "https://10.0.0.1/hook";
  await db().updateTable("webhook_endpoints").set({ url }).where("id", "=", id).execute();
  return id;
}

/** An owner with a webhook for all events. */
async function subscriber() {
  const home = await withPicture(await enterprise());
  return { ...home, webhookId: await webhook(home) };
}

const withSubscriber =
  (make: (home: Person & Home) => Promise<string>, more: Ask = {}) =>
  async () => {
    const home = await subscriber();
    return as(home, { path: { id: await make(home) }, ...more });
  };

/** A delivery to the webhook of a new owner. */
async function delivery(status: "pending" | "failed" = "pending") {
  const { webhookId: id, ...home } = await subscriber();
  const archived = await inProject(home);
  await answered("POST /api/v1/projects/{id}/archive", as(home, { path: { id: archived } }));
  const { data } = await answered("GET /api/v1/webhooks/{id}/deliveries", as(home, { path: { id } }));
  const deliveryId: string = data[0].id;
  if (status === "failed")
    await db()
      .updateTable("webhook_deliveries")
      .set({ status, next_attempt_at: null, completed_at: Clock.now() })
      .where("id", "=", deliveryId)
      .execute();
  return { home, path: { id, deliveryId } };
}

/** A user with a second session on a device. */
async function onDevice(): Promise<{ who: Person; deviceId: string; sessionId: string }> {
  const who = await person();
  const { token } = await answered("POST /auth/login", { body: { email: who.email, password } });
  const device = await answered("GET /user/devices", { token });
  const { data } = await answered("GET /user/sessions", { token });
  const { id: sessionId } = data.find(({ current }: { current: boolean }) => current);
  return { who, deviceId: device.data[0].id, sessionId };
}

async function apiToken(who: Person & Home): Promise<string> {
  const body = { name: "Export", scopes: ["read"], workspaceId: who.workspaceId };
  return (await answered("POST /user/tokens", { token: who.token, body })).id;
}

const newcomer = () => ({ email: `${randomUUID()}@new.test`, role: "member" });

async function invitation() {
  const home = await enterprise();
  const path = { id: home.teamId };
  const { id } = await answered("POST /team/{id}/invitations", as(home, { path, body: newcomer() }));
  return as(home, { path: { ...path, invitationId: id } });
}

async function invited(): Promise<Ask> {
  const [home, who] = [await enterprise(), await person()];
  const { token, row } = link();
  await db()
    .insertInto("invitations")
    .values({
      ...row,
      id: newId("inv"),
      workspace_id: home.workspaceId,
      team_id: home.teamId,
      email: who.email,
      email_key: who.email,
      role: "member",
      invited_by: home.id,
    })
    .execute();
  return as(who, { body: { token } });
}

/** The emergency bypass of an admin whom the IP allowlist locks out. */
async function lockedOut(home?: Person & Home): Promise<Ask> {
  home ??= await enterprise();
  const { code } = await withApp(await withPicture(home));
  const body = { enabled: true, entries: [{ cidr: "192.0.2.0/24" }] };
  await answered("PUT /api/v1/security/ip-allowlist", as(home, { ip: "192.0.2.10", body }));
  const proof = { method: "totp", code: code(1), reason: "The office is on fire" };
  return { body: { email: home.email, password, ...proof } };
}

/** A user with failed sign-ins, so that the next one is suspicious and sent to a webhook. */
async function withFailedSignIns(): Promise<Person & Home> {
  const home = await enterprise();
  await webhook(home);
  const nowhere = { ip: "203.0.113.7", user_agent: "", country: "", city: "", device_name: "" };
  const failure = { outcome: "failure", method: "password", suspicious: false, reasons: "[]" };
  for (let n = 0; n < manyFailures; n++)
    await db()
      .insertInto("logins")
      .values({ ...nowhere, ...failure, id: newId("log"), user_id: home.id, at: Clock.now() })
      .execute();
  return home;
}

async function member(): Promise<Ask> {
  const home = await enterprise();
  return as(await colleague(home), { path: { id: home.workspaceId } });
}

/** Leaves one delivery that is due, without a message in the queue. */
async function due() {
  await db().deleteFrom("webhook_deliveries").execute();
  const { workspaceId, webhookId: endpointId } = await subscriber();
  const [now, deliveryId] = [Clock.now(), newId("whd")];
  await db()
    .insertInto("webhook_deliveries")
    .values({
      id: deliveryId,
      endpoint_id: endpointId,
      workspace_id: workspaceId,
      event_id: newId("evt"),
      type: "project.archived",
      body: "{}",
      status: "pending",
      failure_count: 0,
      attempt_count: 0,
      next_attempt_at: now,
      created_at: now,
    })
    .execute();
  return { deliveryId, endpointId };
}

async function overridden(): Promise<Person & Home> {
  const home = await subscriber();
  const body = { rate: "1.5", reason: "Agreed" };
  await answered("PUT /api/v1/currencies/{code}/override", as(home, { path: { code: "USD" }, body }));
  return home;
}

/**
 * Prepares a valid request for each route, for tests of promises that all routes keep. Uploads need a bucket, emails a mail
 * server.
 */
export const calls: Record<RouteKey, () => Promise<Ask>> = {
  "GET /health": async () => ({}),
  "GET /openapi.json": async () => ({}),

  "POST /auth/register": async () => ({
    body: { email: `${randomUUID()}@new.test`, password, name: "Grace" },
  }),
  "POST /auth/email/verify": async () => ({ body: { token: await registration() } }),
  "POST /auth/login": async () => ({ body: { email: (await withPicture(await person())).email, password } }),
  "POST /auth/login/2fa": async () => {
    const who = await withPicture(await withAuthenticatorApp());
    const mfaToken = await mfaTokenOf(who);
    return { body: { mfaToken, method: "totp", code: who.app.code(1) } };
  },
  "POST /auth/login/2fa/webauthn-options": async () => ({
    body: { mfaToken: await mfaTokenOf(await withSecurityKey()) },
  }),
  "POST /auth/logout": async () => as(await person()),
  "GET /auth/me": async () => as(await withPicture(await person())),
  "POST /auth/reauthenticate": async () => as(await person(), { body: { password } }),
  "POST /auth/password/forgot": async () => ({ body: { email: (await person()).email } }),
  "POST /auth/password/reset": async () => {
    const { token, row } = link();
    const { id } = await person();
    await db()
      .insertInto("password_resets")
      .values({ ...row, user_id: id })
      .execute();
    return { body: { token, password: another } };
  },

  "GET /user/profile": async () => as(await withPicture(await person())),
  "PATCH /user/profile": async () => as(await withPicture(await person()), { body: { title: "Countess" } }),
  "PUT /user/password": async () =>
    as(await person(), { body: { currentPassword: password, newPassword: another } }),
  "GET /user/2fa": async () => as(await person()),
  "POST /user/2fa/totp": async () => as(await reauthenticated()),
  "POST /user/2fa/totp/verify": async () => {
    const who = await reauthenticated();
    const { secret } = await answered("POST /user/2fa/totp", as(who));
    return as(who, { body: { code: app(secret).code() } });
  },
  "DELETE /user/2fa/totp": async () => as(await withAuthenticatorApp()),
  "POST /user/2fa/webauthn/options": async () => as(await reauthenticated()),
  "POST /user/2fa/webauthn": async () => {
    const who = await reauthenticated();
    const { challenge } = await answered("POST /user/2fa/webauthn/options", as(who));
    return as(who, { body: { credential: authenticator().register({ challenge }), name: "Key" } });
  },
  "GET /user/2fa/webauthn": async () => as(await person()),
  "DELETE /user/2fa/webauthn/{id}": async () => {
    const who = await withSecurityKey();
    return as(who, { path: { id: who.credentialId } });
  },
  "POST /user/2fa/backup-codes": async () => as(await withAuthenticatorApp()),

  "POST /api/upload/avatar": async () => as(await withPicture(await person()), { form: form(picture) }),
  "DELETE /api/upload/avatar": async () => as(await withPicture(await person())),
  "DELETE /user/avatar": async () => as(await withPicture(await person())),

  "GET /workspaces": async () => asOwner(),
  "POST /workspaces": async () => as(await person(), { body: { name: "Works" } }),

  "GET /team": async () => asOwner(),
  "POST /team": async () => asOwner({ body: { name: "Crew" } }),
  "GET /team/{id}": teamOf(),
  "PATCH /team/{id}": teamOf({ body: { name: "Crew" } }),
  "DELETE /team/{id}": withOne(secondTeam),
  "GET /team/{id}/members": teamOfPictures,
  "POST /team/{id}/members": async () => {
    const home = await enterprise();
    const { id: userId } = await withPicture(await colleague(home));
    return as(home, { path: { id: await secondTeam(home) }, body: { userId } });
  },
  "PATCH /team/{id}/members/{userId}": async () => {
    const home = await enterprise();
    const { id: userId } = await withPicture(await colleague(home));
    return as(home, { path: { id: home.teamId, userId }, body: { role: "manager" } });
  },
  "DELETE /team/{id}/members/{userId}": async () => {
    const home = await enterprise();
    return as(home, { path: { id: home.teamId, userId: (await colleague(home)).id } });
  },

  "GET /api/v1/workspace": async () => asOwner(),
  "GET /api/v1/workspace/members": async () => as(await withPicture(await enterprise())),
  "PATCH /api/v1/workspace": async () => as(await subscriber(), { body: { baseCurrency: "USD" } }),
  "GET /api/v1/currencies": async () => asOwner(),
  "GET /api/v1/currencies/{code}/rates": async () => asOwner({ path: { code: "USD" } }),
  "PUT /api/v1/currencies/{code}/override": async () =>
    as(await subscriber(), { path: { code: "USD" }, body: { rate: "1.5", reason: "Agreed" } }),
  "DELETE /api/v1/currencies/{code}/override": async () => as(await overridden(), { path: { code: "USD" } }),

  "GET /api/v1/projects": async () => asOwner(),
  "POST /api/v1/projects": async () =>
    asOwner({ headers: { "idempotency-key": randomUUID() }, body: { name: "Engine", currency: "EUR" } }),
  "GET /api/v1/projects/recent": async () => asOwner(),
  "GET /api/v1/projects/{id}": withOne(inProject),
  "PATCH /api/v1/projects/{id}": withOne(inProject, { body: { client: "Babbage" } }),
  "DELETE /api/v1/projects/{id}": withOne(inProject),
  "POST /api/v1/projects/{id}/archive": withSubscriber(inProject),
  "POST /api/v1/projects/{id}/unarchive": withOne(async (home) => {
    const id = await inProject(home);
    await answered("POST /api/v1/projects/{id}/archive", as(home, { path: { id } }));
    return id;
  }),
  "GET /api/v1/projects/{id}/budget": withOne((home) => inProject(home, { budget: budgetOf(100) })),

  "GET /api/v1/time-entries": async () => asPictured(entry),
  "POST /api/v1/time-entries": async () => {
    const home = await subscriber();
    // This hour spends the budget, so the request also records a warning.
    const projectId = await inProject(home, { budget: budgetOf(1) });
    return as(home, { body: { ...hour, projectId } });
  },
  "POST /api/v1/time-entries/start": async () => {
    const home = await subscriber();
    const projectId = await inProject(home);
    await answered("POST /api/v1/time-entries", as(home, { body: { ...hour, projectId } }));
    // The budget is set after the time was tracked, so the start of the timer records the warning.
    await answered(
      "PATCH /api/v1/projects/{id}",
      as(home, { path: { id: projectId }, body: { budget: budgetOf(1) } }),
    );
    return as(home, { body: { projectId } });
  },
  "POST /api/v1/time-entries/stop": async () => {
    const home = await subscriber();
    const projectId = await inProject(home, { budget: budgetOf(1) });
    await answered("POST /api/v1/time-entries/start", as(home, { body: { projectId } }));
    const hourAgo = new Date(Clock.now().getTime() - 3_600_000);
    await db()
      .updateTable("time_entries")
      .set({ started_at: hourAgo })
      .where("project_id", "=", projectId)
      .execute();
    return as(home);
  },
  "GET /api/v1/time-entries/running": async () => as(await running(await withPicture(await enterprise()))),
  "GET /api/v1/time-entries/{id}": async () => asPictured(entry),
  "PATCH /api/v1/time-entries/{id}": withSubscriber((home) => entry(home, { budget: budgetOf(2) }), {
    body: { endedAt: "2026-11-20T11:00:00Z" },
  }),
  "DELETE /api/v1/time-entries/{id}": withOne(entry),
  "GET /api/v1/entries": async () => asPictured(entry),

  "GET /api/v1/audit-logs": async () => asPictured(entry, { query: { include: "actor" } }),

  "GET /api/v1/webhooks": async () => as(await subscriber()),
  "POST /api/v1/webhooks": async () => asOwner({ body: hook }),
  "GET /api/v1/webhooks/events": async () => asOwner(),
  "GET /api/v1/webhooks/{id}": withOne(webhook),
  "PATCH /api/v1/webhooks/{id}": withOne(webhook, { body: { description: "Chat" } }),
  "DELETE /api/v1/webhooks/{id}": withOne(webhook),
  "POST /api/v1/webhooks/{id}/rotate-secret": withOne(webhook),
  "POST /api/v1/webhooks/{id}/test": withOne(webhook, { body: {} }),
  "POST /api/v1/webhooks/{id}/recover": async () => {
    const { home, path } = await delivery("failed");
    const since = new Date(Clock.now().getTime() - 3_600_000).toISOString();
    return as(home, { path: { id: path.id }, body: { since } });
  },
  "GET /api/v1/webhooks/{id}/deliveries": withOne(webhook),
  "GET /api/v1/webhooks/{id}/deliveries/{deliveryId}": async () => {
    const { home, path } = await delivery();
    return as(home, { path });
  },
  "POST /api/v1/webhooks/{id}/deliveries/{deliveryId}/retry": async () => {
    const { home, path } = await delivery("failed");
    return as(home, { path });
  },

  "POST /auth/emergency-bypass": () => lockedOut(),
  "POST /auth/invitations/accept": invited,
  "DELETE /user": async () => as(await withPicture(await reauthenticated())),
  "GET /user/export": async () => as(await withPicture(await enterprise())),
  "GET /user/sessions": async () => as(await person()),
  "DELETE /user/sessions": async () => as((await onDevice()).who),
  "DELETE /user/sessions/{id}": async () => {
    const { who, sessionId } = await onDevice();
    return as(who, { path: { id: sessionId } });
  },
  "GET /user/devices": async () => as((await onDevice()).who),
  "PATCH /user/devices/{id}": async () => {
    const { who, deviceId } = await onDevice();
    return as(who, { path: { id: deviceId }, body: { name: "Laptop" } });
  },
  "DELETE /user/devices/{id}": async () => {
    const { who, deviceId } = await onDevice();
    return as(who, { path: { id: deviceId } });
  },
  "GET /user/login-history": async () => as((await onDevice()).who),
  "GET /user/security": async () => as(await person()),
  "PATCH /user/security": async () => as(await person(), { body: { idleTimeoutMinutes: 60 } }),
  "GET /user/tokens": async () => asOwner(),
  "POST /user/tokens": async () => {
    const home = await enterprise();
    const { workspaceId } = home;
    return as(home, { body: { name: "Export", scopes: ["read"], workspaceId } });
  },
  "DELETE /user/tokens/{id}": withOne(apiToken),
  "POST /workspaces/{id}/leave": member,
  "POST /workspaces/{id}/transfer": async () => {
    const home = await enterprise();
    return as(home, { path: { id: home.workspaceId }, body: { userId: (await colleague(home)).id } });
  },
  "GET /team/{id}/invitations": teamOf(),
  "POST /team/{id}/invitations": async () => {
    const home = await enterprise();
    return as(home, { path: { id: home.teamId }, body: newcomer() });
  },
  "DELETE /team/{id}/invitations/{invitationId}": invitation,
  "GET /api/v1/security/ip-allowlist": async () => asOwner(),
  "PUT /api/v1/security/ip-allowlist": async () =>
    asOwner({ body: { enabled: true, entries: ["10.0.0.0/8", "127.0.0.1"].map((cidr) => ({ cidr })) } }),
  "GET /api/v1/security/login-map": async () => asOwner(),

  "GET /api/v1/reports/summary": async () => asOwner({ query: { group_by: "user" } }),
  "GET /api/v1/reports/custom": async () => asOwner({ query: { columns: "user,day", group_by: "user" } }),
  "POST /api/v1/reports/generate": async () => asOwner({ body: file }),
  "POST /api/v1/reports": async () => asOwner({ body: file }),
  "GET /api/v1/reports/{id}": withOne(
    async (home) => (await answered("POST /api/v1/reports/generate", as(home, { body: file }))).id,
  ),

  "GET /auth/session": async () => as(await person()),
  "GET /api/v1/consents/policy": async () => ({}),
  "POST /api/v1/consents": async () =>
    as(await person(), { body: { policyVersion, categories: [], action: "reject_all" } }),
  "GET /api/v1/consents/mine": async () => as(await person()),

  $default: async () => ({}),
};

/** Further valid requests of a route that write other rows or need more rights, by what is different. */
export const others: Partial<Record<RouteKey, Record<string, () => Promise<Ask>>>> = {
  "POST /auth/login": {
    "when the sign-in is suspicious": async () => ({
      body: { email: (await withFailedSignIns()).email, password },
    }),
  },
  "POST /auth/emergency-bypass": {
    "when the sign-in is suspicious": async () => lockedOut(await withFailedSignIns()),
  },
  "POST /auth/login/2fa": {
    "when the sign-in is suspicious": async () => {
      const who = await withFailedSignIns();
      const { code } = await withApp(who);
      return { body: { mfaToken: await mfaTokenOf(who), method: "totp", code: code(1) } };
    },
    "with a backup code": async () => {
      const who = await withAuthenticatorApp();
      const [code = ""] = who.app.backupCodes;
      return { body: { mfaToken: await mfaTokenOf(who), method: "backup_code", code } };
    },
    "with a security key": async () => {
      const who = await withSecurityKey();
      const mfaToken = await mfaTokenOf(who);
      const { challenge } = await answered("POST /auth/login/2fa/webauthn-options", { body: { mfaToken } });
      return { body: { mfaToken, method: "webauthn", credential: who.key.assert({ challenge }) } };
    },
  },
};

/** All requests: the name, the route, and how to prepare it. */
export const everyCall: [name: string, key: RouteKey, make: () => Promise<Ask>][] = (
  Object.entries(calls) as [RouteKey, () => Promise<Ask>][]
).flatMap(([key, make]) => [
  [key, key, make],
  ...Object.entries(others[key] ?? {}).map(([how, other]): [string, RouteKey, typeof other] => [
    `${key} ${how}`,
    key,
    other,
  ]),
]);

async function teamOfPictures(): Promise<Ask> {
  const home = await withPicture(await enterprise());
  return as(home, { path: { id: home.teamId } });
}

/** A request by a user with an avatar, which the response shows, for the resource that `make` creates. */
async function asPictured(make: (home: Person & Home) => Promise<string>, more: Ask = {}): Promise<Ask> {
  const home = await withPicture(await enterprise());
  return as(home, { path: { id: await make(home) }, ...more });
}

function budgetOf(hours: number) {
  return { type: "hours", amount: String(hours), period: "total", alertThresholdPercent: 80 };
}

const file = { type: "detailed", format: "csv" };

const longAgo = new Date("2020-01-01T00:00:00Z");

/** Prepares a run of each job with something to do, and returns its input. Rates come from the banks of the environment. */
export const runs: Record<JobName, () => Promise<unknown>> = {
  migrate: async () => ({}),
  "set-plan": async () => ({ workspaceId: (await owner()).workspaceId, plan: "PRO" }),
  "reseal-secrets": async () => {
    // Leaves one secret, encrypted with an older key.
    const older = `older:${Buffer.alloc(32, 5).toString("base64url")}`;
    const own = process.env.ENCRYPTION_KEYS?.replace(/,?older:[\w-]+,?/, "");
    await db().deleteFrom("totp_factors").execute();
    process.env.ENCRYPTION_KEYS = `${older},${own}`;
    await withAuthenticatorApp();
    process.env.ENCRYPTION_KEYS = `${own},${older}`;
    return {};
  },
  "sweep-avatars": async () => {
    // An avatar that was removed from the row but not from the bucket.
    const { id } = await withPicture(await person());
    await db().updateTable("users").set({ avatar: "" }).where("id", "=", id).execute();
    Clock.advance(3700);
    return {};
  },
  "forecast-budgets": async () => {
    // Archives all other projects, so that this budget is the only one in use.
    await db()
      .updateTable("projects")
      .set({ archived_at: longAgo })
      .where("archived_at", "is", null)
      .execute();
    const home = await subscriber();
    const id = await inProject(home, { budget: budgetOf(1) });
    await answered("POST /api/v1/time-entries", as(home, { body: { ...hour, projectId: id } }));
    await db().deleteFrom("budget_warnings").where("project_id", "=", id).execute();
    return {};
  },
  "purge-expired": async () => {
    // Deleted accounts are old enough, so that their history is not searched again.
    await db()
      .updateTable("users")
      .set({ deleted_at: longAgo })
      .where("deleted_at", "is not", null)
      .execute();
    await registration(longAgo);
    const { id } = await person();
    const { row } = link();
    await db()
      .insertInto("password_resets")
      .values({ ...row, user_id: id, expires_at: longAgo })
      .execute();
    await db()
      .insertInto("rate_counters")
      .values({ subject: randomUUID(), window_started_at: longAgo, calls: 1, expires_at: longAgo })
      .execute();
    await db().updateTable("sessions").set({ expires_at: longAgo }).where("user_id", "=", id).execute();
    const report = await answered("POST /api/v1/reports/generate", await asOwner({ body: file }));
    await db().updateTable("reports").set({ expires_at: longAgo }).where("id", "=", report.id).execute();
    return {};
  },
  "deliver-webhooks": async () => {
    const message = { messageId: "message", eventSource: "aws:sqs", body: JSON.stringify(await due()) };
    return { Records: [message] };
  },
  "retry-webhooks": async () => {
    const { endpointId } = await due();
    // A disabled webhook whose admins have not been notified yet.
    const { webhookId } = await subscriber();
    const notice = { enabled: false, disabled_reason: "gone", disabled_at: longAgo, notice_due_at: longAgo };
    await db()
      .updateTable("webhook_endpoints")
      .set({ notice_due_at: null })
      .where("id", "<>", endpointId)
      .execute();
    await db().updateTable("webhook_endpoints").set(notice).where("id", "=", webhookId).execute();
    return {};
  },
  "refresh-rates": async () => {
    for (const table of ["rates", "quarantined_rates", "rate_feeds"] as const)
      await db().deleteFrom(table).execute();
    return {};
  },
};
