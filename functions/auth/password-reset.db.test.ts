import { randomUUID } from "node:crypto";
import * as Clock from "@svc/core/base/clock";
import { db } from "@svc/core/platform/db/engine";
import { withApp } from "@svc/core/testing/factors";
import { password, person } from "@svc/core/testing/people";
import { afterEach, describe, expect, test } from "vitest";
import { mailServer } from "../testing/mails.ts";
import { request } from "../testing/request.ts";

const mails = mailServer();
afterEach(() => Clock.reset());

const next = "another long sentence";
/** A random client IP address, so that tests do not share a rate limit. */
const ip = () => `10.${[1, 2, 3].map(() => Math.floor(Math.random() * 256)).join(".")}`;
const forgot = (email: string) => request("POST /auth/password/forgot", { ip: ip(), body: { email } });
const reset = (token: string, secret = next) =>
  request("POST /auth/password/reset", { ip: ip(), body: { token, password: secret } });
const login = (email: string, secret: string) =>
  request("POST /auth/login", { ip: ip(), body: { email, password: secret } });
const linkTo = (email: string) =>
  /http:\/\/localhost:4000\/reset-password#token=([\w-]+)/.exec(mails.to(email).at(-1)?.text ?? "")?.[1] ??
  "";

describe("POST /auth/password/forgot and POST /auth/password/reset", () => {
  test("sets a new password with a link that works once, and ends every session", async () => {
    const ada = await person();
    const other = (await login(ada.email, password)).body.token;
    expect(await forgot(ada.email.toUpperCase())).toMatchObject({ status: 202, body: {} });
    const mail = mails.to(ada.email).at(-1);
    for (const text of [mail?.text, mail?.html])
      expect(text).toMatch(
        /When: [\s\S]*Where: IP address 10\.[\s\S]*Device: [\s\S]*you can ignore this email/,
      );
    const token = linkTo(ada.email);
    expect((await reset(token)).status).toBe(204);
    for (const session of [ada.token, other])
      expect((await request("GET /auth/me", { token: session })).body.code).toBe("session_ended");
    expect((await login(ada.email, password)).status).toBe(401);
    expect((await login(ada.email, next)).status).toBe(200);
    const again = await reset(token, "yet another sentence");
    expect([again.status, again.body.code]).toEqual([410, "link_expired"]);
    expect(mails.to(ada.email).at(-1)?.subject).toBe("Your password was changed");
  });

  test("returns the same reply for an unknown email and sends it an email without a link token", async () => {
    const email = `${randomUUID()}@new.test`;
    expect(await forgot(email)).toMatchObject({ status: 202, body: {} });
    expect(mails.to(email).map(({ subject }) => subject)).toEqual(["There is no account with this email"]);
    expect(mails.to(email)[0]?.text).not.toContain("#token=");
  });

  test("returns 502 mail_unavailable for known and unknown emails when the mail server is down", async () => {
    const up = process.env.SMTP_URL;
    process.env.SMTP_URL = "smtp://127.0.0.1:1";
    const answers = [await forgot((await person()).email), await forgot(`${randomUUID()}@new.test`)];
    process.env.SMTP_URL = up;
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
      Array(2).fill([502, "mail_unavailable"]),
    );
  });

  test("returns 410 for earlier links once one was used", async () => {
    const ada = await person();
    await forgot(ada.email);
    const first = linkTo(ada.email);
    await forgot(ada.email);
    const second = linkTo(ada.email);
    expect((await reset(second)).status).toBe(204);
    expect((await reset(first)).status).toBe(410);
  });

  test("returns 410 for a link that is older than an hour", async () => {
    const ada = await person();
    await forgot(ada.email);
    Clock.advance(3601);
    expect((await reset(linkTo(ada.email))).status).toBe(410);
  });

  test("sets one password when a link is used twice at once", async () => {
    const ada = await person();
    await forgot(ada.email);
    const token = linkTo(ada.email);
    const answers = await Promise.all([reset(token), reset(token, "yet another sentence")]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 410]);
  });

  test("returns 422 password_too_weak for a password with the user's name and keeps the link valid", async () => {
    const ada = await person("Ada Lovelace");
    await forgot(ada.email);
    const refused = await reset(linkTo(ada.email), "Ada-Lovelace1");
    expect([refused.status, refused.body.code]).toEqual([422, "password_too_weak"]);
    expect((await reset(linkTo(ada.email))).status).toBe(204);
  });

  test("still requires the second factor after a reset", async () => {
    const ada = await person();
    await withApp(ada);
    await forgot(ada.email);
    const done = await reset(linkTo(ada.email));
    expect([done.status, done.cookies]).toEqual([204, []]);
    expect((await login(ada.email, next)).body).toMatchObject({ mfaRequired: true });
  });

  test("sends at most five emails an hour to one email and replies to the sixth request the same way", async () => {
    // Start at the beginning of a rate-limit window, so that all six requests are in the same one.
    Clock.advance(3600 - (Math.floor(Clock.now().getTime() / 1000) % 3600));
    const ada = await person();
    for (let n = 0; n < 6; n++) expect(await forgot(ada.email)).toMatchObject({ status: 202, body: {} });
    expect(mails.to(ada.email)).toHaveLength(5);
  });

  test("stores only a hash of the link token", async () => {
    const ada = await person();
    await forgot(ada.email);
    const rows = await db().selectFrom("password_resets").selectAll().where("user_id", "=", ada.id).execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(linkTo(ada.email));
  });
});
