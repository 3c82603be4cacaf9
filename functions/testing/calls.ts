import { randomInt, randomUUID } from "node:crypto";
import * as Chain from "@svc/core/audit/proof/chain";
import * as Clock from "@svc/core/base/clock";
import { newId } from "@svc/core/base/id";
import { policyVersion } from "@svc/core/consent/policy";
import * as Erasure from "@svc/core/event/erasure";
import * as Event from "@svc/core/event/event";
import * as Password from "@svc/core/identity/password/hash";
import { manyFailures } from "@svc/core/identity/sign-in/suspicion";
import { reapply } from "@svc/core/lifecycle/reapply-erasures";
import { recordErasures } from "@svc/core/lifecycle/record-erasures";
import { hashSecret, newSecret } from "@svc/core/platform/crypto/secret";
import { db } from "@svc/core/platform/db/engine";
import * as JobCursor from "@svc/core/platform/db/job-cursor";
import { transaction } from "@svc/core/platform/db/transaction";
import { chainUntil } from "@svc/core/testing/audit-log";
import { authenticator } from "@svc/core/testing/authenticator";
import { app, withApp, withPasskey } from "@svc/core/testing/factors";
import {
  colleague,
  type Home,
  owner,
  type Person,
  password,
  person,
  reauthenticated,
} from "@svc/core/testing/people";
import { jpeg } from "@svc/core/testing/pictures";
import { clearRates } from "@svc/core/testing/rates";
import type { JobName } from "../jobs.ts";
import type { RouteKey } from "../routes.ts";
import { form, type RequestOptions, request } from "./request.ts";

/** Returns a random client IP address, so that calls do not share a rate limit. */
const ip = () => `10.${[1, 2, 3].map(() => randomInt(256)).join(".")}`;
const newPassword = "another long sentence";
const image = await jpeg({ width: 60, height: 40 });

const enterprise = () => owner("Ada", "ENTERPRISE");

async function withAvatar<P extends Person>(user: P): Promise<P> {
  await bodyOf("POST /api/upload/avatar", { token: user.token, form: form(image) });
  return user;
}

/** Sends a request and returns the body of its response. Throws unless the request succeeds. */
async function bodyOf(route: RouteKey, options: RequestOptions) {
  const { status, body } = await request(route, { ip: ip(), ...options });
  if (status >= 300) throw new Error(`${route} responded with ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** Creates a user with an authenticator app. */
async function withAuthenticatorApp() {
  const user = await reauthenticated(await person());
  return { ...user, app: await withApp(user) };
}

async function withSecurityKey() {
  const user = await reauthenticated(await person());
  const key = authenticator();
  const { challenge } = await bodyOf("POST /user/2fa/webauthn/options", { token: user.token });
  const body = { credential: key.register({ challenge }), name: "Key" };
  const { id } = await bodyOf("POST /user/2fa/webauthn", { token: user.token, body });
  return { ...user, key, credentialId: id as string };
}

async function mfaTokenOf({ email }: Person): Promise<string> {
  return (await bodyOf("POST /auth/login", { body: { email, password } })).mfaToken;
}

/** Creates the token of an emailed link, and the columns that store its hash. */
function newLink() {
  const token = newSecret();
  const now = Clock.now();
  const row = {
    token_hash: hashSecret(token),
    created_at: now,
    expires_at: new Date(now.getTime() + 600_000),
  };
  return { token, row };
}

/** Stores a requested change of a user's email and returns the tokens of its links. */
async function requestedEmailChange() {
  const user = await person();
  const { password_hash } = await db()
    .selectFrom("users")
    .select("password_hash")
    .where("id", "=", user.id)
    .executeTakeFirstOrThrow();
  const { token, row } = newLink();
  const { token: undoToken, row: undo } = newLink();
  const emails = { old_email: user.email, new_email: `${randomUUID()}@new.test` };
  await db()
    .insertInto("email_changes")
    .values({
      ...row,
      ...emails,
      user_id: user.id,
      undo_hash: undo.token_hash,
      undo_expires_at: undo.expires_at,
      password_fingerprint: Password.fingerprint(password_hash),
    })
    .execute();
  return { token, undoToken };
}

async function createRegistration(expiresAt?: Date): Promise<string> {
  const { token, row } = newLink();
  const email = `${randomUUID()}@new.test`;
  const details = { name: "Grace", password_hash: await Password.hash(password), workspace_name: "Home" };
  await db()
    .insertInto("registrations")
    .values({
      ...row,
      ...details,
      email,
      email_key: email,
      ...(expiresAt && { expires_at: expiresAt }),
    })
    .execute();
  return token;
}

async function createProject(home: Person & Home, budget: object = {}): Promise<string> {
  const body = { name: `Engine ${randomUUID()}`, currency: "EUR", hourlyRate: "80", ...budget };
  return (await bodyOf("POST /api/v1/projects", { token: home.token, body })).id;
}

const hour = { startedAt: "2026-11-20T09:00:00Z", endedAt: "2026-11-20T10:00:00Z" };

async function createEntry(home: Person & Home, budget: object = {}): Promise<string> {
  const body = { ...hour, projectId: await createProject(home, budget) };
  return (await bodyOf("POST /api/v1/time-entries", { token: home.token, body })).id;
}

async function withRunningTimer(home: Person & Home): Promise<Person & Home> {
  const body = { projectId: await createProject(home) };
  await bodyOf("POST /api/v1/time-entries/start", { token: home.token, body });
  return home;
}

const asUser = ({ token }: Person, more: RequestOptions = {}): RequestOptions => ({ token, ...more });
const asOwner = async (more: RequestOptions = {}) => asUser(await enterprise(), more);
const withResource =
  (make: (home: Person & Home) => Promise<string>, more: RequestOptions = {}) =>
  async () => {
    const home = await enterprise();
    return asUser(home, { path: { id: await make(home) }, ...more });
  };
/** Prepares a request for a list, by an owner who has made something that it contains. */
const listWith =
  (make: (home: Person & Home) => Promise<unknown>, more: RequestOptions = {}) =>
  async () => {
    const home = await enterprise();
    await make(home);
    return asUser(home, more);
  };
const teamOf = (more: RequestOptions = {}) => withResource(async ({ teamId }) => teamId, more);

async function secondTeam({ token }: Person): Promise<string> {
  return (await bodyOf("POST /team", { token, body: { name: "Second" } })).id;
}

const webhookBody = { url: "https://1.1.1.1/hook", events: ["*"] };

/** Registers a webhook, then moves it to a private address, so that no attempt leaves this machine. */
async function webhook({ token }: Person): Promise<string> {
  const { id } = await bodyOf("POST /api/v1/webhooks", { token, body: webhookBody });
  const url = "https://10.0.0.1/hook";
  await db().updateTable("webhook_endpoints").set({ url }).where("id", "=", id).execute();
  return id;
}

/** Creates an owner with a webhook for all events. */
async function subscriber() {
  const home = await withAvatar(await enterprise());
  return { ...home, webhookId: await webhook(home) };
}

const withSubscriber =
  (make: (home: Person & Home) => Promise<string>, more: RequestOptions = {}) =>
  async () => {
    const home = await subscriber();
    return asUser(home, { path: { id: await make(home) }, ...more });
  };

/** Creates an owner, a webhook and one delivery to it. */
async function delivery(status: "pending" | "failed" = "pending") {
  const { webhookId: id, ...home } = await subscriber();
  const archived = await createProject(home);
  await bodyOf("POST /api/v1/projects/{id}/archive", asUser(home, { path: { id: archived } }));
  const { data } = await bodyOf("GET /api/v1/webhooks/{id}/deliveries", asUser(home, { path: { id } }));
  const deliveryId: string = data[0].id;
  if (status === "failed")
    await db()
      .updateTable("webhook_deliveries")
      .set({ status, next_attempt_at: null, completed_at: Clock.now() })
      .where("id", "=", deliveryId)
      .execute();
  return { home, path: { id, deliveryId } };
}

/** Creates a user with a second session, on a known device. */
async function withDevice(): Promise<{ user: Person; deviceId: string; sessionId: string }> {
  const user = await person();
  const { token } = await bodyOf("POST /auth/login", { body: { email: user.email, password } });
  const device = await bodyOf("GET /user/devices", { token });
  const { data } = await bodyOf("GET /user/sessions", { token });
  const { id: sessionId } = data.find(({ current }: { current: boolean }) => current);
  return { user, deviceId: device.data[0].id, sessionId };
}

async function apiToken(user: Person & Home): Promise<string> {
  await reauthenticated(user);
  const body = { name: "Export", scopes: ["read"], workspaceId: user.workspaceId };
  return (await bodyOf("POST /user/tokens", { token: user.token, body })).id;
}

const rejection = { policyVersion, categories: [], action: "reject_all" };

const newcomer = () => ({ email: `${randomUUID()}@new.test`, role: "member" });

async function invitation() {
  const home = await enterprise();
  const path = { id: home.teamId };
  const { id } = await bodyOf("POST /team/{id}/invitations", asUser(home, { path, body: newcomer() }));
  return asUser(home, { path: { ...path, invitationId: id } });
}

async function invitedUser(): Promise<RequestOptions> {
  const [home, user] = [await enterprise(), await person()];
  const { token, row } = newLink();
  await db()
    .insertInto("invitations")
    .values({
      ...row,
      id: newId("inv"),
      workspace_id: home.workspaceId,
      team_id: home.teamId,
      email: user.email,
      email_key: user.email,
      role: "member",
      invited_by: home.id,
    })
    .execute();
  return asUser(user, { body: { token } });
}

/** Prepares the emergency bypass of an admin whom the IP allowlist locks out. */
async function lockedOut(home?: Person & Home): Promise<RequestOptions> {
  home ??= await enterprise();
  const { code } = await withApp(await withAvatar(home));
  const body = { enabled: true, entries: [{ cidr: "192.0.2.0/24" }] };
  await bodyOf("PUT /api/v1/security/ip-allowlist", asUser(home, { ip: "192.0.2.10", body }));
  const proof = { method: "totp", code: code(1), reason: "The office is on fire" };
  return { body: { email: home.email, password, ...proof } };
}

/** Creates a user whose next sign-in is suspicious, because of failed ones, and is sent to a webhook. */
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

async function memberOptions(): Promise<RequestOptions> {
  const home = await enterprise();
  return asUser(await colleague(home), { path: { id: home.workspaceId } });
}

/** Replaces all deliveries by one that is due and has no message in the queue. */
async function dueDelivery() {
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

async function withOverride(): Promise<Person & Home> {
  const home = await subscriber();
  const body = { rate: "1.5", reason: "Agreed" };
  await bodyOf("PUT /api/v1/currencies/{code}/override", asUser(home, { path: { code: "USD" }, body }));
  return home;
}

/** Prepares a valid request for each route, for tests that cover all routes. Some requests need a bucket or a mail server. */
export const calls: Record<RouteKey, () => Promise<RequestOptions>> = {
  "GET /health": async () => ({}),
  "HEAD /health": async () => ({}),
  "GET /openapi.json": async () => ({}),
  "HEAD /openapi.json": async () => ({}),

  "POST /auth/register": async () => ({
    body: { email: `${randomUUID()}@new.test`, password, name: "Grace" },
  }),
  "POST /auth/email/verify": async () => ({ body: { token: await createRegistration(), password } }),
  "POST /auth/email/confirm": async () => ({ body: { token: (await requestedEmailChange()).token } }),
  "POST /auth/email/undo": async () => {
    const { token, undoToken } = await requestedEmailChange();
    // Only the undoing of a confirmed change sends an email.
    await bodyOf("POST /auth/email/confirm", { body: { token } });
    return { body: { token: undoToken } };
  },
  "POST /auth/login": async () => ({ body: { email: (await withAvatar(await person())).email, password } }),
  "POST /auth/login/2fa": async () => {
    const user = await withAvatar(await withAuthenticatorApp());
    const mfaToken = await mfaTokenOf(user);
    return { body: { mfaToken, method: "totp", code: user.app.code(1) } };
  },
  "POST /auth/login/2fa/webauthn-options": async () => ({
    body: { mfaToken: await mfaTokenOf(await withSecurityKey()) },
  }),
  "POST /auth/passkey/options": async () => ({}),
  "POST /auth/passkey": async () => {
    const passkey = await withPasskey(await withAvatar(await person()));
    return { body: await passkey.proof() };
  },
  "POST /auth/logout": async () => asUser(await person()),
  "GET /auth/me": async () => asUser(await withAvatar(await person())),
  "POST /auth/reauthenticate": async () => asUser(await person(), { body: { password } }),
  "POST /auth/password/forgot": async () => ({ body: { email: (await person()).email } }),
  "POST /auth/password/reset": async () => {
    const { token, row } = newLink();
    const { id } = await person();
    await db()
      .insertInto("password_resets")
      .values({ ...row, user_id: id })
      .execute();
    return { body: { token, password: newPassword } };
  },

  "GET /user/profile": async () => asUser(await withAvatar(await person())),
  "PATCH /user/profile": async () =>
    asUser(await withAvatar(await person()), { body: { title: "Countess" } }),
  "PUT /user/email": async () =>
    asUser(await person(), { body: { email: `${randomUUID()}@new.test`, password } }),
  "PUT /user/password": async () =>
    asUser(await person(), { body: { currentPassword: password, newPassword } }),
  "GET /user/2fa": async () => asUser(await person()),
  "POST /user/2fa/totp": async () => asUser(await reauthenticated(await person())),
  "POST /user/2fa/totp/verify": async () => {
    const user = await reauthenticated(await person());
    const { secret } = await bodyOf("POST /user/2fa/totp", asUser(user));
    return asUser(user, { body: { code: app(secret).code() } });
  },
  "DELETE /user/2fa/totp": async () => asUser(await withAuthenticatorApp()),
  "POST /user/2fa/webauthn/options": async () => asUser(await reauthenticated(await person())),
  "POST /user/2fa/webauthn": async () => {
    const user = await reauthenticated(await person());
    const { challenge } = await bodyOf("POST /user/2fa/webauthn/options", asUser(user));
    return asUser(user, { body: { credential: authenticator().register({ challenge }), name: "Key" } });
  },
  "GET /user/2fa/webauthn": async () => asUser(await withSecurityKey()),
  "DELETE /user/2fa/webauthn/{id}": async () => {
    const user = await withSecurityKey();
    return asUser(user, { path: { id: user.credentialId } });
  },
  "POST /user/2fa/backup-codes": async () => asUser(await withAuthenticatorApp()),

  "POST /api/upload/avatar": async () => asUser(await withAvatar(await person()), { form: form(image) }),
  "DELETE /api/upload/avatar": async () => asUser(await withAvatar(await person())),
  "DELETE /user/avatar": async () => asUser(await withAvatar(await person())),

  "GET /workspaces": async () => asOwner(),
  "POST /workspaces": async () => asUser(await person(), { body: { name: "Works" } }),

  "GET /team": async () => asOwner(),
  "POST /team": async () => asOwner({ body: { name: "Crew" } }),
  "GET /team/{id}": teamOf(),
  "PATCH /team/{id}": teamOf({ body: { name: "Crew" } }),
  "DELETE /team/{id}": withResource(secondTeam),
  "GET /team/{id}/members": teamWithAvatars,
  "POST /team/{id}/members": async () => {
    const home = await enterprise();
    const { id: userId } = await withAvatar(await colleague(home));
    return asUser(home, { path: { id: await secondTeam(home) }, body: { userId } });
  },
  "PATCH /team/{id}/members/{userId}": async () => {
    const home = await enterprise();
    const { id: userId } = await withAvatar(await colleague(home));
    return asUser(home, { path: { id: home.teamId, userId }, body: { role: "manager" } });
  },
  "DELETE /team/{id}/members/{userId}": async () => {
    const home = await enterprise();
    return asUser(home, { path: { id: home.teamId, userId: (await colleague(home)).id } });
  },

  "GET /api/v1/workspace": async () => asOwner(),
  "GET /api/v1/workspace/members": async () => asUser(await withAvatar(await enterprise())),
  "PATCH /api/v1/workspace/members/{userId}": async () => {
    const home = await enterprise();
    const { id: userId } = await withAvatar(await colleague(home));
    return asUser(home, { path: { userId }, body: { role: "manager" } });
  },
  "DELETE /api/v1/workspace/members/{userId}": async () => {
    const home = await reauthenticated(await enterprise());
    return asUser(home, { path: { userId: (await colleague(home)).id } });
  },
  "PATCH /api/v1/workspace": async () => asUser(await subscriber(), { body: { baseCurrency: "USD" } }),
  "GET /api/v1/currencies": async () => asOwner(),
  "GET /api/v1/currencies/{code}/rates": async () => asOwner({ path: { code: "USD" } }),
  "PUT /api/v1/currencies/{code}/override": async () =>
    asUser(await subscriber(), { path: { code: "USD" }, body: { rate: "1.5", reason: "Agreed" } }),
  "DELETE /api/v1/currencies/{code}/override": async () =>
    asUser(await withOverride(), { path: { code: "USD" }, query: { all: "true" } }),

  "GET /api/v1/projects": listWith(createProject),
  "POST /api/v1/projects": async () =>
    asOwner({ headers: { "idempotency-key": randomUUID() }, body: { name: "Engine", currency: "EUR" } }),
  "GET /api/v1/projects/recent": listWith(createEntry),
  "GET /api/v1/projects/{id}": withResource(createProject),
  "PATCH /api/v1/projects/{id}": withResource(createProject, { body: { client: "Babbage" } }),
  "DELETE /api/v1/projects/{id}": withResource(createProject),
  "POST /api/v1/projects/{id}/archive": withSubscriber(createProject),
  "POST /api/v1/projects/{id}/unarchive": withResource(async (home) => {
    const id = await createProject(home);
    await bodyOf("POST /api/v1/projects/{id}/archive", asUser(home, { path: { id } }));
    return id;
  }),
  "GET /api/v1/projects/{id}/budget": withResource((home) => createProject(home, { budget: budgetOf(100) })),

  "GET /api/v1/time-entries": async () => withAvatarAnd(createEntry),
  "POST /api/v1/time-entries": async () => {
    const home = await subscriber();
    // This hour spends the budget, so the request also records a warning.
    const projectId = await createProject(home, { budget: budgetOf(1) });
    return asUser(home, { body: { ...hour, projectId } });
  },
  "POST /api/v1/time-entries/start": async () => {
    const home = await subscriber();
    const projectId = await createProject(home);
    await bodyOf("POST /api/v1/time-entries", asUser(home, { body: { ...hour, projectId } }));
    // The budget is set after the time was tracked, so the start of the timer records the warning.
    await bodyOf(
      "PATCH /api/v1/projects/{id}",
      asUser(home, { path: { id: projectId }, body: { budget: budgetOf(1) } }),
    );
    return asUser(home, { body: { projectId } });
  },
  "POST /api/v1/time-entries/stop": async () => {
    const home = await subscriber();
    const projectId = await createProject(home, { budget: budgetOf(1) });
    await bodyOf("POST /api/v1/time-entries/start", asUser(home, { body: { projectId } }));
    const hourAgo = new Date(Clock.now().getTime() - 3_600_000);
    await db()
      .updateTable("time_entries")
      .set({ started_at: hourAgo })
      .where("project_id", "=", projectId)
      .execute();
    return asUser(home);
  },
  "GET /api/v1/time-entries/running": async () =>
    asUser(await withRunningTimer(await withAvatar(await enterprise()))),
  "GET /api/v1/time-entries/{id}": async () => withAvatarAnd(createEntry),
  "PATCH /api/v1/time-entries/{id}": withSubscriber((home) => createEntry(home, { budget: budgetOf(2) }), {
    body: { endedAt: "2026-11-20T11:00:00Z" },
  }),
  "DELETE /api/v1/time-entries/{id}": withResource(createEntry),
  "PATCH /api/v1/time-entries": async () => {
    const home = await subscriber();
    const ids = [await createEntry(home, { budget: budgetOf(2) }), await createEntry(home)];
    return asUser(home, { body: { ids, changes: { endedAt: "2026-11-20T11:00:00Z" } } });
  },
  "POST /api/v1/time-entries/delete": async () => {
    const home = await enterprise();
    return asUser(home, { body: { ids: [await createEntry(home), await createEntry(home)] } });
  },
  "POST /api/v1/time-entries/{id}/duplicate": withSubscriber((home) =>
    createEntry(home, { budget: budgetOf(2) }),
  ),
  "POST /api/v1/time-entries/{id}/split": withSubscriber(
    async (home) => {
      const id = await createEntry(home, { budget: budgetOf(1) });
      // The warning that the entry caused is due again.
      await db()
        .deleteFrom("budget_warnings")
        .where("project_id", "in", (one) =>
          one
            .selectFrom("time_entries")
            .select((row) => row.ref("project_id").$castTo<string>().as("project_id"))
            .where("id", "=", id),
        )
        .execute();
      return id;
    },
    { body: { at: "2026-11-20T09:20:00Z" } },
  ),
  "GET /api/v1/suggestions": listWith((home) => createProject(home, { client: "Babbage & Co" }), {
    query: { field: "client" },
  }),
  "GET /api/v1/entries": async () => withAvatarAnd(createEntry),

  "GET /api/v1/audit-logs": async () => withAvatarAnd(createEntry, { query: { include: "actor" } }),
  "GET /api/v1/audit-logs/checkpoint": async () => {
    const home = await enterprise();
    await chainUntil();
    return asUser(home);
  },

  "GET /api/v1/webhooks": async () => asUser(await subscriber()),
  "POST /api/v1/webhooks": async () => asOwner({ body: webhookBody }),
  "GET /api/v1/webhooks/events": async () => asOwner(),
  "GET /api/v1/webhooks/{id}": withResource(webhook),
  "PATCH /api/v1/webhooks/{id}": withResource(webhook, { body: { description: "Chat" } }),
  "DELETE /api/v1/webhooks/{id}": withResource(webhook),
  "POST /api/v1/webhooks/{id}/rotate-secret": withResource(webhook),
  "POST /api/v1/webhooks/{id}/test": withResource(webhook, { body: {} }),
  "POST /api/v1/webhooks/{id}/recover": async () => {
    const { home, path } = await delivery("failed");
    const since = new Date(Clock.now().getTime() - 3_600_000).toISOString();
    return asUser(home, { path: { id: path.id }, body: { since } });
  },
  "GET /api/v1/webhooks/{id}/deliveries": async () => {
    const { home, path } = await delivery();
    return asUser(home, { path: { id: path.id } });
  },
  "GET /api/v1/webhooks/{id}/deliveries/{deliveryId}": async () => {
    const { home, path } = await delivery();
    return asUser(home, { path });
  },
  "POST /api/v1/webhooks/{id}/deliveries/{deliveryId}/retry": async () => {
    const { home, path } = await delivery("failed");
    return asUser(home, { path });
  },

  "POST /auth/emergency-bypass": () => lockedOut(),
  "POST /auth/invitations/accept": invitedUser,
  "DELETE /user": async () => asUser(await withAvatar(await reauthenticated(await person()))),
  "GET /user/export": async () => asUser(await withAvatar(await enterprise())),
  "GET /user/sessions": async () => asUser(await person()),
  "DELETE /user/sessions": async () => asUser((await withDevice()).user),
  "DELETE /user/sessions/{id}": async () => {
    const { user, sessionId } = await withDevice();
    return asUser(user, { path: { id: sessionId } });
  },
  "GET /user/devices": async () => asUser((await withDevice()).user),
  "PATCH /user/devices/{id}": async () => {
    const { user, deviceId } = await withDevice();
    return asUser(user, { path: { id: deviceId }, body: { name: "Laptop" } });
  },
  "DELETE /user/devices/{id}": async () => {
    const { user, deviceId } = await withDevice();
    return asUser(user, { path: { id: deviceId } });
  },
  "GET /user/login-history": async () => asUser((await withDevice()).user),
  "GET /user/security": async () => asUser(await person()),
  "PATCH /user/security": async () => asUser(await person(), { body: { idleTimeoutMinutes: 60 } }),
  "GET /user/tokens": listWith(apiToken),
  "POST /user/tokens": async () => {
    const home = await reauthenticated(await enterprise());
    const { workspaceId } = home;
    return asUser(home, { body: { name: "Export", scopes: ["read"], workspaceId } });
  },
  "DELETE /user/tokens/{id}": withResource(apiToken),
  "POST /workspaces/{id}/leave": memberOptions,
  "POST /workspaces/{id}/transfer": async () => {
    const home = await reauthenticated(await enterprise());
    return asUser(home, { path: { id: home.workspaceId }, body: { userId: (await colleague(home)).id } });
  },
  "GET /team/{id}/invitations": withResource(async (home) => {
    const path = { id: home.teamId };
    await bodyOf("POST /team/{id}/invitations", asUser(home, { path, body: newcomer() }));
    return home.teamId;
  }),
  "POST /team/{id}/invitations": async () => {
    const home = await enterprise();
    return asUser(home, { path: { id: home.teamId }, body: newcomer() });
  },
  "DELETE /team/{id}/invitations/{invitationId}": invitation,
  "GET /api/v1/security/ip-allowlist": async () => asOwner(),
  "PUT /api/v1/security/ip-allowlist": async () =>
    asOwner({ body: { enabled: true, entries: ["10.0.0.0/8", "127.0.0.1"].map((cidr) => ({ cidr })) } }),
  "GET /api/v1/security/login-map": async () => asOwner(),

  "GET /api/v1/reports/summary": listWith(createEntry, { query: { group_by: "user" } }),
  "GET /api/v1/reports/custom": listWith(createEntry, {
    query: { columns: "user,day", group_by: "user" },
  }),
  "POST /api/v1/reports/generate": async () => asOwner({ body: file }),
  "POST /api/v1/reports": async () => asOwner({ body: file }),
  "GET /api/v1/reports/{id}": withResource(
    async (home) => (await bodyOf("POST /api/v1/reports/generate", asUser(home, { body: file }))).id,
  ),

  "GET /auth/session": async () => asUser(await person()),
  "GET /api/v1/consents/policy": async () => ({}),
  "POST /api/v1/consents": async () => asUser(await person(), { body: rejection }),
  "GET /api/v1/consents/mine": async () => {
    const user = await person();
    await bodyOf("POST /api/v1/consents", asUser(user, { body: rejection }));
    return asUser(user);
  },

  $default: async () => ({}),
};

/**
 * Prepares further valid requests of a route that write other rows or need more rights. The keys complete the name of the
 * route.
 */
export const otherCalls: Partial<Record<RouteKey, Record<string, () => Promise<RequestOptions>>>> = {
  "POST /auth/login": {
    "when the sign-in is suspicious": async () => ({
      body: { email: (await withFailedSignIns()).email, password },
    }),
  },
  "POST /auth/passkey": {
    "when the sign-in is suspicious": async () => {
      const passkey = await withPasskey(await withFailedSignIns());
      return { body: await passkey.proof() };
    },
  },
  "POST /auth/reauthenticate": {
    "with a passkey": async () => {
      const user = await person();
      return asUser(user, { body: { method: "passkey", ...(await (await withPasskey(user)).proof()) } });
    },
  },
  "POST /auth/emergency-bypass": {
    "when the sign-in is suspicious": async () => lockedOut(await withFailedSignIns()),
    "with a passkey": async () => {
      const home = await enterprise();
      await lockedOut(home);
      const proof = await (await withPasskey(home)).proof();
      return { body: { method: "passkey", ...proof, reason: "The office is on fire" } };
    },
  },
  "POST /auth/login/2fa": {
    "when the sign-in is suspicious": async () => {
      const user = await withFailedSignIns();
      const { code } = await withApp(user);
      return { body: { mfaToken: await mfaTokenOf(user), method: "totp", code: code(1) } };
    },
    "with a backup code": async () => {
      const user = await withAuthenticatorApp();
      const [code = ""] = user.app.backupCodes;
      return { body: { mfaToken: await mfaTokenOf(user), method: "backup_code", code } };
    },
    "with a security key": async () => {
      const user = await withSecurityKey();
      const mfaToken = await mfaTokenOf(user);
      const { challenge } = await bodyOf("POST /auth/login/2fa/webauthn-options", { body: { mfaToken } });
      return { body: { mfaToken, method: "webauthn", credential: user.key.assert({ challenge }) } };
    },
  },
};

/** All requests, each with its name, its route, and the function that prepares it. */
export const everyCall: [name: string, key: RouteKey, make: () => Promise<RequestOptions>][] = (
  Object.entries(calls) as [RouteKey, () => Promise<RequestOptions>][]
).flatMap(([key, make]) => [
  [key, key, make],
  ...Object.entries(otherCalls[key] ?? {}).map(([how, other]): [string, RouteKey, typeof other] => [
    `${key} ${how}`,
    key,
    other,
  ]),
]);

async function teamWithAvatars(): Promise<RequestOptions> {
  const home = await withAvatar(await enterprise());
  return asUser(home, { path: { id: home.teamId } });
}

/** Prepares a request for the resource that `make` creates, by a user whose avatar the response includes. */
async function withAvatarAnd(
  make: (home: Person & Home) => Promise<string>,
  more: RequestOptions = {},
): Promise<RequestOptions> {
  const home = await withAvatar(await enterprise());
  return asUser(home, { path: { id: await make(home) }, ...more });
}

function budgetOf(hours: number) {
  return { type: "hours", amount: String(hours), period: "total", alertThresholdPercent: 80 };
}

const file = { type: "detailed", format: "csv" };

const longAgo = new Date("2020-01-01T00:00:00Z");

/** Records and applies the erasures that earlier calls have left, so that a job only finds the one prepared for it. */
async function finishErasures(): Promise<void> {
  await recordErasures();
  await reapply({}, { requestId: "calls", remainingMs: () => 900_000 });
  await recordErasures();
}

function noteErasure(account: string): Promise<void> {
  return db()
    .transaction()
    .execute((tx) => Erasure.note(tx, { account }, Clock.now()));
}

/** Chains all audit logs, and then records one more entry that can be chained. Returns its workspace. */
async function withUnchainedEntry(): Promise<string> {
  const { workspaceId } = await subscriber();
  Clock.advance(3600);
  // Another call may have chained entries of a later time.
  await JobCursor.store("chain-audit-logs", "");
  await Chain.chainAll([]);
  const target = { type: "workspace", id: workspaceId, name: "Home" } as const;
  const event = { action: "workspace.updated", target, workspaceId } as const;
  const at = new Date(Clock.now().getTime() - 1_200_000);
  await transaction((tx) => Event.record(tx, { job: "test", requestId: "test" }, event, at));
  return workspaceId;
}

/** Prepares work for each job and returns the job's input. Rates come from the banks that the environment configures. */
export const jobInputs: Record<JobName, () => Promise<unknown>> = {
  migrate: async () => ({}),
  "set-plan": async () => ({ workspaceId: (await owner()).workspaceId, plan: "PRO" }),
  "reseal-secrets": async () => {
    // Only one secret remains, encrypted with an older key.
    const older = `older:${Buffer.alloc(32, 5).toString("base64url")}`;
    const own = process.env.ENCRYPTION_KEYS?.replace(/,?older:[\w-]+,?/, "");
    await db().deleteFrom("totp_factors").execute();
    process.env.ENCRYPTION_KEYS = `${older},${own}`;
    await withAuthenticatorApp();
    process.env.ENCRYPTION_KEYS = `${own},${older}`;
    return {};
  },
  "sweep-avatars": async () => {
    // An avatar in use, and one that was removed from the row but not from the bucket.
    await withAvatar(await person());
    const { id } = await withAvatar(await person());
    await db().updateTable("users").set({ avatar: "" }).where("id", "=", id).execute();
    Clock.advance(3700);
    return {};
  },
  "make-small-avatars": async () => {
    // An avatar from before there were small ones.
    const { id } = await withAvatar(await person());
    await db().updateTable("users").set({ avatar_placeholder: null }).where("id", "=", id).execute();
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
    const id = await createProject(home, { budget: budgetOf(1) });
    await bodyOf("POST /api/v1/time-entries", asUser(home, { body: { ...hour, projectId: id } }));
    await db().deleteFrom("budget_warnings").where("project_id", "=", id).execute();
    return {};
  },
  "check-sums": async () => {
    // A project from before there were sums. The run continues right before it. Projects of earlier calls that advanced the
    // clock come after it until the clock has caught up, so they are deleted: the run must make the same commits each time.
    const home = await owner();
    const projectId = await createProject(home);
    await bodyOf("POST /api/v1/time-entries", asUser(home, { body: { ...hour, projectId } }));
    await db().deleteFrom("projects").where("id", ">", projectId).execute();
    await db().deleteFrom("project_sums").where("project_id", "=", projectId).execute();
    await db().updateTable("projects").set({ sums_complete_at: null }).where("id", "=", projectId).execute();
    await JobCursor.store("check-sums", projectId.slice(0, -1));
    return {};
  },
  "chain-audit-logs": async () => {
    await withUnchainedEntry();
    return {};
  },
  "check-audit-logs": async () => {
    // The end of the chain has no checkpoint yet.
    const workspaceId = await withUnchainedEntry();
    await Chain.chainAll([]);
    return { workspaceId };
  },
  "purge-expired": async () => {
    // Mark all deleted accounts as erased, so that the job does not search for leftovers of these accounts.
    await db().updateTable("users").set({ erased_at: longAgo }).where("deleted_at", "is not", null).execute();
    await createRegistration(longAgo);
    const { undoToken } = await requestedEmailChange();
    await db()
      .updateTable("email_changes")
      .set({ undo_expires_at: longAgo })
      .where("undo_hash", "=", hashSecret(undoToken))
      .execute();
    const { id } = await person();
    const { row } = newLink();
    await db()
      .insertInto("password_resets")
      .values({ ...row, user_id: id, expires_at: longAgo })
      .execute();
    await db()
      .insertInto("rate_counters")
      .values({ subject: randomUUID(), window_started_at: longAgo, calls: 1, expires_at: longAgo })
      .execute();
    await db().updateTable("sessions").set({ expires_at: longAgo }).where("user_id", "=", id).execute();
    const report = await bodyOf("POST /api/v1/reports/generate", await asOwner({ body: file }));
    await db().updateTable("reports").set({ expires_at: longAgo }).where("id", "=", report.id).execute();
    return {};
  },
  "record-erasures": async () => {
    await finishErasures();
    const { id } = await person();
    await noteErasure(id);
    return {};
  },
  "reapply-erasures": async () => {
    // The account and the avatar of someone who had deleted both before a backup was restored.
    await finishErasures();
    const { id } = await withAvatar(await person());
    await noteErasure(id);
    await recordErasures();
    return {};
  },
  "deliver-webhooks": async () => {
    const message = {
      messageId: "message",
      eventSource: "aws:sqs",
      body: JSON.stringify(await dueDelivery()),
    };
    return { Records: [message] };
  },
  "retry-webhooks": async () => {
    const { endpointId } = await dueDelivery();
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
    await clearRates();
    return {};
  },
};
