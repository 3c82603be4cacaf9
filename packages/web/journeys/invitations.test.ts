import { password } from "@svc/local/demo";
import { expect } from "vitest";
import { expectErrors, linkToken, startSite, test } from "../testing/browser.ts";

const site = startSite();
const guest = "owner@free.test";

test("a user who is invited by an admin signs in from the link, joins the team and leaves it again", async () => {
  const page = await site.openAs("admin@demo.test", "/members");
  await page.getByRole("button", { name: "Invite member" }).click();
  // Admins cannot invite other admins.
  await expect.poll(() => page.getByLabel("Role in Demo").locator("option").count()).toBe(2);
  await page.getByLabel("Email", { exact: true }).fill("not an email");
  await page.getByRole("button", { name: "Send invitation" }).click();
  await expect
    .poll(() => page.getByLabel("Email", { exact: true }).getAttribute("aria-invalid"))
    .toBe("true");
  expectErrors(page, /422/);
  await page.getByLabel("Email", { exact: true }).fill(guest);
  await page.keyboard.press("Enter");
  const pending = page.getByRole("region", { name: "Pending invitations" });
  await pending.getByText(guest).waitFor();

  const other = await site.open({ consent: ["essential"] });
  await other.goto(site.url(`/accept-invitation#token=${linkToken(site.server(), guest)}`));
  const signIn = other.getByRole("link", { name: "Sign in" });
  await signIn.waitFor();
  expect(other.url()).toBe(site.url("/accept-invitation"));
  await signIn.click();
  await other.getByLabel("Email").fill(guest);
  await other.getByLabel("Password").fill(password);
  await other.keyboard.press("Enter");
  await other.getByText("Welcome to Demo.").waitFor();
  await other.getByText("26 members").waitFor();
  await page.reload();
  await page.getByText("26 members").waitFor();
  expect(await pending.count()).toBe(0);
  // Members can neither see nor send invitations.
  expect(await other.getByRole("button", { name: "Invite member" }).count()).toBe(0);

  await other.goto(site.url("/settings/profile"));
  await other.getByRole("button", { name: "Leave Demo" }).click();
  await other.getByRole("button", { name: "Leave workspace" }).click();
  await other.getByText("You have left Demo.").waitFor();
  await expect.poll(() => other.getByRole("button", { name: "Leave Demo" }).count()).toBe(0);
});

test("the link of a revoked invitation shows that it was revoked", async () => {
  const page = await site.openAs("owner@demo.test", "/members");
  await page.getByRole("button", { name: "Invite member" }).click();
  await page.getByLabel("Email", { exact: true }).fill("late@guest.test");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: /^Revoke the invitation for late/ }).click();
  await page.getByRole("button", { name: "Revoke invitation" }).click();
  await page.getByText("Invitation revoked.").waitFor();
  await page.goto(site.url(`/accept-invitation#token=${linkToken(site.server(), "late@guest.test")}`));
  await page.getByText("This invitation has expired, was revoked or was already used.").waitFor();
  expectErrors(page, /410/);
});
