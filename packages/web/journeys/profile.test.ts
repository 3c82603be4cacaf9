import { readFile } from "node:fs/promises";
import { db } from "@svc/core/platform/db/engine";
import { password } from "@svc/local/demo";
import { expect } from "vitest";
import {
  chooseOption,
  expectAccessible,
  expectErrors,
  expectFits,
  linkToken,
  startSite,
  test,
} from "../testing/browser.ts";

const site = startSite();

test("a user changes the email, and undoes it from the notice to the old one", async () => {
  const page = await site.openAs("member@demo.test", "/settings/profile");
  const section = page.getByRole("region", { name: "Email", exact: true });
  await section.getByLabel("New email").fill("mia@new.test");
  await section.getByLabel("Your password").fill("not this one");
  await page.keyboard.press("Enter");
  await section.getByRole("alert").getByText("Incorrect current password.").waitFor();
  expectErrors(page, /403/);
  await section.getByLabel("Your password").fill(password);
  await page.keyboard.press("Enter");
  await section.getByText("Open the link that we have sent to mia@new.test").waitFor();
  expect(await section.getByLabel("Your password").inputValue()).toBe("");
  await expectFits(page);

  await page.goto(site.url(`/confirm-email#token=${linkToken(site.server(), "mia@new.test")}`));
  await expectAccessible(page);
  await page.getByRole("button", { name: "Confirm email" }).click();
  await page.getByRole("link", { name: "Go to home page" }).click();
  await page.getByRole("button", { name: "Account of Mia Member" }).click();
  await page.getByRole("menuitem", { name: "Profile" }).click();
  await section.getByText("You sign in as mia@new.test.").waitFor();

  await page.goto(site.url(`/undo-email-change#token=${linkToken(site.server(), "member@demo.test")}`));
  await expectAccessible(page);
  await page.getByRole("button", { name: "Undo the change" }).click();
  await page.getByLabel("New password").fill("another unlikely phrase");
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByRole("link", { name: "Sign in with your new password" }).click();
  await page.getByLabel("Email").fill("member@demo.test");
  await page.getByLabel("Password").fill("another unlikely phrase");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Home" }).waitFor();
});

test("a user changes name and password, downloads their data, transfers their workspace and deletes the account", async () => {
  const page = await site.openAs("owner@demo.test", "/settings/profile", { acceptDownloads: true });
  await page.getByLabel("Name").fill("Olivia Ortega");
  await page.getByLabel("Phone").fill("call me");
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("Phone must be a telephone number such as +41 44 123 45 67.").waitFor();
  expectErrors(page, /422/);
  await page.getByLabel("Phone").fill("+41 44 123 45 67");
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByRole("button", { name: "Account of Olivia Ortega" }).waitFor();

  await page.getByLabel("Current password").fill(password);
  await page.getByLabel("New password").fill("another unlikely phrase");
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText("Password changed.").waitFor();
  expect(await page.getByLabel("New password").inputValue()).toBe("");

  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download data" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^svc-export-\d{4}-\d\d-\d\d\.json$/);
  const all = JSON.parse(await readFile(await download.path(), "utf8"));
  expect(all.profile.name).toBe("Olivia Ortega");

  const remove = async () => {
    await page.getByRole("button", { name: "Delete account…" }).click();
    await page.getByRole("button", { name: "Delete account", exact: true }).click();
  };
  await remove();
  await page
    .getByRole("dialog", { name: "Confirm your password" })
    .getByLabel("Password", { exact: true })
    .fill("another unlikely phrase");
  await page.keyboard.press("Enter");
  await page.getByText("You own Demo, which has other members.").waitFor();
  expectErrors(page, /403/, /409/);
  await page.getByRole("button", { name: "Cancel" }).click();

  // The new owner may be in no team.
  const adam = await db()
    .selectFrom("users")
    .select("id")
    .where("email_key", "=", "admin@demo.test")
    .executeTakeFirstOrThrow();
  await db().deleteFrom("team_members").where("user_id", "=", adam.id).execute();
  await page.getByRole("button", { name: "Transfer Demo" }).click();
  await chooseOption(page, "New owner", "Adam Admin");
  await page.getByRole("button", { name: "Transfer workspace" }).click();
  await page.getByRole("button", { name: "Leave Demo" }).waitFor();
  await remove();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await page.getByText("Account deleted.").waitFor();
});
