import { randomUUID } from "node:crypto";
import { newPassword } from "../account.ts";
import { type Check, localOnly } from "../check.ts";
import { expectEqual, expectMatch } from "../http.ts";
import { toolsOf } from "../stage.ts";

const needsSession = localOnly("needs a session, which only a password gives");
const needsMail = localOnly("needs the mailbox");

/** Checks of accounts: what needs a session, a password or the mailbox. They run only against `npm start`. */
export const account: readonly Check[] = [
  {
    name: "registration",
    title: "an account is registered, signs in and out, and is deleted",
    skip: needsMail,
    operations: [
      "POST /auth/register",
      "POST /auth/email/verify",
      "POST /auth/login",
      "POST /auth/logout",
      "GET /auth/me",
      "POST /auth/reauthenticate",
      "DELETE /user",
    ],
    async run(run) {
      const user = await run.account();
      const { email, password } = user;
      const me = await user.call("GET /auth/me");
      expectEqual("GET /auth/me: account", [me.body.id, me.body.email], [user.id, email]);
      const wrong = {
        expect: 401,
        code: "invalid_credentials",
        body: { email, password: "a wrong password" },
      };
      await run.client()("POST /auth/login", wrong);
      const { body } = await run.client()("POST /auth/login", { body: { email, password } });
      const session = run.client(body.token);
      await session("DELETE /user", { expect: 403, code: "reauthentication_required" });
      await session("POST /auth/logout", { expect: 204 });
      await session("GET /auth/me", { expect: 401, code: "session_ended" });
      await user.call("DELETE /user", { expect: 204 });
      user.deleted = true;
      await user.call("GET /auth/me", { expect: 401 });
      await run.client()("POST /auth/login", {
        expect: 401,
        code: "invalid_credentials",
        body: { email, password },
      });
    },
  },
  {
    name: "profile",
    title: "the profile is read and changed with an API token",
    operations: ["GET /user/profile", "PATCH /user/profile"],
    async run({ admin, cleanUp }) {
      const call = await admin();
      const { title } = (await call("GET /user/profile")).body;
      cleanUp("the title of the profile", () => call("PATCH /user/profile", { body: { title } }));
      const changed = await call("PATCH /user/profile", { body: { title: "Smoke test" } });
      expectEqual("PATCH /user/profile: title", changed.body.title, "Smoke test");
    },
  },
  {
    name: "sessions",
    title: "sessions and devices are listed, renamed and ended",
    skip: needsSession,
    operations: [
      "GET /user/sessions",
      "DELETE /user/sessions",
      "DELETE /user/sessions/{id}",
      "GET /user/devices",
      "PATCH /user/devices/{id}",
      "DELETE /user/devices/{id}",
      "GET /user/login-history",
      "GET /user/security",
      "PATCH /user/security",
    ],
    async run({ account, client }) {
      const { email, password, call } = await account();
      // Another browser than that of the registration: without its token, a device is recognized by browser and system.
      const headers = {
        "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
      };
      const signIn = async () =>
        client((await client()("POST /auth/login", { body: { email, password }, headers })).body.token);
      const others = async () =>
        (await call("GET /user/sessions")).body.data.filter(({ current }: { current: boolean }) => !current);
      const second = await signIn();
      const [{ id }, ...more] = await others();
      expectEqual("GET /user/sessions: further sessions", more, []);
      await call("DELETE /user/sessions/{id}", { expect: 204, path: { id } });
      await second("GET /auth/me", { expect: 401, code: "session_ended" });
      const third = await signIn();
      const [{ deviceId }] = await others();
      const renamed = await call("PATCH /user/devices/{id}", {
        path: { id: deviceId },
        body: { name: "Laptop" },
      });
      expectEqual("PATCH /user/devices/{id}: name", renamed.body.name, "Laptop");
      const devices = (await call("GET /user/devices")).body.data;
      expectEqual(
        "GET /user/devices: has it",
        devices.some(({ id }: { id: string }) => id === deviceId),
        true,
      );
      await call("DELETE /user/devices/{id}", { expect: 204, path: { id: deviceId } });
      await third("GET /auth/me", { expect: 401, code: "session_ended" });
      const fourth = await signIn();
      await call("DELETE /user/sessions", { expect: 204 });
      await fourth("GET /auth/me", { expect: 401, code: "session_ended" });
      await call("GET /auth/me");
      const { data } = (await call("GET /user/login-history")).body;
      expectEqual(
        "GET /user/login-history: last",
        [data[0]?.outcome, data[0]?.method],
        ["success", "password"],
      );
      await call("PATCH /user/security", { body: { idleTimeoutMinutes: 60 } });
      expectEqual("GET /user/security: idle", (await call("GET /user/security")).body.idleTimeoutMinutes, 60);
    },
  },
  {
    name: "api-tokens",
    title: "an API token can do what its scope says, until it is revoked",
    skip: needsSession,
    operations: ["GET /user/tokens", "POST /user/tokens", "DELETE /user/tokens/{id}"],
    async run({ account, client }) {
      const { call, workspaceId } = await account();
      const body = { name: "Reader", scopes: ["read"], workspaceId };
      const created = (await call("POST /user/tokens", { expect: 201, body })).body;
      const reader = client(created.token);
      await reader("GET /api/v1/projects");
      const project = { expect: 403, code: "insufficient_scope", body: { name: "Smoke" } };
      await reader("POST /api/v1/projects", project);
      const [listed] = (await call("GET /user/tokens")).body.data;
      expectEqual("GET /user/tokens: token", [listed?.id, listed?.token], [created.id, undefined]);
      await call("DELETE /user/tokens/{id}", { expect: 204, path: { id: created.id } });
      await reader("GET /api/v1/projects", { expect: 401, code: "token_invalid" });
    },
  },
  {
    name: "own-data",
    title: "a user exports the account, has several workspaces, and chooses cookies",
    skip: needsSession,
    operations: [
      "GET /user/export",
      "GET /workspaces",
      "POST /workspaces",
      "POST /api/v1/consents",
      "GET /api/v1/consents/mine",
    ],
    async run({ account, client }) {
      const { call, email, workspaceId } = await account();
      expectEqual("GET /user/export: email", (await call("GET /user/export")).body.profile?.email, email);
      const second = await call("POST /workspaces", { expect: 201, body: { name: "Second" } });
      const ids = (await call("GET /workspaces")).body.data.map(({ id }: { id: string }) => id);
      expectEqual("GET /workspaces: ids", ids.sort(), [workspaceId, second.body.id].sort());
      const { policyVersion } = (await client()("GET /api/v1/consents/policy")).body;
      const body = { policyVersion, categories: [], action: "reject_all" };
      const { id } = (await call("POST /api/v1/consents", { expect: 201, body })).body;
      expectEqual("GET …/mine: id", (await call("GET /api/v1/consents/mine")).body.data[0]?.id, id);
    },
  },
  {
    name: "password",
    title: "a password is changed, and reset with an emailed link that works once",
    skip: needsMail,
    operations: ["PUT /user/password", "POST /auth/password/forgot", "POST /auth/password/reset"],
    async run({ stage, account, client }) {
      const user = await account();
      const { email } = user;
      /** Checks that only the new password signs in. */
      const signIn = async (password: string) => {
        const old = { email, password: user.password };
        await client()("POST /auth/login", { expect: 401, code: "invalid_credentials", body: old });
        await client()("POST /auth/login", { body: { email, password } });
        user.password = password;
      };
      const changed = newPassword();
      const body = { currentPassword: user.password, newPassword: changed };
      await user.call("PUT /user/password", { expect: 204, body });
      await signIn(changed);
      await client()("POST /auth/password/forgot", { expect: 202, body: { email } });
      const { token } = await toolsOf(stage).link(email, "reset-password");
      const reset = { token, password: newPassword() };
      await client()("POST /auth/password/reset", { expect: 204, body: reset });
      await signIn(reset.password);
      await client()("POST /auth/password/reset", { expect: 410, code: "link_expired", body: reset });
    },
  },
  {
    name: "email-change",
    title: "an email is changed with the link to the new one, and restored with the link to the old one",
    skip: needsMail,
    operations: ["PUT /user/email", "POST /auth/email/confirm", "POST /auth/email/undo"],
    async run({ stage, account, client }) {
      const user = await account();
      const { email: old, password } = user;
      const email = `smoke-${randomUUID()}@smoke.test`;
      await user.call("PUT /user/email", { expect: 202, body: { email, password } });
      const confirm = await toolsOf(stage).link(email, "confirm-email");
      await client()("POST /auth/email/confirm", { expect: 204, body: { token: confirm.token } });
      user.email = email;
      await client()("POST /auth/login", { body: { email, password } });
      const undo = await toolsOf(stage).link(old, "undo-email-change");
      const { resetToken } = (await client()("POST /auth/email/undo", { body: { token: undo.token } })).body;
      user.email = old;
      expectMatch("POST /auth/email/undo: resetToken", resetToken, /./);
      user.password = newPassword();
      const body = { token: resetToken, password: user.password };
      await client()("POST /auth/password/reset", { expect: 204, body });
      await client()("POST /auth/login", { body: { email: old, password: user.password } });
    },
  },
];
