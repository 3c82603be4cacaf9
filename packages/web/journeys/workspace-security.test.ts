import * as Clock from "@svc/core/base/clock";
import { db } from "@svc/core/platform/db/engine";
import { app } from "@svc/core/testing/factors";
import { password } from "@svc/local/demo";
import { expect } from "vitest";
import {
  addAuthenticator,
  expectAccessible,
  expectErrors,
  expectFits,
  startSite,
  test,
} from "../testing/browser.ts";

const site = startSite();
const admin = "admin@demo.test";

test("the IP allowlist must include the admin's IP address, blocks other IP addresses and allows emergency access", async () => {
  const page = await site.openAs(admin, "/settings/workspace-security");
  await page.getByText("The list is empty. Add the first IP address.").waitFor();
  await page.getByRole("button", { name: "Add IP address" }).click();
  const range = page.getByLabel("IP address or range 1");
  await range.fill("203.0.113.0/99");
  await page.getByLabel("Label 1").fill("Office");
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("CIDR must be an IPv4 or IPv6 address or range").waitFor();
  await expect.poll(() => range.evaluate((input) => input === document.activeElement)).toBe(true);
  expectErrors(page, /422/);

  await range.fill("203.0.113.0/24");
  await page.getByLabel("Only allow access from these IP addresses").check();
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByRole("button", { name: "Turn on" }).click();
  const refusal = page.getByText(/Your IP address, .*, is not on this list/);
  const [, own = ""] = /address, (\S+), is/.exec((await refusal.textContent()) ?? "") ?? [];
  expectErrors(page, /409/);
  await page.getByRole("button", { name: "Add IP address" }).click();
  await page.getByLabel("IP address or range 2").fill(own);
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByRole("button", { name: "Turn on" }).click();
  await page.getByText("IP allowlist saved. It is on.").waitFor();
  await page.getByText("No admin of this workspace has a second factor").waitFor();

  const headers = { origin: site.url("").replace(/\/$/, "") };
  const call = async (path: string, data = {}) =>
    (await page.request.post(site.url(path), { data, headers })).json();
  await call("/auth/reauthenticate", { password });
  const codes = app((await call("/user/2fa/totp")).secret);
  await call("/user/2fa/totp/verify", { code: codes.code(0) });

  // Remove the admin's own address from the list, as if they had moved.
  await db()
    .updateTable("ip_allowlists")
    .set({ entries: JSON.stringify([{ cidr: "203.0.113.0/24", label: "Office" }]) })
    .execute();
  await page.goto(site.url("/members"));
  await page.getByText("This workspace does not allow access from your IP address.").first().waitFor();
  await page.getByRole("link", { name: "use emergency access" }).first().click();
  await page.waitForLoadState("networkidle");
  // All requests of that page were rejected, including those of its frame.
  expectErrors(page, ...page.errors.map(() => /403/));
  await page.getByLabel("Email").fill(admin);
  await page.getByLabel("Password").fill(password);
  await page.getByLabel("Code", { exact: true }).fill(codes.code(1));
  await page.getByLabel("Reason").fill("The office has no power");
  await page.getByRole("button", { name: "Get access" }).click();
  await page.getByRole("link", { name: "Team members" }).click();
  await page.getByText("25 members").waitFor();
  const notices = site
    .server()
    .mails()
    .filter(({ subject }) => subject.startsWith("Emergency bypass"));
  expect(notices.map(({ to }) => to)).toContain("owner@demo.test");
});

test("the login map shows sign-ins on a map and in a table to admins of ENTERPRISE workspaces only", async () => {
  await db().updateTable("ip_allowlists").set({ enabled: false }).execute();
  const { id: user_id } = await db()
    .selectFrom("users")
    .select("id")
    .where("email_key", "=", "owner@demo.test")
    .executeTakeFirstOrThrow();
  const osaka = { country: "JP", city: "Osaka", latitude: 34.7, longitude: 135.5 };
  const request = { ip: "192.0.2.1", user_agent: "test", device_name: "Laptop", method: "password" };
  const result = { outcome: "success", suspicious: true, reasons: "[]" };
  await db()
    .insertInto("logins")
    .values({ id: "log_osaka", user_id, at: Clock.now(), ...osaka, ...request, ...result })
    .execute();
  const page = await site.openAs("owner@demo.test", "/settings/workspace-security");
  const point = page.getByRole("img", { name: /^Map of sign-in locations/ }).locator('circle[cx="135.5"]');
  await point.waitFor();
  expect([await point.getAttribute("cy"), await point.textContent()]).toEqual(["-34.7", "Osaka, Japan: 1"]);
  const rows = page.getByRole("region", { name: "Sign-ins by location" }).locator("tbody");
  await rows.getByRole("cell", { name: "Osaka, Japan" }).waitFor();
  await rows.getByRole("cell", { name: "Unknown location" }).waitFor();
  const member = await site.openAs("member@demo.test", "/settings/workspace-security");
  await member.getByText("You need the admin role or higher").waitFor();
  const free = await site.openAs("owner@free.test", "/settings/workspace-security");
  await free.getByText("Available on the ENTERPRISE plan").waitFor();
});

test("an admin requires two-factor authentication, and a member is led to set it up and back", async () => {
  const page = await site.openAs("owner@demo.test", "/settings/workspace-security");
  const section = page.getByRole("region", { name: "Two-factor authentication" });
  await section.getByRole("link", { name: "set up two-factor authentication" }).waitFor();
  const headers = { origin: site.url("").replace(/\/$/, "") };
  const call = async (path: string, data = {}) =>
    (await page.request.post(site.url(path), { data, headers })).json();
  await call("/auth/reauthenticate", { password });
  const codes = app((await call("/user/2fa/totp")).secret);
  await call("/user/2fa/totp/verify", { code: codes.code(0) });

  const member = await site.openAs("nora.odegard@demo.test", "/members");
  await member.getByText("25 members").waitFor();
  await page.reload();
  await section.getByRole("button", { name: "Require two-factor authentication…" }).click();
  await page.getByRole("button", { name: "Require", exact: true }).click();
  await section.getByText("Required.").waitFor();
  await expectAccessible(page);

  await member.getByRole("link", { name: "Projects" }).click();
  await member.getByText("Demo requires two-factor authentication").waitFor();
  await member.waitForLoadState("networkidle");
  expectErrors(member, ...member.errors.map(() => /403/));
  await expectAccessible(member);
  await expectFits(member);
  await member.getByRole("link", { name: "Set up two-factor authentication" }).click();
  await member.getByText("Demo requires two-factor authentication. Set up").waitFor();
  await addAuthenticator(member);
  await member.getByRole("button", { name: "Add passkey…" }).click();
  await member.getByLabel("Name").fill("Laptop");
  await member.getByRole("button", { name: "Continue with device" }).click();
  await member.getByRole("dialog", { name: "Confirm your password" }).getByLabel("Password").fill(password);
  await member.keyboard.press("Enter");
  await member.getByRole("button", { name: "I have saved them" }).click();
  expectErrors(member, /403/);
  await member.getByRole("link", { name: "Continue to Demo" }).click();
  await member.getByRole("heading", { name: "Projects" }).waitFor();
  expect(new URL(member.url()).pathname).toBe("/projects");

  await section.getByRole("button", { name: "Stop requiring…" }).click();
  await page.getByRole("button", { name: "Stop requiring", exact: true }).click();
  await section.getByText("Not required.").waitFor();
});
