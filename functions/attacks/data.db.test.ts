import { randomUUID } from "node:crypto";
import { db } from "@svc/core/platform/db/engine";
import * as Queue from "@svc/core/platform/queue/queue";
import { colleague, owner, password, person, reauthenticated } from "@svc/core/testing/people";
import { type Receiver, receiver } from "@svc/core/testing/receiver";
import { consume } from "@svc/core/webhook/consume";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { handler as purge } from "../jobs/purge-expired.ts";
import { chrome, swiss } from "../testing/browsers.ts";
import { request } from "../testing/request.ts";

describe("an admin after a webhook's custom headers", () => {
  const headers = { "X-Team": "blue-secret-header-value", Authorization: "Bearer hush-secret-header-value" };
  const masked = { "X-Team": "[masked]", Authorization: "[masked]" };
  let own: Receiver;
  let attackers: Receiver;
  let sent: string[];

  beforeEach(async () => {
    attackers = await receiver();
    own = await receiver();
    sent = [];
    Queue.connect(async (messages) => void sent.push(...messages.map(({ body }) => body)));
  });
  afterEach(async () => {
    Queue.connect(undefined);
    await attackers.close();
    await own.close();
  });

  /** Creates a webhook of an owner, and an admin who did not enter its headers. */
  async function webhook() {
    const ada = await owner("Ada", "ENTERPRISE");
    const body = { url: own.url, events: ["*"], headers };
    const created = await request("POST /api/v1/webhooks", { token: ada.token, body });
    const { token } = await colleague(ada, "admin");
    return { ada, token, path: { id: created.body.id as string }, created };
  }
  type Attack = Awaited<ReturnType<typeof webhook>>;
  const change = ({ token, path }: Attack, body: object) =>
    request("PATCH /api/v1/webhooks/{id}", { token, path, body });
  const deliverTest = async ({ token, path }: Attack) => {
    const { body } = await request("POST /api/v1/webhooks/{id}/test", { token, path, body: {} });
    await consume(sent.splice(0).map((message, n) => ({ messageId: String(n), body: message })));
    return { ...path, deliveryId: body.id as string };
  };

  it("cannot read their values in any response, log or export", async () => {
    const attack = await webhook();
    const { token, path, ada, created } = attack;
    const delivery = await deliverTest(attack);
    expect(own.received[0]?.headers).toMatchObject({ "x-team": "blue-secret-header-value" });
    const answers = [
      created,
      await request("GET /api/v1/webhooks", { token }),
      await request("GET /api/v1/webhooks/{id}", { token, path }),
      await change(attack, { description: "Mine", headers: { "X-New": "1" } }),
      await request("POST /api/v1/webhooks/{id}/rotate-secret", { token, path }),
      await request("GET /api/v1/webhooks/{id}/deliveries", { token, path }),
      await request("GET /api/v1/webhooks/{id}/deliveries/{deliveryId}", { token, path: delivery }),
      await request("GET /api/v1/audit-logs", { token }),
      await request("GET /user/export", { token: ada.token }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, ...Array(8).fill(200)]);
    for (const { body } of answers) expect(JSON.stringify(body)).not.toContain("secret-header-value");
    expect(answers[2]?.body.headers).toEqual(masked);
  });

  it("cannot read them in attempts that were logged with their values", async () => {
    const attack = await webhook();
    const path = await deliverTest(attack);
    await db()
      .updateTable("webhook_attempts")
      .set({
        request_headers: JSON.stringify({ "x-team": "blue-secret-header-value", "webhook-id": "evt_1" }),
      })
      .where("delivery_id", "=", path.deliveryId)
      .execute();
    const { body } = await request("GET /api/v1/webhooks/{id}/deliveries/{deliveryId}", {
      token: attack.token,
      path,
    });
    expect(body.attempts[0].requestHeaders).toEqual({ "x-team": "[masked]", "webhook-id": "evt_1" });
  });

  it("cannot have them sent to another origin", async () => {
    for (const unchanged of [{}, { headers: masked }, { headers: { "X-Team": "[masked]" } }]) {
      const attack = await webhook();
      const moved = await change(attack, { url: attackers.url, ...unchanged });
      expect([moved.status, moved.body.droppedHeaders]).toEqual([200, ["Authorization", "X-Team"]]);
      expect(moved.body.headers).toEqual({});
      await deliverTest(attack);
      const back = await change(attack, { url: own.url, headers: masked });
      expect([back.status, back.body.errors[0].pointer]).toEqual([422, "/headers/X-Team"]);
    }
    expect(attackers.received).toHaveLength(3);
    expect(JSON.stringify(attackers.received)).not.toContain("secret-header-value");
  });

  it("keeps new values with a new origin, and stored ones with another path of the same origin", async () => {
    const attack = await webhook();
    const path = await change(attack, { url: `${own.url}/other` });
    expect([path.body.droppedHeaders, path.body.headers]).toEqual([[], masked]);
    const moved = await change(attack, { url: attackers.url, headers: { "x-team": "red" } });
    expect(moved.body).toMatchObject({
      droppedHeaders: ["Authorization"],
      headers: { "x-team": "[masked]" },
    });
    await deliverTest(attack);
    expect(attackers.received[0]?.headers).toMatchObject({ "x-team": "red" });
    const query = { action: "webhook.updated" };
    const log = await request("GET /api/v1/audit-logs", { token: attack.token, query });
    expect(log.body.data[0].changes).toMatchObject({
      before: { headers: ["Authorization", "X-Team"] },
      after: { headers: ["x-team"] },
    });
  });
});

describe("someone who reads the database after an account was deleted", () => {
  const userAgent = `Browser ${randomUUID()}`;
  const choose = async ({ token }: { token: string }) => {
    const { policyVersion } = (await request("GET /api/v1/consents/policy", {})).body;
    const body = { policyVersion, categories: ["essential"], action: "reject_all" };
    const made = await request("POST /api/v1/consents", {
      token,
      headers: { "user-agent": userAgent },
      body,
    });
    return made.body.id as string;
  };
  const consent = (id: string) =>
    db().selectFrom("consents").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

  it("finds the consent choice, but neither the user nor the browser", async () => {
    const ada = await reauthenticated(await person());
    const id = await choose(ada);
    expect(await consent(id)).toMatchObject({ user_id: ada.id, user_agent: userAgent });
    expect((await request("DELETE /user", { token: ada.token })).status).toBe(204);
    expect(await consent(id)).toMatchObject({ user_id: null, user_agent: "", action: "reject_all" });
  });

  it("finds no user in the choices of accounts that were deleted long ago, after the next purge", async () => {
    await db().deleteFrom("reports").execute();
    const [ada, bob] = [await reauthenticated(await person()), await person()];
    const [id, kept] = [await choose(ada), await choose(bob)];
    await request("DELETE /user", { token: ada.token });
    const year = new Date(Date.now() - 365 * 86_400_000);
    await db().updateTable("users").set({ deleted_at: year }).where("id", "=", ada.id).execute();
    await db()
      .updateTable("consents")
      .set({ user_id: ada.id, user_agent: userAgent })
      .where("id", "=", id)
      .execute();
    await purge();
    expect(await consent(id)).toMatchObject({ user_id: null, user_agent: "" });
    expect(await consent(kept)).toMatchObject({ user_id: bob.id, user_agent: userAgent });
  });

  it("finds no pending registration of the email", async () => {
    const ada = await reauthenticated(await person());
    await request("POST /auth/register", { body: { email: ada.email, password, name: "Ada" } });
    const pending = () =>
      db().selectFrom("registrations").select("email").where("email", "=", ada.email).execute();
    expect(await pending()).toHaveLength(1);
    await request("DELETE /user", { token: ada.token });
    expect(await pending()).toEqual([]);
  });
});

describe("GET /user/export", () => {
  it("contains the sign-ins, consent choices and reports with everything that is stored about them", async () => {
    const [ada, boss] = [await owner("Ada"), await owner("Boss")];
    const headers = { "user-agent": chrome };
    const { token } = (
      await request("POST /auth/login", { ip: swiss, headers, body: { email: ada.email, password } })
    ).body;
    const { policyVersion } = (await request("GET /api/v1/consents/policy", {})).body;
    const choice = { policyVersion, categories: ["essential"], action: "reject_all" };
    await request("POST /api/v1/consents", { token, headers, body: choice });
    const times = { created_at: new Date(), expires_at: new Date(Date.now() + 86_400_000) };
    const about = { type: "summary", format: "csv", size_bytes: 7, everybodys: true, ...times };
    const report = (id: string, userId: string, workspaceId: string) => ({
      ...about,
      id: `rep_${id}_${ada.id}`,
      user_id: userId,
      workspace_id: workspaceId,
    });
    await db()
      .insertInto("reports")
      .values([
        report("1_own", ada.id, ada.workspaceId),
        report("2_inOwnWorkspace", boss.id, ada.workspaceId),
        report("3_inFormerWorkspace", ada.id, boss.workspaceId),
        report("4_others", boss.id, boss.workspaceId),
      ])
      .execute();
    const { body } = await request("GET /user/export", { token });
    expect(body.loginHistory).toMatchObject([
      { ip: swiss, userAgent: chrome, latitude: expect.any(Number), longitude: expect.any(Number) },
    ]);
    expect(body.consents).toMatchObject([{ userAgent: chrome, globalPrivacyControl: false }]);
    const ids = body.reports.map(({ id }: { id: string }) => id.split("_")[2]);
    expect(ids).toEqual(["inFormerWorkspace", "inOwnWorkspace", "own"]);
    expect(body.reports[2]).toMatchObject({
      workspaceId: ada.workspaceId,
      userId: ada.id,
      allMembers: true,
      type: "summary",
      format: "csv",
      size: 7,
    });
  });
});
