import { password } from "@svc/local/demo";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { expectErrors, startSite, test } from "../testing/browser.ts";

const site = startSite();

const focusedName = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute("name"));

test("required fields are marked and checked before anything is sent, and decimals are read as the locale writes them", async () => {
  const page = await site.openAs("admin@demo.test", "/projects");
  await page.evaluate(() => cookieStore.set("svc_user_locale", "de-CH"));
  await page.getByRole("button", { name: "New project" }).click();
  const dialog = page.getByRole("dialog", { name: "New project" });
  const name = `Rates of ${Date.now()}`;
  expect(await dialog.getByText("Required", { exact: true }).count()).toBe(1);
  await dialog.getByLabel("Hourly rate").fill("12,3,4");
  await dialog.getByRole("button", { name: "Create project" }).click();
  await dialog.getByText("Name is required.").waitFor();
  await dialog.getByText("Hourly rate must be a number such as 120.50.").waitFor();
  await expect.poll(() => focusedName(page)).toBe("name");

  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Hourly rate").fill("120,50");
  await dialog.getByRole("button", { name: "Create project" }).click();
  await page.getByText("Project created.").waitFor();
  const answer = await page.request.get(site.url(`/api/v1/projects?q=${encodeURIComponent(name)}`));
  const found = (await answer.json()).data.filter((project: { name: string }) => project.name === name);
  expect(found.map(({ hourlyRate }: { hourlyRate: string }) => hourlyRate)).toEqual(["120.50"]);
});

test("the first wrong field on the page gets the focus, whatever the order of the errors", async () => {
  const page = await site.open({ consent: ["essential"] });
  await page.goto(site.url("/register"));
  await page.getByLabel("Email").fill("not an email");
  await page.getByLabel("Name", { exact: true }).fill("Reversed \u202e name");
  await page.getByLabel("Password", { exact: true }).fill("short");
  await page.getByRole("button", { name: "Sign up", exact: true }).click();
  await page.getByText("Email must be an email address.").waitFor();
  await page.getByText("Password must have at least 12 characters.").waitFor();
  await expect.poll(() => focusedName(page)).toBe("name");
  expectErrors(page, /422/);
});

test("the times of a new entry are marked as required and checked", async () => {
  const page = await site.openAs("member@demo.test", "/time-entries");
  await page.getByRole("button", { name: "Add entry" }).click();
  const adding = page.getByRole("dialog", { name: "Add entry" });
  const end = adding.getByRole("group", { name: "End", exact: true });
  await end.locator('[data-type="hour"]').focus();
  for (let digit = 0; digit < 2; digit++) await page.keyboard.press("Backspace");
  await adding.getByRole("button", { name: "Add entry" }).click();
  await adding.getByText("End is not complete.").waitFor();
  for (const part of await end.getByRole("spinbutton").all()) {
    await part.focus();
    for (let digit = 0; digit < 4; digit++) await page.keyboard.press("Backspace");
  }
  await adding.getByRole("button", { name: "Add entry" }).click();
  await adding.getByText("End is required.").waitFor();
  await expect
    .poll(() =>
      page.evaluate(() => document.activeElement?.closest(".date-picker")?.getAttribute("data-name")),
    )
    .toBe("endedAt");
  expect(await adding.getByText("Required", { exact: true }).count()).toBe(2);
});

test("text that was not saved is there after a reload and another page, and not after saving, discarding or signing out", async () => {
  const page = await site.openAs("member@demo.test", "/settings/profile");
  const title = page.getByLabel("Title", { exact: true });
  const restored = page.getByText("Your unsaved changes were restored.");
  const before = await title.inputValue();
  await title.fill("Keeper of drafts");
  await page.reload();
  await restored.waitFor();
  expect(await title.inputValue()).toBe("Keeper of drafts");
  await page.getByRole("link", { name: "Home", exact: true }).first().click();
  await page.getByRole("heading", { name: "Home" }).waitFor();
  await page.goBack();
  await restored.waitFor();
  await page.getByRole("button", { name: "Discard them" }).click();
  expect(await title.inputValue()).toBe(before);
  await page.reload();
  await title.waitFor();
  expect(await restored.count()).toBe(0);

  await title.fill(`Saved at ${Date.now()}`);
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("Profile saved.").waitFor();
  await page.reload();
  await title.waitFor();
  expect(await restored.count()).toBe(0);

  await title.fill("Left behind");
  // Passwords are never stored.
  await page.getByLabel("Current password").fill(password);
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain(password);
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).toContain("Left behind");
  await page.getByRole("button", { name: "Account of Mia Member" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain("Left behind");
});

test("a dialog that was filled before a reload has its text again, and none after Cancel", async () => {
  const page = await site.openAs("admin@demo.test", "/projects");
  const open = () => page.getByRole("button", { name: "New project" }).click();
  const name = page.getByRole("dialog", { name: "New project" }).getByLabel("Name");
  await open();
  await name.fill("Half a project");
  page.once("dialog", (question) => void question.accept());
  await page.reload();
  await open();
  await page.getByText("Your unsaved changes were restored.").waitFor();
  expect(await name.inputValue()).toBe("Half a project");
  await page.getByRole("button", { name: "Cancel" }).click();
  await open();
  expect(await name.inputValue()).toBe("");
});
