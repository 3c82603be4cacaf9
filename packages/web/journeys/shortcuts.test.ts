import { expect } from "vitest";
import { startSite, test } from "../testing/browser.ts";
import { timerBar } from "../testing/timer.ts";

const site = startSite();

test("shortcuts open pages, find, and start and stop the timer, but not while the user types", async () => {
  const page = await site.openAs("member@demo.test", "/projects");
  await page.getByRole("heading", { name: "Projects" }).waitFor();
  await timerBar(page).waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("e");
  await page.getByRole("heading", { name: "Time entries" }).waitFor();
  await page.getByLabel("Find entries").waitFor();
  await page.keyboard.press("/");
  await expect
    .poll(() => page.getByLabel("Find entries").evaluate((one) => one === document.activeElement))
    .toBe(true);
  await page.keyboard.type("gh?");
  expect(await page.getByLabel("Find entries").inputValue()).toBe("gh?");
  expect(await page.getByRole("dialog").count()).toBe(0);

  await page.goto(site.url("/reports"));
  await timerBar(page).getByRole("button", { name: "Start", exact: true }).waitFor();
  await page.keyboard.press("n");
  await page.keyboard.type("Typed after n");
  expect(await timerBar(page).getByLabel("What are you working on?").inputValue()).toBe("Typed after n");
  await page.keyboard.press("Enter");
  await timerBar(page).getByRole("button", { name: "Stop", exact: true }).waitFor();
  await page.getByRole("heading", { name: "Reports" }).click();
  await page.keyboard.press("s");
  await timerBar(page).getByRole("button", { name: "Start", exact: true }).waitFor();
});

test("the list of shortcuts opens with ? and turns them off, also after a reload", async () => {
  const page = await site.openAs("member@demo.test", "/");
  await page.getByRole("heading", { name: "Home" }).waitFor();
  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await dialog.getByLabel("Use keyboard shortcuts").uncheck();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await page.reload();
  await page.getByRole("heading", { name: "Home" }).waitFor();
  await page.keyboard.press("?");
  await page.keyboard.press("g");
  await page.keyboard.press("e");
  // The button still opens the list, where they are turned on again.
  await page.getByRole("button", { name: "Keyboard shortcuts" }).click();
  await dialog.getByLabel("Use keyboard shortcuts").check();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect(new URL(page.url()).pathname).toBe("/");
  await page.keyboard.press("g");
  await page.keyboard.press("e");
  await page.getByRole("heading", { name: "Time entries" }).waitFor();
});
