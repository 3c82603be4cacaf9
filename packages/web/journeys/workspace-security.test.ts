import * as Clock from "@svc/core/base/clock";
import { db } from "@svc/core/platform/db/engine";
import { app } from "@svc/core/testing/factors";
import { password } from "@svc/local/demo";
import { expect } from "vitest";
import { expectTroubles, startSite, test } from "../testing/browser.ts";

const site = startSite();
const admin = "admin@demo.test";

test("an address list is guarded, warns, keeps people out, and lets an admin in by emergency access", async () => {
  const page = await site.openAs(admin, "/settings/workspace-security");
  await page.getByText("No address is on the list yet.").waitFor();
  await page.getByRole("button", { name: "Add an address" }).click();
  const range = page.getByLabel("Address or range 1");
  await range.fill("203.0.113.0/99");
  await page.getByLabel("What it is 1").fill("Office");
  await page.getByRole("button", { name: "Save the list" }).click();
  await page.getByText("Not an IPv4 or IPv6 address").waitFor();
  await expect.poll(() => range.evaluate((input) => input === document.activeElement)).toBe(true);
  expectTroubles(page, /422/);

  await range.fill("203.0.113.0/24");
  await page.getByLabel("Let people in from these addresses only").check();
  await page.getByRole("button", { name: "Save the list" }).click();
  await page.getByRole("button", { name: "Turn it on" }).click();
  const refusal = page.getByText(/Your own address, .*, is not on this list/);
  const [, own = ""] = /address, (\S+), is/.exec((await refusal.textContent()) ?? "") ?? [];
  expectTroubles(page, /409/);
  await page.getByRole("button", { name: "Add an address" }).click();
  await page.getByLabel("Address or range 2").fill(own);
  await page.getByRole("button", { name: "Save the list" }).click();
  await page.getByRole("button", { name: "Turn it on" }).click();
  await page.getByText("The list is saved and on.").waitFor();
  await page.getByText("No admin of this workspace has a second factor").waitFor();

  const headers = { origin: site.url("").replace(/\/$/, "") };
  const call = async (path: string, data = {}) =>
    (await page.request.post(site.url(path), { data, headers })).json();
  await call("/auth/reauthenticate", { password });
  const codes = app((await call("/user/2fa/totp")).secret);
  await call("/user/2fa/totp/verify", { code: codes.code(0) });

  // The person goes elsewhere, as far as the list is concerned.
  await db()
    .updateTable("ip_allowlists")
    .set({ entries: JSON.stringify([{ cidr: "203.0.113.0/24", label: "Office" }]) })
    .execute();
  await page.goto(site.url("/members"));
  await page.getByText("This workspace cannot be reached from your address.").first().waitFor();
  await page.getByRole("link", { name: "get in by emergency access" }).first().click();
  await page.waitForLoadState("networkidle");
  // Every part of that page was refused, those of its frame too.
  expectTroubles(page, ...page.troubles.map(() => /403/));
  await page.getByLabel("E-mail").fill(admin);
  await page.getByLabel("Password").fill(password);
  await page.getByLabel("Code", { exact: true }).fill(codes.code(1));
  await page.getByLabel("Reason").fill("The office has no power");
  await page.getByRole("button", { name: "Let me in" }).click();
  await page.getByRole("link", { name: "Team members" }).click();
  await page.getByText("25 people").waitFor();
  const told = site
    .server()
    .mails()
    .filter(({ subject }) => subject.startsWith("Emergency bypass"));
  expect(told.map(({ to }) => to)).toContain("owner@demo.test");
});

test("the login map says in a table what it draws, and neither is for members", async () => {
  await db().updateTable("ip_allowlists").set({ enabled: false }).execute();
  const { id: user_id } = await db()
    .selectFrom("users")
    .select("id")
    .where("email_key", "=", "owner@demo.test")
    .executeTakeFirstOrThrow();
  const tokyo = { country: "JP", city: "Tokyo", latitude: 35.7, longitude: 139.7 };
  const how = { ip: "192.0.2.1", user_agent: "test", device_name: "Laptop", method: "password" };
  const verdict = { outcome: "success", suspicious: true, reasons: "[]" };
  await db()
    .insertInto("logins")
    .values({ id: "log_tokyo", user_id, at: Clock.now(), ...tokyo, ...how, ...verdict })
    .execute();
  const page = await site.openAs("owner@demo.test", "/settings/workspace-security");
  const place = page.getByRole("img", { name: /^Map of these places/ }).locator("circle");
  await place.waitFor();
  expect([await place.getAttribute("cx"), await place.getAttribute("cy")]).toEqual(["139.7", "-35.7"]);
  const rows = page.getByRole("region", { name: "Sign-ins by place" }).locator("tbody");
  await rows.getByRole("cell", { name: "Tokyo, Japan" }).waitFor();
  await rows.getByRole("cell", { name: "Unknown place" }).waitFor();
  const member = await site.openAs("member@demo.test", "/settings/workspace-security");
  await member.getByText("is for the role admin and above").waitFor();
  const free = await site.openAs("owner@free.test", "/settings/workspace-security");
  await free.getByText("belongs to the plan ENTERPRISE").waitFor();
});
