import { password } from "@svc/local/demo";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { expectErrors, fillDate, startSite, test } from "../testing/browser.ts";

const site = startSite();

const dialog = (page: Page, name: string | RegExp) => page.getByRole("dialog", { name });
const question = (page: Page) => page.getByRole("alertdialog", { name: "Discard your changes?" });

/** Clicks the page beside the dialog. */
const clickBeside = (page: Page) => page.mouse.click(20, 400);

/** Reloads the page, answers the browser's question, and returns whether it asked. */
async function reloadAsks(page: Page): Promise<boolean> {
  let asked = false;
  page.once("dialog", (browserDialog) => {
    asked = browserDialog.type() === "beforeunload";
    void browserDialog.dismiss();
  });
  await page.evaluate(() => location.reload());
  await expect.poll(() => page.evaluate(() => document.readyState)).toBe("complete");
  return asked;
}

describe("a dialog with unsaved changes", () => {
  const ways = [
    ["Escape", (page: Page) => page.keyboard.press("Escape")],
    ["a click beside it", clickBeside],
    ["its close button", (page: Page) => page.getByRole("button", { name: "Close" }).click()],
  ] as const;

  test.each(ways)("asks before %s drops them", async (_, leave) => {
    const page = await site.openAs("member@demo.test", "/time-entries");
    await page.getByRole("button", { name: "Add entry" }).click();
    const adding = dialog(page, "Add entry");
    await adding.waitFor();
    await leave(page);
    await adding.waitFor({ state: "detached" });

    await page.getByRole("button", { name: "Add entry" }).click();
    await adding.getByLabel("Description").fill("Not saved yet");
    await leave(page);
    await question(page).getByRole("button", { name: "Keep editing" }).click();
    expect(await adding.getByLabel("Description").inputValue()).toBe("Not saved yet");
    // Escape answers the question itself with no.
    await leave(page);
    await question(page).waitFor();
    await page.keyboard.press("Escape");
    await question(page).waitFor({ state: "detached" });
    expect(await adding.getByLabel("Description").inputValue()).toBe("Not saved yet");
    await leave(page);
    await question(page).getByRole("button", { name: "Discard changes" }).click();
    await adding.waitFor({ state: "detached" });
  });

  test("counts a date as a change, warns before a reload, and closes without a question after saving", async () => {
    const page = await site.openAs("member@demo.test", "/time-entries");
    await page.getByRole("button", { name: "Add entry" }).click();
    const adding = dialog(page, "Add entry");
    expect(await adding.getByLabel("Description").inputValue()).toBe("");
    await fillDate(adding, "Start", "2026-11-20T08:00");
    await fillDate(adding, "End", "2026-11-20T09:00");
    await page.keyboard.press("Escape");
    await question(page).getByRole("button", { name: "Keep editing" }).click();
    expect(await reloadAsks(page)).toBe(true);
    await adding.getByRole("button", { name: "Add entry" }).click();
    await page.getByText("Entry added.").waitFor();
    await adding.waitFor({ state: "detached" });
    expect(await question(page).count()).toBe(0);
  });
});

test("a secret that is shown once stays until it is said to be saved", async () => {
  const page = await site.openAs("member@demo.test", "/settings/security");
  await page.getByRole("tab", { name: "API tokens" }).click();
  await page.getByRole("button", { name: "Create token" }).click();
  await dialog(page, "Create API token").getByLabel("Name").fill("Backup");
  await dialog(page, "Create API token").getByRole("button", { name: "Create token" }).click();
  const confirming = dialog(page, "Confirm your password");
  await confirming.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
  const secret = dialog(page, "Token Backup");
  const text = await secret.locator(".secret-text").textContent();
  expect(text).toMatch(/^svc_/);
  const shown = () => secret.locator(".secret-text").textContent();

  await page.keyboard.press("Escape");
  await secret.getByText("This will not be shown again.").waitFor();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("I have saved it");
  await clickBeside(page);
  expect(await shown()).toBe(text);
  // The focus cannot leave, and a window that loses it changes nothing.
  for (let press = 0; press < 4; press++) await page.keyboard.press("Tab");
  expect(await secret.evaluate((one) => one.contains(document.activeElement))).toBe(true);
  await page.evaluate(() => dispatchEvent(new Event("blur")));
  // The Back button stays on the page, again and again.
  for (let press = 0; press < 2; press++) {
    await page.goBack();
    expect(await shown()).toBe(text);
  }
  expect(new URL(page.url()).pathname).toBe("/settings/security");
  expect(await reloadAsks(page)).toBe(true);
  expect(await shown()).toBe(text);

  expectErrors(page, /403/);
  await secret.getByRole("button", { name: "I have saved it" }).click();
  await secret.waitFor({ state: "detached" });
  expect(await reloadAsks(page)).toBe(false);
});
