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

// Many logins come from a few addresses here.
beforeEach(() => {
  process.env.RATE_LIMITS = "off";
});
afterEach(() => {
  Clock.reset();
  delete process.env.RATE_LIMITS;
});

type Somebody = { email: string };
type How = { ip?: string; agent?: string; secret?: string; deviceToken?: string; deviceName?: string };
const login = ({ email }: Somebody, { ip = swiss, agent = chrome, secret = password, ...more }: How = {}) =>
  request("POST /auth/login", {
    ip,
    headers: { "user-agent": agent },
    body: { email, password: secret, ...more },
  });
const mailsTo = ({ email }: Somebody, about: string) =>
  mails.to(email).filter(({ subject }) => subject?.startsWith(about));
const newDevice = (who: Somebody) => mailsTo(who, "New device").length;
const suspicious = (who: Somebody) => mailsTo(who, "Suspicious login").length;
const historyOf = async (token: string, query: Record<string, string> = {}) =>
  (await request("GET /user/login-history", { token, query })).body;

describe("sessions", () => {
  test("are listed with where they are, the current one marked", async () => {
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

  test("end at the next request, one or all others", async () => {
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

  test("of somebody else look like none", async () => {
    const [ada, eve] = [await person(), await person()];
    const of = async (id: string) =>
      (await request("DELETE /user/sessions/{id}", { token: eve.token, path: { id } })).body;
    const { requestId, instance, ...there } = await of(ada.sessionId);
    expect(await of("ses_nothing")).toMatchObject(there);
    expect((await request("GET /auth/me", { token: ada.token })).status).toBe(200);
  });

  test("that are idle for too long are not listed", async () => {
    const ada = await person();
    await login(ada);
    Clock.advance(8 * day);
    const { token } = (await login(ada)).body;
    expect((await request("GET /user/sessions", { token })).body.data).toHaveLength(1);
  });
});

describe("devices", () => {
  test("are known by their token, wherever they are and however often their browser is updated", async () => {
    const ada = await person();
    const { deviceToken, token } = (await login(ada)).body;
    Clock.advance(2 * day);
    const again = await login(ada, { deviceToken, ip: japanese, agent: newerChrome });
    expect(again.body.deviceToken).toBe(deviceToken);
    const { body } = await request("GET /user/devices", { token });
    expect(body.data).toMatchObject([{ name: "Chrome on Windows", country: "JP", current: true }]);
    expect(newDevice(ada)).toBe(1);
  });

  test("are known without a token by browser family, system and country", async () => {
    const ada = await person();
    await login(ada);
    await login(ada, { agent: newerChrome, ip: swissToo });
    expect(newDevice(ada)).toBe(1);
    await login(ada, { agent: firefox });
    expect(newDevice(ada)).toBe(2);
    Clock.advance(2 * day);
    const { token } = (await login(ada, { ip: american })).body;
    expect(newDevice(ada)).toBe(3);
    expect((await request("GET /user/devices", { token })).body.data).toHaveLength(3);
  });

  test("two first logins at once on one device make one device and one mail", async () => {
    const ada = await person();
    const answers = await Promise.all([login(ada), login(ada), login(ada)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { token } = answers[0]?.body ?? {};
    expect((await request("GET /user/devices", { token })).body.data).toHaveLength(1);
    expect(newDevice(ada)).toBe(1);
  });

  test("get the name they are given, and another one", async () => {
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

  test("take their sessions with them, and are new the next time", async () => {
    const ada = await person();
    const { token, deviceToken } = (await login(ada)).body;
    const [device] = (await request("GET /user/devices", { token })).body.data;
    const path = { id: device.id };
    expect((await request("DELETE /user/devices/{id}", { token: ada.token, path })).status).toBe(204);
    expect((await request("GET /auth/me", { token })).body.code).toBe("session_ended");
    expect((await request("GET /auth/me", { token: ada.token })).status).toBe(200);
    await login(ada, { deviceToken });
    expect(newDevice(ada)).toBe(2);
    const again = await request("DELETE /user/devices/{id}", { token: ada.token, path });
    expect([again.status, again.body.code]).toEqual([404, "device_not_found"]);
  });

  test("of somebody else look like none", async () => {
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

describe("the mail about a new device", () => {
  test("says what, when, where, on which device and what to do, in text and in HTML", async () => {
    const ada = await person();
    await login(ada);
    const [mail] = mailsTo(ada, "New device");
    for (const part of [mail?.text, mail?.html])
      for (const fact of [
        "logged in",
        "UTC",
        "Switzerland",
        swiss,
        "Chrome on Windows",
        "change your password",
      ])
        expect(part).toContain(fact);
  });

  test("is not sent when it is switched off", async () => {
    const ada = await person();
    const body = { loginNotifications: false };
    await request("PATCH /user/security", { token: ada.token, body });
    await login(ada);
    expect(newDevice(ada)).toBe(0);
  });

  test("is not missed by a login when the mail server is down", async () => {
    const ada = await person();
    const up = process.env.SMTP_URL;
    process.env.SMTP_URL = "smtp://127.0.0.1:1";
    const answer = await login(ada);
    process.env.SMTP_URL = up;
    expect(answer.status).toBe(200);
  });
});

describe("security settings", () => {
  const patch = (token: string, body: object) => request("PATCH /user/security", { token, body });

  test("are a week and mails until something else is said", async () => {
    const ada = await person();
    const { body } = await request("GET /user/security", { token: ada.token });
    expect(body).toEqual({ idleTimeoutMinutes: 10_080, loginNotifications: true });
    expect((await patch(ada.token, { loginNotifications: false })).body).toEqual({
      idleTimeoutMinutes: 10_080,
      loginNotifications: false,
    });
  });

  test.each([14, 44_640, 43_201, 0, -15, 15.5, "60", null])("%j minutes are 422", async (minutes) => {
    const ada = await person();
    const answer = await patch(ada.token, { idleTimeoutMinutes: minutes });
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, "/idleTimeoutMinutes"]);
  });

  test.each([
    [15, 15 * 60],
    [43_200, 30 * day],
  ])("%d minutes end an idle session after just that, and no used one", async (minutes, seconds) => {
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

describe("the login history", () => {
  test("has failures and successes, newest first, and only the caller's", async () => {
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

  test("goes on where a page ended, however many logins there were meanwhile", async () => {
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
  ])("%s=%s is 422 and named", async (name, value) => {
    const ada = await person();
    const answer = await request("GET /user/login-history", { token: ada.token, query: { [name]: value } });
    expect([answer.status, answer.body.errors[0].parameter]).toEqual([422, name]);
  });

  test("of an address that nobody has is written too, under nobody's name", async () => {
    const before = await count("");
    await login({ email: "nobody@nowhere.test" }, { secret: "wrong" });
    expect((await count("")) - before).toBe(1);
  });
  const count = async (userId: string) =>
    (await db().selectFrom("logins").select("id").where("user_id", "=", userId).execute()).length;
});

describe("the second step of a login", () => {
  test("is in the history with its method, its failures too, and the device is known by then", async () => {
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
    expect(newDevice(ada)).toBe(0);
    Clock.advance(1);
    const { token } = (await second(app.code(1))).body;
    expect((await historyOf(token)).data).toMatchObject([
      { outcome: "success", method: "totp", country: "CH" },
      { outcome: "failure", method: "totp", country: "CH" },
    ]);
    expect(newDevice(ada)).toBe(1);
  });
});

describe("a suspicious login", () => {
  const events = (userId: string) =>
    db()
      .selectFrom("events")
      .selectAll()
      .where("action", "=", "security.suspicious_login")
      .where("actor_id", "=", userId)
      .execute();

  test("from another country in an hour is flagged, mailed and recorded once", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    const { deviceToken } = (await login(ada)).body;
    Clock.advance(hour);
    const { token } = (await login(ada, { ip: japanese, deviceToken })).body;
    expect(suspicious(ada)).toBe(1);
    const [mail] = mailsTo(ada, "Suspicious login");
    for (const part of [mail?.text, mail?.html])
      for (const fact of ["nobody can have travelled", "UTC", "Japan", japanese, "change your password now"])
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

  test("is none in two days", async () => {
    const ada = await owner("Ada", "ENTERPRISE");
    await login(ada);
    Clock.advance(2 * day);
    const { token } = (await login(ada, { ip: japanese })).body;
    expect([suspicious(ada), (await events(ada.id)).length]).toEqual([0, 0]);
    const [latest] = (await historyOf(token)).data;
    expect(latest).toMatchObject({ suspicious: false, reasons: ["new_country", "new_device"] });
  });

  test("is one after five failures", async () => {
    const ada = await person();
    const { deviceToken } = (await login(ada)).body;
    for (let n = 0; n < 5; n++) await login(ada, { secret: "wrong" });
    Clock.advance(61);
    const { token } = (await login(ada, { deviceToken })).body;
    expect((await historyOf(token)).data[0]).toMatchObject({ suspicious: true, reasons: ["after_failures"] });
    expect(suspicious(ada)).toBe(1);
    Clock.advance(1);
    await login(ada, { deviceToken });
    expect(suspicious(ada)).toBe(1);
  });

  test("is one on a new device in a new country after ninety days", async () => {
    const ada = await person();
    await login(ada);
    Clock.advance(90 * day);
    const { token } = (await login(ada, { ip: japanese, agent: firefox })).body;
    expect((await historyOf(token)).data[0]).toMatchObject({
      suspicious: true,
      reasons: ["new_country", "new_device", "first_in_90_days"],
    });
  });

  test("is recorded in each ENTERPRISE workspace of the person, and in no other", async () => {
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
