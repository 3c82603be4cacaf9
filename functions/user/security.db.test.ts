import * as Clock from "@svc/core/base/clock";
import { db } from "@svc/core/platform/db/engine";
import { withApp, wrongCode } from "@svc/core/testing/factors";
import { colleague, owner, password, person } from "@svc/core/testing/people";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { american, chrome, firefox, japanese, newerChrome, swiss, swissToo } from "../testing/browsers.ts";
import { mailServer } from "../testing/mails.ts";
import { request } from "../testing/request.ts";

const mails = mailServer();
const hour = 3600;
const day = 24 * hour;

// Disable rate limits, because many sign-ins come from a few IP addresses here.
beforeEach(() => {
  process.env.RATE_LIMITS = "off";
});
afterEach(() => {
  Clock.reset();
  delete process.env.RATE_LIMITS;
});

type User = { email: string };
type LoginOptions = {
  ip?: string;
  agent?: string;
  secret?: string;
  deviceToken?: string;
  deviceName?: string;
};
const login = (
  { email }: User,
  { ip = swiss, agent = chrome, secret = password, ...more }: LoginOptions = {},
) =>
  request("POST /auth/login", {
    ip,
    headers: { "user-agent": agent },
    body: { email, password: secret, ...more },
  });
const mailsTo = ({ email }: User, about: string) =>
  mails.to(email).filter(({ subject }) => subject?.startsWith(about));
const newDeviceMails = (user: User) => mailsTo(user, "New device").length;
const suspiciousMails = (user: User) => mailsTo(user, "Suspicious sign-in").length;
const historyOf = async (token: string, query: Record<string, string> = {}) =>
  (await request("GET /user/login-history", { token, query })).body;

describe("/user/sessions", () => {
  test("lists sessions with their location and marks the current one", async () => {
    const ada = await person();
    const first = (await login(ada)).body;
    Clock.advance(60);
    const second = (await login(ada, { agent: firefox, ip: japanese })).body;
    const { body } = await request("GET /user/sessions", { token: second.token });
    expect(body.data).toMatchObject([
      { device: "Firefox on Linux", browser: "Firefox", ip: japanese, country: "JP", current: true },
      { device: "Chrome on Windows", system: "Windows", ip: swiss, country: "CH", current: false },
      { ip: "127.0.0.1", country: null, current: false },
    ]);
    expect((await request("GET /auth/me", { token: first.token })).status).toBe(200);
  });

  test("ends one session or all other sessions immediately", async () => {
    const ada = await person();
    const [here, there, elsewhere] = [
      (await login(ada)).body.token,
      (await login(ada)).body.token,
      (await login(ada)).body.token,
    ];
    const idOf = async (token: string) =>
      (await request("GET /user/sessions", { token })).body.data.find(
        ({ current }: { current: boolean }) => current,
      ).id;
    const id = await idOf(there);
    expect((await request("DELETE /user/sessions/{id}", { token: here, path: { id } })).status).toBe(204);
    expect((await request("GET /auth/me", { token: there })).body.code).toBe("session_ended");
    const again = await request("DELETE /user/sessions/{id}", { token: here, path: { id } });
    expect([again.status, again.body.code]).toEqual([404, "session_not_found"]);
    expect((await request("DELETE /user/sessions", { token: here })).status).toBe(204);
    expect((await request("GET /auth/me", { token: elsewhere })).body.code).toBe("session_ended");
    expect((await request("GET /auth/me", { token: here })).status).toBe(200);
    expect((await request("GET /user/sessions", { token: here })).body.data).toHaveLength(1);
  });

  test("returns the same 404 for another user's session and for an unknown one", async () => {
    const [ada, eve] = [await person(), await person()];
    const end = async (id: string) =>
      (await request("DELETE /user/sessions/{id}", { token: eve.token, path: { id } })).body;
    const { requestId, instance, ...existing } = await end(ada.sessionId);
    expect(await end("ses_nothing")).toMatchObject(existing);
    expect((await request("GET /auth/me", { token: ada.token })).status).toBe(200);
  });

  test("leaves out sessions that were idle for too long", async () => {
    const ada = await person();
    await login(ada);
    Clock.advance(8 * day);
    const { token } = (await login(ada)).body;
    expect((await request("GET /user/sessions", { token })).body.data).toHaveLength(1);
  });
});

describe("/user/devices", () => {
  test("recognizes a device by its token from another country and with an updated browser", async () => {
    const ada = await person();
    const { deviceToken, token } = (await login(ada)).body;
    Clock.advance(2 * day);
    const again = await login(ada, { deviceToken, ip: japanese, agent: newerChrome });
    expect(again.body.deviceToken).toBe(deviceToken);
    const { body } = await request("GET /user/devices", { token });
    expect(body.data).toMatchObject([{ name: "Chrome on Windows", country: "JP", current: true }]);
    expect(newDeviceMails(ada)).toBe(1);
  });

  test("recognizes a device without a token by browser family, system and country", async () => {
    const ada = await person();
    await login(ada);
    await login(ada, { agent: newerChrome, ip: swissToo });
    expect(newDeviceMails(ada)).toBe(1);
    await login(ada, { agent: firefox });
    expect(newDeviceMails(ada)).toBe(2);
    Clock.advance(2 * day);
    const { token } = (await login(ada, { ip: american })).body;
    expect(newDeviceMails(ada)).toBe(3);
    expect((await request("GET /user/devices", { token })).body.data).toHaveLength(3);
  });

  test("creates one device and sends one email for concurrent first sign-ins on a device", async () => {
    const ada = await person();
    const answers = await Promise.all([login(ada), login(ada), login(ada)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { token } = answers[0]?.body ?? {};
    expect((await request("GET /user/devices", { token })).body.data).toHaveLength(1);
    expect(newDeviceMails(ada)).toBe(1);
  });

  test("stores the name given at sign-in and renames the device", async () => {
    const ada = await person();
    const { token } = (await login(ada, { deviceName: "Kitchen" })).body;
    const [device] = (await request("GET /user/devices", { token })).body.data;
    expect(device.name).toBe("Kitchen");
    const path = { id: device.id };
    const renamed = await request("PATCH /user/devices/{id}", { token, path, body: { name: "Attic" } });
    expect([renamed.status, renamed.body.name]).toEqual([200, "Attic"]);
    const empty = await request("PATCH /user/devices/{id}", { token, path, body: { name: " " } });
    expect([empty.status, empty.body.errors[0].pointer]).toEqual([422, "/name"]);
  });

  test("ends the sessions of a removed device and treats it as new at the next sign-in", async () => {
    const ada = await person();
    const { token, deviceToken } = (await login(ada)).body;
    const [device] = (await request("GET /user/devices", { token })).body.data;
    const path = { id: device.id };
    expect((await request("DELETE /user/devices/{id}", { token: ada.token, path })).status).toBe(204);
    expect((await request("GET /auth/me", { token })).body.code).toBe("session_ended");
    expect((await request("GET /auth/me", { token: ada.token })).status).toBe(200);
    await login(ada, { deviceToken });
    expect(newDeviceMails(ada)).toBe(2);
    const again = await request("DELETE /user/devices/{id}", { token: ada.token, path });
    expect([again.status, again.body.code]).toEqual([404, "device_not_found"]);
  });

  test("returns the same 404 for another user's device and for an unknown one", async () => {
    const [ada, eve] = [await person(), await person()];
    const { token } = (await login(ada)).body;
    const [{ id }] = (await request("GET /user/devices", { token })).body.data;
    for (const path of [{ id }, { id: "dev_nothing" }]) {
      const renamed = await request("PATCH /user/devices/{id}", {
        token: eve.token,
        path,
        body: { name: "Mine" },
      });
      const removed = await request("DELETE /user/devices/{id}", { token: eve.token, path });
      expect([renamed.body.code, removed.body.code]).toEqual(["device_not_found", "device_not_found"]);
    }
    expect((await request("GET /auth/me", { token })).status).toBe(200);
  });
});

describe("email about a new device", () => {
  test("states in text and HTML what happened, when, where, on which device and what to do", async () => {
    const ada = await person();
    await login(ada);
    const [mail] = mailsTo(ada, "New device");
    for (const part of [mail?.text, mail?.html])
      for (const fact of [
        "sign-in to your account",
        "UTC",
        "Switzerland",
        swiss,
        "Chrome on Windows",
        "change your password",
      ])
        expect(part).toContain(fact);
  });

  test("sends no email when login notifications are off", async () => {
    const ada = await person();
    const body = { loginNotifications: false };
    await request("PATCH /user/security", { token: ada.token, body });
    await login(ada);
    expect(newDeviceMails(ada)).toBe(0);
  });

  test("completes the sign-in when the mail server is down", async () => {
    const ada = await person();
    const up = process.env.SMTP_URL;
    process.env.SMTP_URL = "smtp://127.0.0.1:1";
    const answer = await login(ada);
    process.env.SMTP_URL = up;
    expect(answer.status).toBe(200);
  });
});

describe("/user/security", () => {
  const patch = (token: string, body: object) => request("PATCH /user/security", { token, body });

  test("defaults to a timeout of one week with login notifications on", async () => {
    const ada = await person();
    const { body } = await request("GET /user/security", { token: ada.token });
    expect(body).toEqual({ idleTimeoutMinutes: 10_080, loginNotifications: true });
    expect((await patch(ada.token, { loginNotifications: false })).body).toEqual({
      idleTimeoutMinutes: 10_080,
      loginNotifications: false,
    });
  });

  test("keeps a changed setting and records only what changed", async () => {
    const ada = await person();
    const stored = async () => (await request("GET /user/security", { token: ada.token })).body;
    await patch(ada.token, { loginNotifications: false });
    expect(await stored()).toEqual({ idleTimeoutMinutes: 10_080, loginNotifications: false });
    await patch(ada.token, { loginNotifications: false, idleTimeoutMinutes: 60 });
    await patch(ada.token, { idleTimeoutMinutes: 60 });
    expect(await stored()).toEqual({ idleTimeoutMinutes: 60, loginNotifications: false });
    const events = await db()
      .selectFrom("events")
      .select("changes")
      .where("action", "=", "user.security_changed")
      .where("target_id", "=", ada.id)
      .orderBy("id")
      .execute();
    expect(events.map(({ changes }) => changes)).toEqual([
      { loginNotifications: { before: true, after: false } },
      { idleTimeoutMinutes: { before: 10_080, after: 60 } },
    ]);
  });

  test.each([14, 44_640, 43_201, 0, -15, 15.5, "60", null])(
    "returns 422 for an idle timeout of %j minutes",
    async (minutes) => {
      const ada = await person();
      const answer = await patch(ada.token, { idleTimeoutMinutes: minutes });
      expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, "/idleTimeoutMinutes"]);
    },
  );

  test.each([
    [15, 15 * 60],
    [43_200, 30 * day],
  ])("ends a session after exactly %d idle minutes, and keeps a session in use", async (minutes, seconds) => {
    const ada = await person();
    expect((await patch(ada.token, { idleTimeoutMinutes: minutes })).status).toBe(200);
    const alive = async () => (await request("GET /auth/me", { token: ada.token })).status;
    expect(await alive()).toBe(200);
    Clock.advance(seconds - 1);
    expect(await alive()).toBe(200);
    Clock.advance(seconds - 1);
    expect(await alive()).toBe(200);
    Clock.advance(seconds + 1);
    expect(await alive()).toBe(401);
  });
});

describe("GET /user/login-history", () => {
  test("lists the caller's failed and successful sign-ins, newest first", async () => {
    const [ada, eve] = [await person(), await person()];
    await login(ada, { secret: "wrong" });
    Clock.advance(1);
    const { token } = (await login(ada)).body;
    await login(eve);
    expect((await historyOf(token)).data).toMatchObject([
      { outcome: "success", method: "password", ip: swiss, country: "CH", device: "Chrome on Windows" },
      { outcome: "failure", method: "password", suspicious: false, reasons: [] },
    ]);
  });

  test("continues from the cursor without repeats when sign-ins are added in between", async () => {
    const ada = await person();
    for (let n = 0; n < 5; n++) {
      Clock.advance(1);
      await login(ada);
    }
    const first = await historyOf(ada.token, { limit: "2" });
    Clock.advance(1);
    await login(ada);
    const second = await historyOf(ada.token, { limit: "2", cursor: first.meta.nextCursor });
    const last = await historyOf(ada.token, { limit: "2", cursor: second.meta.nextCursor });
    expect([first, second, last].map(({ data }) => data.length)).toEqual([2, 2, 1]);
    expect(last.meta.nextCursor).toBeNull();
    const ids = [first, second, last].flatMap(({ data }) => data.map(({ id }: { id: string }) => id));
    expect(ids).toEqual([...new Set(ids)].sort().reverse());
  });

  test.each([
    ["limit", "201"],
    ["limit", "0"],
    ["cursor", "nonsense"],
    ["cursor", Buffer.from('["a","b"]').toString("base64url")],
    ["cursor", Buffer.from('["\\u0000"]').toString("base64url")],
  ])("returns 422 and names the parameter for %s=%s", async (name, value) => {
    const ada = await person();
    const answer = await request("GET /user/login-history", { token: ada.token, query: { [name]: value } });
    expect([answer.status, answer.body.errors[0].parameter]).toEqual([422, name]);
  });

  test("records a failed sign-in with an unknown email without a user", async () => {
    const before = await count("");
    await login({ email: "unknown@nowhere.test" }, { secret: "wrong" });
    expect((await count("")) - before).toBe(1);
  });
  const count = async (userId: string) =>
    (await db().selectFrom("logins").select("id").where("user_id", "=", userId).execute()).length;
});

describe("POST /auth/login/2fa", () => {
  test("records failed and successful second steps with their method and sends one email about the device", async () => {
    const ada = await person();
    const app = await withApp(ada);
    const { mfaToken } = (await login(ada)).body;
    const second = (code: string) =>
      request("POST /auth/login/2fa", {
        ip: swiss,
        headers: { "user-agent": chrome },
        body: { mfaToken, method: "totp", code },
      });
    expect((await second(wrongCode(app))).status).toBe(401);
    expect(newDeviceMails(ada)).toBe(0);
    Clock.advance(1);
    const { token } = (await second(app.code(1))).body;
    expect((await historyOf(token)).data).toMatchObject([
      { outcome: "success", method: "totp", country: "CH" },
      { outcome: "failure", method: "totp", country: "CH" },
    ]);
    expect(newDeviceMails(ada)).toBe(1);
  });
});

describe("suspicious sign-ins", () => {
  const events = (userId: string) =>
    db()
      .selectFrom("events")
      .selectAll()
      .where("action", "=", "security.suspicious_login")
      .where("actor_id", "=", userId)
      .execute();

  test("flags, emails and records a sign-in from a distant country within an hour", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    const { deviceToken } = (await login(ada)).body;
    Clock.advance(hour);
    const { token } = (await login(ada, { ip: japanese, deviceToken })).body;
    expect(suspiciousMails(ada)).toBe(1);
    const [mail] = mailsTo(ada, "Suspicious sign-in");
    for (const part of [mail?.text, mail?.html])
      for (const fact of [
        "too far from the location of your last sign-in",
        "UTC",
        "Japan",
        japanese,
        "change your password now",
      ])
        expect(part).toContain(fact);
    const [latest] = (await historyOf(token)).data;
    expect(latest).toMatchObject({ suspicious: true, reasons: ["new_country", "impossible_travel"] });
    const recorded = await events(ada.id);
    expect(recorded).toMatchObject([
      {
        workspace_id: ada.workspaceId,
        ip: japanese,
        data: { userId: ada.id, country: "JP", reasons: ["new_country", "impossible_travel"] },
      },
    ]);
  });

  test("does not flag a sign-in from another country after two days", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    await login(ada);
    Clock.advance(2 * day);
    const { token } = (await login(ada, { ip: japanese })).body;
    expect([suspiciousMails(ada), (await events(ada.id)).length]).toEqual([0, 0]);
    const [latest] = (await historyOf(token)).data;
    expect(latest).toMatchObject({ suspicious: false, reasons: ["new_country", "new_device"] });
  });

  test("flags a sign-in after five failures, once", async () => {
    const ada = await person();
    const { deviceToken } = (await login(ada)).body;
    for (let n = 0; n < 5; n++) await login(ada, { secret: "wrong" });
    Clock.advance(61);
    const { token } = (await login(ada, { deviceToken })).body;
    expect((await historyOf(token)).data[0]).toMatchObject({ suspicious: true, reasons: ["after_failures"] });
    expect(suspiciousMails(ada)).toBe(1);
    Clock.advance(1);
    await login(ada, { deviceToken });
    expect(suspiciousMails(ada)).toBe(1);
  });

  test("flags a sign-in on a new device in a new country after ninety days", async () => {
    const ada = await person();
    await login(ada);
    Clock.advance(90 * day);
    const { token } = (await login(ada, { ip: japanese, agent: firefox })).body;
    expect((await historyOf(token)).data[0]).toMatchObject({
      suspicious: true,
      reasons: ["new_country", "new_device", "first_in_90_days"],
    });
  });

  test("records the event in each of the user's ENTERPRISE workspaces and in no other workspace", async () => {
    const [one, other, free] = [
      await owner("A", "ENTERPRISE"),
      await owner("B", "ENTERPRISE"),
      await owner("C", "FREE"),
    ];
    const bob = await colleague(one);
    for (const { workspaceId } of [other, free])
      await db()
        .insertInto("memberships")
        .values({
          workspace_id: workspaceId,
          user_id: bob.id,
          role: "member",
          status: "active",
          joined_at: new Date(),
        })
        .execute();
    await login(bob);
    Clock.advance(60);
    await login(bob, { ip: japanese });
    const workspaces = (await events(bob.id)).map((event) => event.workspace_id);
    expect(workspaces.sort()).toEqual([one.workspaceId, other.workspaceId].sort());
  });
});
