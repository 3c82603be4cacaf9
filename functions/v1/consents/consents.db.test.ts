import * as Clock from "@svc/core/base/clock";
import type * as Consent from "@svc/core/consent/consent";
import { policyVersion } from "@svc/core/consent/policy";
import { db } from "@svc/core/platform/db/engine";
import { person } from "@svc/core/testing/people";
import { afterEach, describe, expect, test } from "vitest";
import { type RequestOptions, request } from "../../testing/request.ts";

afterEach(() => {
  Clock.reset();
  process.env.APP_URL = "http://localhost:4000";
});

const choose = (categories: string[], options: RequestOptions = {}, action = "custom") =>
  request("POST /api/v1/consents", { body: { policyVersion, categories, action }, ...options });
const names = (cookies: string[]) => cookies.map((cookie) => cookie.replace(/=.*$/, ""));

describe("GET /api/v1/consents/policy", () => {
  test("returns every cookie and stored data by category and whether the category is locked", async () => {
    const { status, headers, body } = await request("GET /api/v1/consents/policy");
    expect([status, headers["cache-control"], body.policyVersion]).toEqual([200, "no-store", policyVersion]);
    const table = body.categories.map((category: Consent.PolicyView["categories"][number]) => [
      category.id,
      category.locked,
      category.cookies.map(({ name }) => name),
      category.storage.map(({ name }) => name),
    ]);
    expect(table).toEqual([
      [
        "essential",
        true,
        [
          "svc_cookie_consent",
          "svc_token",
          "svc_current_unit",
          "svc_current_workspace",
          "svc_current_workspace_data",
          "svc_language",
        ],
        ["svc_drafts", "svc_device"],
      ],
      [
        "functional",
        false,
        [
          "svc_user_locale",
          "svc_user_timezone",
          "svc_localization_preferences",
          "svc_sidebar_collapsed",
          "svc_theme",
          "svc_shortcuts",
        ],
        ["svc_pictures"],
      ],
      ["analytics", false, ["_ga", "_gid", "_ga_*"], []],
      ["marketing", false, [], []],
    ]);
  });
});

describe("POST /api/v1/consents", () => {
  test("records a visitor's choice and always includes essential cookies", async () => {
    const { status, headers, body } = await choose(["analytics"]);
    expect([status, headers.location]).toEqual([201, "/api/v1/consents/mine"]);
    expect(body).toMatchObject({ policyVersion, categories: ["essential", "analytics"], action: "custom" });
    expect(Date.parse(body.expiresAt) - Date.parse(body.at)).toBe(182 * 86_400_000);
    const row = await db().selectFrom("consents").selectAll().where("id", "=", body.id).executeTakeFirst();
    expect(row).toMatchObject({ user_id: null, categories: "essential,analytics", user_agent: "test" });
  });

  test("records each choice separately and lists only the caller's choices, newest first", async () => {
    const [ada, bob] = [await person("Ada"), await person("Bob")];
    const first = (await choose([], { token: ada.token }, "reject_all")).body;
    Clock.advance(60);
    const second = (await choose(["functional"], { token: ada.token })).body;
    await choose(["marketing"], { token: bob.token });
    const mine = await request("GET /api/v1/consents/mine", { token: ada.token });
    expect(mine).toMatchObject({ status: 200, body: { data: [second, first] } });
    expect((await request("GET /api/v1/consents/mine")).status).toBe(401);
  });

  test("records the choice as a visitor's when the token is invalid", async () => {
    expect((await choose([], { token: "ey.not.good" })).status).toBe(201);
  });

  test("expires exactly the rejected cookies, on the host and on the analytics domains", async () => {
    process.env.APP_URL = "https://app.svc.example";
    const cookies = ["_ga_ABC=1", "svc_token=x", "svc_user_locale=de"];
    const options = { cookies, headers: { "sec-fetch-site": "same-origin" } };
    const rejected = await choose([], options);
    expect([...new Set(names(rejected.cookies))].sort()).toEqual([
      "_ga",
      "_ga_ABC",
      "_gid",
      "svc_localization_preferences",
      "svc_shortcuts",
      "svc_sidebar_collapsed",
      "svc_theme",
      "svc_user_locale",
      "svc_user_timezone",
    ]);
    expect(rejected.cookies).toContain("_ga_ABC=; Path=/; Max-Age=0; SameSite=Lax; Domain=svc.example");
    expect(rejected.cookies).toContain("svc_user_locale=; Path=/; Max-Age=0; SameSite=Lax");
    const functional = await choose(["functional"], options);
    expect([...new Set(names(functional.cookies))].sort()).toEqual(["_ga", "_ga_ABC", "_gid"]);
    expect((await choose(["functional", "analytics", "marketing"], options)).cookies).toEqual([]);
  });

  test("rejects analytics and marketing for Sec-GPC: 1, even with accept_all", async () => {
    const headers = { "sec-gpc": "1" };
    const { body } = await choose(["functional", "analytics", "marketing"], { headers }, "accept_all");
    expect(body.categories).toEqual(["essential", "functional"]);
    expect((await request("GET /api/v1/consents/policy", { headers })).body.globalPrivacyControl).toBe(true);
  });

  test("returns 409 policy_changed with the current version for another policy version", async () => {
    const body = { policyVersion: "2020-01-01", categories: [], action: "reject_all" };
    const answer = await request("POST /api/v1/consents", { body });
    expect([answer.status, answer.body.code, answer.body.policyVersion]).toEqual([
      409,
      "policy_changed",
      policyVersion,
    ]);
  });

  test.each([
    [{ policyVersion, categories: ["telemetry"], action: "custom" }, "/categories/0"],
    [{ policyVersion, categories: [], action: "close" }, "/action"],
    [{ categories: [], action: "custom" }, "/policyVersion"],
  ])("returns 422 for %j with the pointer %s", async (body, pointer) => {
    const answer = await request("POST /api/v1/consents", { body });
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, pointer]);
  });
});

test("GET /auth/session returns whether the caller is signed in, without an error for an invalid token", async () => {
  const ada = await person("Ada");
  const sessionOf = async (options: RequestOptions) => (await request("GET /auth/session", options)).body;
  expect(await sessionOf({ cookies: [`svc_token=${ada.token}`] })).toEqual({ signedIn: true });
  expect(await sessionOf({ cookies: ["svc_token=ey.not.good"] })).toEqual({ signedIn: false });
  expect(await sessionOf({})).toEqual({ signedIn: false });
});
