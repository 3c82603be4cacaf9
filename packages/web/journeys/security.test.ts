import { readFile } from "node:fs/promises";
import { password } from "@svc/local/demo";
import { expect } from "vitest";
import { addAuthenticator, expectAccessible, expectErrors, startSite, test } from "../testing/browser.ts";

const site = startSite();

test("a user adds a passkey after confirming the password, replaces the backup codes and removes the passkey", async () => {
  const page = await site.openAs("ines.novak@demo.test", "/settings/security", { acceptDownloads: true });
  await addAuthenticator(page);
  await page.getByRole("button", { name: "Add passkey…" }).click();
  await page.getByLabel("Name").fill("Laptop");
  await page.getByRole("button", { name: "Continue with device" }).click();
  const passwordDialog = page.getByRole("dialog", { name: "Confirm your password" });

  // Canceling the password dialog changes nothing and retains the form's values.
  await passwordDialog.waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("alert").getByText("Nothing was changed").waitFor();
  expect(await page.getByLabel("Name").inputValue()).toBe("Laptop");
  await page.getByRole("button", { name: "Continue with device" }).click();
  await passwordDialog.getByLabel("Password").fill("not this one");
  await page.keyboard.press("Enter");
  await passwordDialog.getByText("Incorrect current password.").waitFor();
  await passwordDialog.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
  const codes = page.getByRole("list", { name: "Backup codes" }).getByRole("listitem");
  await codes.first().waitFor();
  expectErrors(page, /403/, /403/, /403/);
  const first = await codes.allTextContents();
  expect(first).toHaveLength(12);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download codes" }).click(),
  ]);
  expect(await readFile(await download.path(), "utf8")).toBe(`${first.join("\n")}\n`);
  await expectAccessible(page);
  await page.getByRole("button", { name: "I have saved them" }).click();
  await page.getByText("12 left").waitFor();

  await page.getByRole("button", { name: "Create new codes…" }).click();
  await page.getByRole("button", { name: "Create new codes", exact: true }).click();
  await codes.first().waitFor();
  expect(await codes.allTextContents()).not.toContain(first[0]);
  await page.getByRole("button", { name: "I have saved them" }).click();

  await page.getByRole("button", { name: "Remove Laptop" }).click();
  await page.getByRole("button", { name: "Remove passkey" }).click();
  await page.getByText("Two-factor authentication is off.").waitFor();
});

test("a user manages sessions, devices, the idle timeout and API tokens, and sees their sign-ins", async () => {
  const email = "hugo.alvarez@demo.test";
  const page = await site.openAs(email, "/settings/security");
  const elsewhere = await site.openAs(email, "/members");
  await elsewhere.getByText("25 members").waitFor();
  await page.getByRole("tab", { name: "Sessions and devices" }).click();
  const sessions = page.getByRole("region", { name: "Sessions" });
  await sessions.getByText("this session").waitFor();
  await page.getByRole("button", { name: "End all other sessions…" }).click();
  await page.getByRole("button", { name: "End sessions" }).click();
  await page.getByText("All other sessions ended.").waitFor();
  await expect.poll(() => sessions.getByRole("listitem").count()).toBe(1);
  await elsewhere.reload();
  await elsewhere.getByRole("heading", { name: "Sign in" }).waitFor();
  expectErrors(elsewhere, /401/);

  const devices = page.getByRole("region", { name: "Known devices" });
  const [mine] = await devices.getByRole("listitem").filter({ hasText: "this device" }).all();
  await mine?.getByRole("button", { name: /^Rename/ }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("My own machine");
  await page.keyboard.press("Enter");
  await devices.getByText("My own machine").waitFor();
  await page.getByLabel("Sign me out").selectOption("30 minutes");
  await page.getByLabel("Email me").uncheck();
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("Security settings saved.").waitFor();
  const settings = await page.request.get(site.url("/user/security"));
  expect(await settings.json()).toEqual({ idleTimeoutMinutes: 30, loginNotifications: false });
  await expectAccessible(page);

  await page.getByRole("tab", { name: "Sign-in history" }).click();
  await page.getByRole("cell", { name: "Signed in" }).first().waitFor();
  await expectAccessible(page);

  await page.getByRole("tab", { name: "API tokens" }).click();
  await page.getByText("No API tokens yet").waitFor();
  await page.getByRole("button", { name: "Create token" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Payroll export");
  await page.getByLabel("Expires after").selectOption("365 days");
  await page.getByRole("dialog").getByRole("button", { name: "Create token" }).click();
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
  const token = (await page.locator("code.secret-text").textContent()) ?? "";
  expectErrors(page, /403/);
  const requestWithToken = () =>
    fetch(site.url("/team"), { headers: { authorization: `Bearer ${token}` } }).then(({ status }) => status);
  expect(await requestWithToken()).toBe(200);
  await page.getByRole("button", { name: "I have saved it" }).click();
  expect(await page.content()).not.toContain(token);
  await page.getByRole("button", { name: "Delete Payroll export" }).click();
  await page.getByRole("button", { name: "Delete token" }).click();
  await page.getByText("No API tokens yet").waitFor();
  expect(await requestWithToken()).toBe(401);
});
