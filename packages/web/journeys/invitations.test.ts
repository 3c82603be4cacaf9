import { password } from "@svc/local/demo";
import { expect } from "vitest";
import { expectTroubles, linkToken, startSite, test } from "../testing/browser.ts";

const site = startSite();
const guest = "owner@free.test";

test("an admin invites somebody, who signs in by the link, is in the team, and leaves again", async () => {
  const page = await site.openAs("admin@demo.test", "/members");
  await page.getByRole("button", { name: "Invite somebody" }).click();
  // An admin makes no other admins.
  await expect.poll(() => page.getByLabel("Role in Demo").locator("option").count()).toBe(2);
  await page.getByLabel("E-mail", { exact: true }).fill("not an address");
  await page.getByRole("button", { name: "Send the invitation" }).click();
  await expect
    .poll(() => page.getByLabel("E-mail", { exact: true }).getAttribute("aria-invalid"))
    .toBe("true");
  expectTroubles(page, /422/);
  await page.getByLabel("E-mail", { exact: true }).fill(guest);
  await page.keyboard.press("Enter");
  const pending = page.getByRole("region", { name: "Open invitations" });
  await pending.getByText(guest).waitFor();

  const other = await site.open({ consent: ["essential"] });
  await other.goto(site.url(`/accept-invitation#token=${linkToken(site.server(), guest)}`));
  const signIn = other.getByRole("link", { name: "Sign in" });
  await signIn.waitFor();
  expect(other.url()).toBe(site.url("/accept-invitation"));
  await signIn.click();
  await other.getByLabel("E-mail").fill(guest);
  await other.getByLabel("Password").fill(password);
  await other.keyboard.press("Enter");
  await other.getByText("Welcome to Demo.").waitFor();
  await other.getByText("26 people").waitFor();
  await page.reload();
  await page.getByText("26 people").waitFor();
  expect(await pending.count()).toBe(0);
  // Members neither see nor send invitations.
  expect(await other.getByRole("button", { name: "Invite somebody" }).count()).toBe(0);

  await other.goto(site.url("/settings/profile"));
  await other.getByRole("button", { name: "Leave Demo" }).click();
  await other.getByRole("button", { name: "Leave", exact: true }).click();
  await other.getByText("You have left Demo.").waitFor();
  await expect.poll(() => other.getByRole("button", { name: "Leave Demo" }).count()).toBe(0);
});

test("an invitation that was taken back says so", async () => {
  const page = await site.openAs("owner@demo.test", "/members");
  await page.getByRole("button", { name: "Invite somebody" }).click();
  await page.getByLabel("E-mail", { exact: true }).fill("late@guest.test");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: /^Take back the invitation of late/ }).click();
  await page.getByRole("button", { name: "Take it back" }).click();
  await page.getByText("The invitation is taken back.").waitFor();
  await page.goto(site.url(`/accept-invitation#token=${linkToken(site.server(), "late@guest.test")}`));
  await page.getByText("was taken back, or is too old").waitFor();
  expectTroubles(page, /410/);
});
