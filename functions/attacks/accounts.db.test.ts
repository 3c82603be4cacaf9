import { randomUUID } from "node:crypto";
import * as Clock from "@svc/core/base/clock";
import * as AuthenticatorApp from "@svc/core/identity/factors/authenticator-app";
import { db } from "@svc/core/platform/db/engine";
import { actorOf, app, withPasskey } from "@svc/core/testing/factors";
import { owner, password, person } from "@svc/core/testing/people";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { mailServer } from "../testing/mails.ts";
import { request } from "../testing/request.ts";

const mails = mailServer();
beforeEach(() => {
  // Start at the beginning of a day, so that all calls of a test are in the same windows of the limits.
  Clock.advance(86_400 - (Math.floor(Clock.now().getTime() / 1000) % 86_400));
});
afterEach(() => Clock.reset());

const newEmail = () => `${randomUUID()}@victim.test`;
const ip = () => `10.${[1, 2, 3].map(() => Math.floor(Math.random() * 256)).join(".")}`;
const call = (route: Parameters<typeof request>[0], body: object, more: object = {}) =>
  request(route, { ip: ip(), body, ...more });
const linkTo = (email: string, page: string, at = -1) =>
  mails
    .to(email)
    .map(({ text }) => new RegExp(`/${page}#token=([\\w-]+)`).exec(text ?? "")?.[1])
    .filter((token) => token !== undefined)
    .at(at) ?? "";
const tokenTo = (email: string) => /#token=([\w-]+)/.exec(mails.to(email).at(-1)?.text ?? "")?.[1] ?? "";
const attackersPassword = "the attacker's passphrase";

describe("a registration with someone else's email", () => {
  it("does not give the victim an account with the attacker's password", async () => {
    const email = newEmail();
    await call("POST /auth/register", { email, password, name: "Victim" });
    await call("POST /auth/register", { email, password: attackersPassword, name: "Attacker" });
    const opened = await call("POST /auth/email/verify", { token: tokenTo(email), password });
    expect([opened.status, opened.body.user.name]).toEqual([200, "Victim"]);
    const attack = await call("POST /auth/login", { email, password: attackersPassword });
    expect([attack.status, attack.body.code]).toEqual([401, "invalid_credentials"]);
    expect((await call("POST /auth/login", { email, password })).status).toBe(200);
  });

  it("creates no account when the victim opens the link without a registration", async () => {
    const email = newEmail();
    await call("POST /auth/register", { email, password: attackersPassword, name: "Attacker" });
    const token = tokenTo(email);
    expect((await call("POST /auth/email/verify", { token })).status).toBe(422);
    expect((await call("POST /auth/email/verify", { token, password })).status).toBe(401);
    expect((await call("POST /auth/login", { email, password: attackersPassword })).status).toBe(401);
  });

  it("leaves nothing behind once the victim has confirmed theirs", async () => {
    const email = newEmail();
    await call("POST /auth/register", { email, password: attackersPassword, name: "Attacker" });
    const attackersLink = tokenTo(email);
    await call("POST /auth/register", { email, password, name: "Victim" });
    await call("POST /auth/email/verify", { token: tokenTo(email), password });
    const late = await call("POST /auth/email/verify", { token: attackersLink, password: attackersPassword });
    expect([late.status, late.body.code]).toEqual([410, "link_expired"]);
    expect(
      await db().selectFrom("registrations").select("name").where("email", "=", email).execute(),
    ).toEqual([]);
  });
});

describe("emails that an attacker has sent to a victim", () => {
  const link = "https://evil.example/login";
  const [userAgent, name] = [`${link} (urgent)`, `Bank: confirm at ${link}\u2028now`];

  it("contain no text of the User-Agent header", async () => {
    const ada = await person();
    const headers = { "user-agent": userAgent };
    await call("POST /auth/password/forgot", { email: ada.email }, { headers });
    await call("POST /auth/login", { email: ada.email, password, deviceName: name }, { headers });
    expect(mails.to(ada.email)).toHaveLength(2);
    for (const { text, html } of mails.to(ada.email)) expect(text + String(html)).not.toContain("evil");
  });

  it("contain no URL and no line break from the names of people, teams and workspaces", async () => {
    const home = await owner(name);
    await db().updateTable("workspaces").set({ name }).where("id", "=", home.workspaceId).execute();
    await db().updateTable("teams").set({ name }).where("id", "=", home.teamId).execute();
    const email = newEmail();
    const invitation = { token: home.token, path: { id: home.teamId } };
    expect((await call("POST /team/{id}/invitations", { email }, invitation)).status).toBe(201);
    const [mail] = mails.to(email);
    expect(mail?.subject).not.toMatch(/evil\.example|:\/\/|[\r\n\u2028]/);
    for (const part of [mail?.text, mail?.html]) {
      expect(part).toContain("evil[.]example");
      expect(part).not.toMatch(/evil\.example|https:\/\/evil|\u2028/);
    }
  });

  it("are limited to five an hour of each kind, and one kind does not use up another", async () => {
    const email = newEmail();
    const owners = await Promise.all([owner(), owner()]);
    const invite = (at: number) => {
      const { token, teamId } = owners[at % 2] as (typeof owners)[number];
      return call("POST /team/{id}/invitations", { email }, { token, path: { id: teamId } });
    };
    const statuses = [];
    for (let n = 0; n < 7; n++) {
      statuses.push((await call("POST /auth/register", { email, password, name: "Eve" })).status);
      statuses.push((await invite(n)).status);
    }
    expect(new Set(statuses)).toEqual(new Set([202, 201]));
    const subjects = () => mails.to(email).map(({ subject }) => subject);
    expect(subjects().filter((subject) => subject?.startsWith("Confirm"))).toHaveLength(5);
    expect(subjects().filter((subject) => subject?.includes("invited you"))).toHaveLength(5);
    await call("POST /auth/password/forgot", { email });
    expect(subjects().at(-1)).toBe("There is no account with this email");
  });

  it("do not void an invitation whose renewal was not sent", async () => {
    const home = await owner();
    const ada = await person();
    const invite = () =>
      call(
        "POST /team/{id}/invitations",
        { email: ada.email },
        { token: home.token, path: { id: home.teamId } },
      );
    for (let n = 0; n < 6; n++) expect((await invite()).status).toBe(201);
    expect(mails.to(ada.email)).toHaveLength(5);
    const accept = { token: tokenTo(ada.email) };
    expect((await call("POST /auth/invitations/accept", accept, { token: ada.token })).status).toBe(200);
  });

  it("come from at most 50 invitations a day of a workspace that is new or on the FREE plan", async () => {
    const [free, enterprise] = [await owner("Ada", "FREE"), await owner("Ada", "ENTERPRISE")];
    const invite = ({ token, teamId }: typeof free) =>
      call("POST /team/{id}/invitations", { email: newEmail() }, { token, path: { id: teamId } });
    const days = (count: number) => new Date(Clock.now().getTime() - count * 86_400_000);
    const createdAt = ({ workspaceId }: typeof free, created_at: Date) =>
      db().updateTable("workspaces").set({ created_at }).where("id", "=", workspaceId).execute();
    await createdAt(free, days(30));
    await createdAt(enterprise, days(6));
    for (const home of [free, enterprise]) {
      const counted = { subject: `dailyInvitations:${home.workspaceId}`, calls: 49 };
      const today = new Date(Math.floor(Clock.now().getTime() / 86_400_000) * 86_400_000);
      const window = { window_started_at: today, expires_at: days(-1) };
      await db()
        .insertInto("rate_counters")
        .values({ ...counted, ...window })
        .execute();
      expect((await invite(home)).status).toBe(201);
      const refused = await invite(home);
      expect([refused.status, refused.body.code]).toEqual([429, "rate_limited"]);
      expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    }
    await createdAt(enterprise, days(7));
    expect((await invite(enterprise)).status).toBe(201);
  });
});

describe("an attacker with a session and the password, who changes the email", () => {
  const attackersEmail = () => `${randomUUID()}@evil.test`;
  const changeTo = (email: string, token: string, secret = password) =>
    call("PUT /user/email", { email, password: secret }, { token });
  const confirm = (email: string) =>
    call("POST /auth/email/confirm", { token: linkTo(email, "confirm-email") });
  const undo = (email: string, at?: number) =>
    call("POST /auth/email/undo", { token: linkTo(email, "undo-email-change", at) });

  it("cannot learn whether an email has an account", async () => {
    const [ada, bob] = [await person(), await person()];
    const answers = [await changeTo(newEmail(), ada.token), await changeTo(bob.email, ada.token)];
    const shown = answers.map(({ status, body, headers }) => {
      const { "x-request-id": _, ratelimit: __, ...rest } = headers;
      return { status, body, rest };
    });
    expect(shown[0]).toEqual(shown[1]);
  });

  it("loses the account when the owner undoes the change, even after a changed password and a second change", async () => {
    const victim = await owner();
    const [first, second] = [attackersEmail(), attackersEmail()];
    await changeTo(first, victim.token);
    await confirm(first);
    const change = { currentPassword: password, newPassword: attackersPassword };
    expect((await call("PUT /user/password", change, { token: victim.token })).status).toBe(204);
    await changeTo(second, victim.token, attackersPassword);
    await confirm(second);
    await call("POST /auth/password/forgot", { email: second });
    const attackersReset = linkTo(second, "reset-password");
    const attackersUndo = linkTo(first, "undo-email-change");
    const { token } = (await call("POST /auth/login", { email: second, password: attackersPassword })).body;

    const undone = await undo(victim.email);
    expect(undone.status).toBe(200);
    expect((await request("GET /auth/me", { token })).status).toBe(401);
    for (const email of [victim.email, first, second])
      expect((await call("POST /auth/login", { email, password: attackersPassword })).status).toBe(401);
    const reset = { token: attackersReset, password: attackersPassword };
    expect((await call("POST /auth/password/reset", reset)).status).toBe(410);
    expect((await call("POST /auth/email/undo", { token: attackersUndo })).status).toBe(410);

    const recovered = { token: undone.body.resetToken, password: "the victim's new passphrase" };
    expect((await call("POST /auth/password/reset", recovered)).status).toBe(204);
    const signIn = { email: victim.email, password: recovered.password };
    expect((await call("POST /auth/login", signIn)).status).toBe(200);
  });

  it("does not keep the account with a passkey or an authenticator app that they prepared before", async () => {
    const victim = await person();
    const passkey = await withPasskey(victim);
    const { secret } = await AuthenticatorApp.begin(actorOf(victim));
    Clock.advance(1800);
    const email = attackersEmail();
    await changeTo(email, victim.token);
    await confirm(email);
    await AuthenticatorApp.confirm(actorOf(victim), { code: app(secret).code() });

    const recovered = { token: (await undo(victim.email)).body.resetToken, password: "the victim's new one" };
    expect((await call("POST /auth/password/reset", recovered)).status).toBe(204);
    expect((await call("POST /auth/passkey", await passkey.proof())).status).toBe(401);
    const signIn = await call("POST /auth/login", { email: victim.email, password: recovered.password });
    expect([signIn.status, signIn.body.mfaRequired]).toEqual([200, undefined]);
  });

  it("cannot hide from the audit log which API tokens the undo revoked", async () => {
    const victim = await owner();
    await call("POST /auth/reauthenticate", { password }, { token: victim.token });
    const token = { name: "Backdoor", scopes: ["admin"], workspaceId: victim.workspaceId };
    expect((await call("POST /user/tokens", token, { token: victim.token })).status).toBe(201);
    await changeTo(attackersEmail(), victim.token);
    await undo(victim.email);
    const events = db().selectFrom("events").select("target_name").where("actor_id", "=", victim.id);
    expect(await events.where("action", "=", "user.token_deleted").execute()).toEqual([
      { target_name: "Backdoor" },
    ]);
  });

  it("cannot confirm the change after the owner has chosen a new password", async () => {
    const victim = await person();
    const email = attackersEmail();
    await changeTo(email, victim.token);
    await call("POST /auth/password/forgot", { email: victim.email });
    const reset = { token: linkTo(victim.email, "reset-password"), password: "the victim's new passphrase" };
    await call("POST /auth/password/reset", reset);
    expect((await confirm(email)).status).toBe(410);
  });

  it("cannot void the owner's undo link with further requests", async () => {
    const victim = await person();
    for (let n = 0; n < 2; n++) await changeTo(attackersEmail(), victim.token);
    expect((await undo(victim.email, 0)).status).toBe(200);
  });

  it("cannot use a password reset link that was sent to the old email", async () => {
    const victim = await person();
    const email = newEmail();
    await call("POST /auth/password/forgot", { email: victim.email });
    await changeTo(email, victim.token);
    await confirm(email);
    const reset = { token: linkTo(victim.email, "reset-password"), password: attackersPassword };
    expect((await call("POST /auth/password/reset", reset)).status).toBe(410);
  });

  it("needs the password, and not an API token", async () => {
    const ada = await owner();
    const refused = await changeTo(attackersEmail(), ada.token, "a guess at the password");
    expect([refused.status, refused.body.code]).toEqual([403, "invalid_credentials"]);
    const body = { email: attackersEmail(), password };
    expect((await call("PUT /user/email", body)).status).toBe(401);
    await call("POST /auth/reauthenticate", { password }, { token: ada.token });
    const created = await call(
      "POST /user/tokens",
      { name: "CI", scopes: ["admin"], workspaceId: ada.workspaceId },
      { token: ada.token },
    );
    const answer = await call("PUT /user/email", body, { token: created.body.token });
    expect([answer.status, answer.body.code]).toEqual([403, "session_required"]);
  });
});
