import { expect } from "vitest";
import { expectErrors, fillDate, startSite, test } from "../testing/browser.ts";

const site = startSite();

test("a timer starts, counts on every page, switches to another project and stops, and today's list shows both entries", async () => {
  const page = await site.openAs("member@demo.test", "/");
  await page.getByText("No time tracked today").waitFor();
  await page.getByLabel("What are you working on?").fill("Sketches");
  await page.getByLabel("Project", { exact: true }).selectOption({ label: "Mobile app (Bluebird Travel)" });
  await page.getByRole("button", { name: "Start timer", exact: true }).click();

  const header = page.getByRole("region", { name: "Running timer" });
  await header.getByText("Mobile app").waitFor();
  const today = page.getByRole("list", { name: "Today’s entries" });
  await today.getByText("Sketches").waitFor();
  const shown = () => header.getByRole("timer").textContent();
  const before = await shown();
  await expect.poll(shown).not.toBe(before);

  await page
    .getByRole("button", { name: /^Switch timer to/ })
    .first()
    .click();
  await expect.poll(() => today.getByRole("listitem").count()).toBe(2);
  await page.getByRole("link", { name: "Team members" }).click();
  await page.getByRole("heading", { name: "Team members" }).waitFor();
  await header.getByRole("button", { name: "Stop timer" }).click();
  await header.waitFor({ state: "detached" });
  await page.goto(site.url("/"));
  await page.getByRole("button", { name: "Start timer", exact: true }).waitFor();
  await expect.poll(() => today.getByRole("listitem").count()).toBe(2);
});

test("an entry of today is edited, continued and deleted with the keyboard", async () => {
  const page = await site.openAs("admin@demo.test", "/");
  const opened = Promise.withResolvers<void>();
  await page.route("**/api/v1/time-entries/stop", async (route) => {
    await opened.promise;
    await route.continue();
  });
  await page.getByLabel("What are you working on?").fill("Call");
  await page.keyboard.press("Enter");
  await page
    .getByRole("region", { name: "Timer", exact: true })
    .getByRole("button", { name: "Stop timer" })
    .click();
  const actions = page.getByRole("button", { name: "Actions for Call" });
  await actions.focus();
  await page.keyboard.press("Enter");
  // When the timer stops while the menu is open, the menu stays unchanged and keeps the focus.
  await page.getByRole("menuitem", { name: "Stop timer" }).waitFor();
  opened.resolve();
  const entries = page.getByRole("list", { name: "Today’s entries" }).getByRole("listitem");
  await expect.poll(() => entries.first().textContent()).not.toContain("now");
  expect(await page.getByRole("menuitem").allTextContents()).toEqual(["Stop timer", "Edit", "Delete"]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Edit entry" });
  await fillDate(dialog, "End", "2001-01-01T10:00");
  await dialog.getByLabel("Tags").fill("client, call");
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await dialog.getByText("End must not be before start.").waitFor();
  expect(await dialog.getByLabel("Tags").inputValue()).toBe("client, call");
  expectErrors(page, /422/);
  // Escape asks before it drops the tags.
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Discard changes" }).click();

  await actions.click();
  await page.getByRole("menuitem", { name: "Continue" }).click();
  await expect.poll(() => entries.count()).toBe(2);
  await actions.first().click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete entry" }).click();
  await page.getByText("Entry deleted.").waitFor();
  await expect.poll(() => entries.count()).toBe(1);
});
