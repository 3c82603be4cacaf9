import { randomUUID } from "node:crypto";
import * as Clock from "@svc/core/base/clock";
import { hashSecret } from "@svc/core/platform/crypto/secret";
import { db } from "@svc/core/platform/db/engine";
import { withApp } from "@svc/core/testing/factors";
import { owner, type Person, password, person } from "@svc/core/testing/people";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { handler as purge } from "../jobs/purge-expired.ts";
import { mailServer } from "../testing/mails.ts";
import { request } from "../testing/request.ts";

const mails = mailServer();
beforeEach(() => {
  // Start at the beginning of an hour, so that all calls of a test are in the same window of a limit.
  Clock.advance(3600 - (Math.floor(Clock.now().getTime() / 1000) % 3600));
});
afterEach(() => {
  Clock.reset();
  delete process.env.RATE_LIMITS;
});

const day = 86_400;
const newEmail = () => `${randomUUID()}@new.test`;
const ip = () => `10.${[1, 2, 3].map(() => Math.floor(Math.random() * 256)).join(".")}`;
const respelled = ({ email }: Person) => email.replace(/^[^@]+/, (name) => name.toUpperCase());
const change = ({ token }: Person, email: string, secret = password) =>
  request("PUT /user/email", { token, ip: ip(), body: { email, password: secret } });
const confirm = (token: string) => request("POST /auth/email/confirm", { ip: ip(), body: { token } });
const undo = (token: string) => request("POST /auth/email/undo", { ip: ip(), body: { token } });
const login = (email: string, secret = password) =>
  request("POST /auth/login", { ip: ip(), body: { email, password: secret } });
const emailOf = async ({ id }: Person) =>
  (await db().selectFrom("users").select("email").where("id", "=", id).executeTakeFirstOrThrow()).email;
const linkTo = (email: string, page: "confirm-email" | "undo-email-change", at = -1) =>
  mails
    .to(email)
    .map(({ text }) => new RegExp(`/${page}#token=([\\w-]+)`).exec(text ?? "")?.[1])
    .filter((token) => token !== undefined)
    .at(at) ?? "";
const confirmLink = (email: string) => linkTo(email, "confirm-email");
const undoLink = (email: string, at = -1) => linkTo(email, "undo-email-change", at);

/** Changes a user's email and confirms it. */
async function changed(user: Person, email = newEmail()): Promise<string> {
  await change(user, email);
  expect((await confirm(confirmLink(email))).status).toBe(204);
  return email;
}

describe("PUT /user/email", () => {
  it("changes the email that the user signs in with once the link in the email to it is opened", async () => {
    const ada = await person();
    const email = newEmail();
    expect(await change(ada, email)).toMatchObject({ status: 202, body: {} });
    expect((await login(ada.email)).status).toBe(200);
    expect((await login(email)).status).toBe(401);

    expect(await confirm(confirmLink(email))).toMatchObject({ status: 204 });
    expect((await login(email)).body.user).toMatchObject({ id: ada.id, email, emailVerified: true });
    expect((await login(ada.email)).status).toBe(401);
    expect((await request("GET /auth/me", { token: ada.token })).body.email).toBe(email);
  });

  it("returns the same for an email with an account, and tells its owner without a link", async () => {
    const [ada, bob] = [await person(), await person()];
    expect(await change(ada, respelled(bob))).toMatchObject({ status: 202, body: {} });
    const [mail] = mails.to(respelled(bob));
    expect(mail?.subject).toBe("Your email already has an account");
    expect(mail?.text).not.toContain("#token=");
    expect(mails.to(ada.email).map(({ subject }) => subject)).toEqual([
      "The email of your account is being changed",
    ]);
  });

  it("notifies the current email, with the new one, circumstances and a link to undo", async () => {
    const ada = await person();
    await change(ada, "grace@new.test");
    const [mail] = mails.to(ada.email);
    expect(mail?.text).toMatch(
      /grace@new\[\.\]test[\s\S]*When: [\s\S]*Where: [\s\S]*Device: [\s\S]*works for 7 days/,
    );
    expect(undoLink(ada.email)).not.toBe("");
  });

  it("accepts the current email in another spelling", async () => {
    const ada = await person();
    await changed(ada, respelled(ada));
    expect(await emailOf(ada)).toBe(respelled(ada));
  });

  it("returns 403 invalid_credentials for a wrong password, and sends nothing", async () => {
    const ada = await person();
    const email = newEmail();
    const refused = await change(ada, email, "not the password");
    expect([refused.status, refused.body.code]).toEqual([403, "invalid_credentials"]);
    expect([...mails.to(email), ...mails.to(ada.email)]).toEqual([]);
  });

  it("returns 429 account_temporarily_locked after five wrong passwords", async () => {
    const ada = await person();
    for (let n = 0; n < 5; n++) await change(ada, newEmail(), "not the password");
    expect((await change(ada, newEmail())).body.code).toBe("account_temporarily_locked");
  });

  it("returns 422 for an invalid email", async () => {
    const answer = await change(await person(), "not an email");
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, "/email"]);
  });

  it("returns 429 rate_limited for a user who requests more changes than the limit", async () => {
    process.env.RATE_LIMITS = "emailChange=1/3600";
    const ada = await person();
    expect((await change(ada, newEmail())).status).toBe(202);
    const refused = await change(ada, newEmail());
    expect([refused.status, refused.body.code]).toEqual([429, "rate_limited"]);
  });

  it("sends no more emails to one new email than the limit, also for different users, and replies the same", async () => {
    process.env.RATE_LIMITS = "emailChange=1/3600";
    const email = newEmail();
    for (let n = 0; n < 2; n++) expect((await change(await person(), email)).status).toBe(202);
    expect(mails.to(email)).toHaveLength(1);
  });

  it("returns 502 mail_unavailable for free and taken emails when the mail server is down", async () => {
    const up = process.env.SMTP_URL;
    const [ada, bob] = [await person(), await person()];
    process.env.SMTP_URL = "smtp://127.0.0.1:1";
    const codes = [];
    for (const email of [newEmail(), bob.email]) codes.push((await change(ada, email)).body.code);
    process.env.SMTP_URL = up;
    expect(codes).toEqual(["mail_unavailable", "mail_unavailable"]);
  });

  it("stores only hashes of the links' tokens", async () => {
    const ada = await person();
    const email = newEmail();
    await change(ada, email);
    const row = await db()
      .selectFrom("email_changes")
      .selectAll()
      .where("user_id", "=", ada.id)
      .executeTakeFirstOrThrow();
    expect([row.token_hash, row.undo_hash]).toEqual(
      [confirmLink(email), undoLink(ada.email)].map((token) => hashSecret(token)),
    );
  });
});

describe("POST /auth/email/confirm", () => {
  const code = async (token: string) => (await confirm(token)).body?.code;

  it("returns 410 link_expired for an unknown link, one that was used, and one that is older than a day", async () => {
    const ada = await person();
    expect(await code("unknown")).toBe("link_expired");
    const used = confirmLink(await changed(ada));
    expect(await code(used)).toBe("link_expired");
    const email = newEmail();
    await change(ada, email);
    Clock.advance(day);
    expect(await code(confirmLink(email))).toBe("link_expired");
  });

  it("returns 410 link_expired for the link of a request that a later one replaced", async () => {
    const ada = await person();
    const [first, second] = [newEmail(), newEmail()];
    await change(ada, first);
    await change(ada, second);
    expect(await code(confirmLink(first))).toBe("link_expired");
    expect((await confirm(confirmLink(second))).status).toBe(204);
  });

  it("changes the email once when the link is used twice at once", async () => {
    const ada = await person();
    const email = newEmail();
    await change(ada, email);
    const token = confirmLink(email);
    const statuses = (await Promise.all([confirm(token), confirm(token)])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([204, 410]);
  });

  it("returns 409 email_taken if the email got an account meanwhile", async () => {
    const [ada, bob] = [await person(), await person()];
    const email = newEmail();
    await change(ada, email);
    await change(bob, email);
    const [adas, bobs] = mails.to(email).map(({ text }) => /#token=([\w-]+)/.exec(text ?? "")?.[1] ?? "");
    expect((await confirm(bobs ?? "")).status).toBe(204);
    const late = await confirm(adas ?? "");
    expect([late.status, late.body.code]).toEqual([409, "email_taken"]);
    expect(await emailOf(ada)).toBe(ada.email);
  });

  it("records the request and the change without a workspace, and the export has them", async () => {
    const ada = await owner("Ada");
    const email = await changed(ada);
    const { body } = await request("GET /user/export", { token: ada.token });
    expect(body.emailChanges).toMatchObject([{ oldEmail: ada.email, newEmail: email }]);
    const events = body.events.filter(({ action }: { action: string }) => action.startsWith("user.email"));
    expect(
      events.map(({ action, changes }: { action: string; changes: object }) => [action, changes]),
    ).toEqual(
      ["user.email_changed", "user.email_change_requested"].map((action) => [
        action,
        { email: { before: ada.email, after: email } },
      ]),
    );
  });
});

describe("POST /auth/email/undo", () => {
  it("restores the old email, ends all sessions, and lets the user choose a new password", async () => {
    const ada = await person();
    const email = await changed(ada);
    const undone = await undo(undoLink(ada.email));
    expect([undone.status, undone.headers["cache-control"]]).toEqual([200, "no-store"]);
    expect(await emailOf(ada)).toBe(ada.email);
    expect((await request("GET /auth/me", { token: ada.token })).status).toBe(401);
    for (const one of [ada.email, email]) expect((await login(one)).body.code).toBe("invalid_credentials");

    const body = { token: undone.body.resetToken, password: "a password after the undo" };
    expect((await request("POST /auth/password/reset", { ip: ip(), body })).status).toBe(204);
    expect((await login(ada.email, body.password)).status).toBe(200);
    expect(mails.to(email).at(-1)?.subject).toBe("The change of your email was undone");
  });

  it("also cancels a change that was not confirmed, and sends nothing more to the new email", async () => {
    const ada = await person();
    const email = newEmail();
    await change(ada, email);
    expect((await undo(undoLink(ada.email))).status).toBe(200);
    expect((await confirm(confirmLink(email))).status).toBe(410);
    expect((await login(ada.email)).status).toBe(401);
    expect(mails.to(email)).toHaveLength(1);
  });

  it("works for seven days after the change, and once", async () => {
    const [ada, bob] = [await person(), await person()];
    for (const user of [ada, bob]) {
      const email = newEmail();
      await change(user, email);
      Clock.advance(day / 2);
      await confirm(confirmLink(email));
      Clock.advance(-day / 2);
    }
    Clock.advance(7.5 * day - 1);
    expect((await undo(undoLink(ada.email))).status).toBe(200);
    expect((await undo(undoLink(ada.email))).body.code).toBe("link_expired");
    Clock.advance(2);
    expect((await undo(undoLink(bob.email))).body.code).toBe("link_expired");
  });

  it("returns 409 email_taken if the old email belongs to another account by now", async () => {
    const [ada, bob] = [await person(), await person()];
    await changed(ada);
    await changed(bob, ada.email);
    const refused = await undo(undoLink(ada.email, 0));
    expect([refused.status, refused.body.code]).toEqual([409, "email_taken"]);
  });

  it("removes API tokens, and the second factors that were added since the day before the request", async () => {
    const ada = await owner();
    await db()
      .insertInto("api_tokens")
      .values({
        id: `pat_${ada.id}`,
        token_hash: hashSecret(ada.id),
        user_id: ada.id,
        workspace_id: ada.workspaceId,
        name: "CI",
        scopes: JSON.stringify(["admin"]),
        created_at: Clock.now(),
        expires_at: new Date(Clock.now().getTime() + day * 1000),
      })
      .execute();
    await changed(ada);
    await withApp(ada);
    await undo(undoLink(ada.email));
    for (const table of ["api_tokens", "totp_factors", "backup_codes", "backup_code_sets"] as const)
      expect(await db().selectFrom(table).selectAll().where("user_id", "=", ada.id).execute()).toEqual([]);
  });

  it("keeps second factors from more than a day before the request", async () => {
    const ada = await person();
    await withApp(ada);
    await db()
      .updateTable("totp_factors")
      .set({ created_at: new Date(Clock.now().getTime() - day * 1000 - 1) })
      .where("user_id", "=", ada.id)
      .execute();
    await changed(ada);
    const { body } = await undo(undoLink(ada.email));
    const reset = { token: body.resetToken, password: "a password after the undo" };
    await request("POST /auth/password/reset", { ip: ip(), body: reset });
    expect((await login(ada.email, reset.password)).body).toMatchObject({ mfaRequired: true });
  });
});

describe("purge-expired", () => {
  it("deletes changes that can no longer be undone", async () => {
    const ada = await person();
    await changed(ada);
    const left = () => db().selectFrom("email_changes").selectAll().where("user_id", "=", ada.id).execute();
    Clock.advance(7 * day - 5);
    await purge();
    expect(await left()).toHaveLength(1);
    Clock.advance(10);
    await purge();
    expect(await left()).toEqual([]);
  });
});

describe("DELETE /user", () => {
  it("removes the emails of changes, and open invitations to an email that was replaced", async () => {
    const [ada, home] = [await person(), await owner()];
    const invitation = { token: home.token, path: { id: home.teamId }, body: { email: ada.email } };
    await request("POST /team/{id}/invitations", invitation);
    await changed(ada);
    await request("POST /auth/reauthenticate", { token: ada.token, ip: ip(), body: { password } });
    expect((await request("DELETE /user", { token: ada.token })).status).toBe(204);
    expect((await undo(undoLink(ada.email))).status).toBe(410);
    for (const table of ["events", "invitations", "email_changes"] as const)
      expect(JSON.stringify(await db().selectFrom(table).selectAll().execute())).not.toContain(ada.email);
  });
});
