import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { expectErrors, fillDate, startSite, test } from "../testing/browser.ts";
import { startTimer, timerBar } from "../testing/timer.ts";

const site = startSite();

const field = (page: Page) => timerBar(page).getByLabel("What are you working on?");
const button = (page: Page, name: string) => timerBar(page).getByRole("button", { name, exact: true });
const focused = (target: Locator) => target.evaluate((one) => one === document.activeElement);

test("a timer starts, counts on every page and in the title of the tab, switches to another project and stops", async () => {
  const page = await site.openAs("member@demo.test", "/");
  await page.getByText("No time tracked today").waitFor();
  await startTimer(page, "Sketches", "Mobile app");
  expect(await focused(button(page, "Stop"))).toBe(true);
  const today = page.getByRole("list", { name: "Today’s entries" });
  await today.getByText("Sketches").waitFor();
  const shown = () => timerBar(page).getByRole("timer").textContent();
  const before = await shown();
  await expect.poll(shown).not.toBe(before);
  await expect.poll(() => page.title()).toMatch(/^0:\d\d:\d\d · Home · svc$/);

  await page
    .getByRole("button", { name: /^Switch timer to/ })
    .first()
    .click();
  await expect.poll(() => today.getByRole("listitem").count()).toBe(2);
  await page.getByRole("link", { name: "Team members" }).click();
  await page.getByRole("heading", { name: "Team members" }).waitFor();
  await expect.poll(() => page.title()).toMatch(/^0:\d\d:\d\d · Team members · svc$/);
  await button(page, "Stop").click();
  await button(page, "Start").waitFor();
  expect(await focused(button(page, "Start"))).toBe(true);
  expect(await page.title()).toBe("Team members · svc");
});

test("the running timer is changed from another page: description, project, tags, billable and start", async () => {
  const page = await site.openAs("admin@demo.test", "/reports");
  await startTimer(page, "Pricing", "Mobile app");
  // The answer to the first change comes after the second change.
  const chosen = Promise.withResolvers<void>();
  await page.route(
    "**/api/v1/time-entries/*",
    async (route) => {
      await chosen.promise;
      await route.continue();
    },
    { times: 1 },
  );
  await field(page).fill("Pricing workshop");
  await page.keyboard.press("Enter");
  await button(page, "Project: Mobile app").click();
  await page.getByRole("searchbox", { name: "Project" }).fill("inter");
  await page.keyboard.press("Enter");
  chosen.resolve();
  await button(page, "Project: Internal").waitFor();
  expect(await field(page).inputValue()).toBe("Pricing workshop");
  await button(page, "Tags: none").click();
  await page.getByRole("searchbox", { name: "Tags" }).fill("pricing");
  await page.getByRole("option", { name: "pricing" }).click();
  await page.keyboard.press("Escape");
  await button(page, "Tags: pricing").waitFor();
  const billable = button(page, "Billable");
  const was = await billable.getAttribute("aria-pressed");
  await billable.click();
  await expect.poll(() => billable.getAttribute("aria-pressed")).not.toBe(was);

  await timerBar(page)
    .getByRole("button", { name: /^Change the start time/ })
    .click();
  const start = page.getByRole("dialog", { name: "Start time" });
  await start.getByLabel("Start time").fill("soon");
  await page.keyboard.press("Enter");
  await start.getByText("Enter a time such as 9:30.").waitFor();
  await start.getByLabel("Start time").fill("0:00");
  await start.getByRole("button", { name: "Save start time" }).click();
  await timerBar(page).getByRole("button", { name: "Change the start time, now 12:00 AM" }).waitFor();

  // Everything is saved.
  await page.reload();
  await button(page, "Project: Internal").waitFor();
  await button(page, "Tags: pricing").waitFor();
  await timerBar(page).getByText("Since 12:00 AM").waitFor();
  expect(await field(page).inputValue()).toBe("Pricing workshop");
  await button(page, "Stop").click();
  await button(page, "Start").waitFor();
});

test("a former entry is suggested and fills project and tags, and a failed start keeps what was typed", async () => {
  const page = await site.openAs("owner@demo.test", "/time-entries");
  await startTimer(page, "Board review", "Internal");
  await button(page, "Stop").click();
  await button(page, "Start").waitFor();
  await page.goto(site.url("/projects"));
  await field(page).pressSequentially("board rev");
  await page.getByRole("option", { name: "Board review" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await button(page, "Project: Internal").waitFor();
  expect(await field(page).inputValue()).toBe("Board review");

  await page.route("**/api/v1/time-entries/start", (route) => route.abort());
  await button(page, "Start").click();
  await timerBar(page).getByRole("alert").getByRole("paragraph").waitFor();
  expect(await field(page).inputValue()).toBe("Board review");
  await button(page, "Project: Internal").waitFor();
  page.errors.length = 0;
});

test("on a phone the timer is docked above the page, and a sheet has its details", async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const page = await site.openAs("owner@free.test", "/projects", phone);
  await field(page).fill("On the train");
  await timerBar(page).getByRole("button", { name: "Timer details" }).tap();
  const sheet = page.getByRole("dialog", { name: "Timer details" });
  await sheet.getByRole("button", { name: "Project: none" }).tap();
  await page.getByRole("option", { name: "No project" }).tap();
  await sheet.getByRole("button", { name: "Done" }).tap();
  await button(page, "Start").tap();
  await button(page, "Stop").waitFor();
  await button(page, "Stop").tap();
  await button(page, "Start").waitFor();
});

test("an entry of today is edited, continued and deleted with the keyboard", async () => {
  const page = await site.openAs("admin@demo.test", "/");
  const opened = Promise.withResolvers<void>();
  await page.route("**/api/v1/time-entries/stop", async (route) => {
    await opened.promise;
    await route.continue();
  });
  const call = `Call ${crypto.randomUUID().slice(0, 8)}`;
  await field(page).fill(call);
  await page.keyboard.press("Enter");
  await button(page, "Stop").click();
  const actions = page.getByRole("button", { name: `Actions for ${call}` });
  await actions.focus();
  await page.keyboard.press("Enter");
  // When the timer stops while the menu is open, the menu stays unchanged and keeps the focus.
  await page.getByRole("menuitem", { name: "Stop timer" }).waitFor();
  opened.resolve();
  const entries = page.getByRole("list", { name: "Today’s entries" }).getByRole("listitem");
  await expect.poll(() => entries.first().textContent()).not.toContain("now");
  expect(await page.getByRole("menuitem").allTextContents()).toEqual([
    "Stop timer",
    "Split…",
    "Edit details",
    "Delete",
  ]);
  await page.keyboard.press("ArrowDown");
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
  await expect.poll(() => actions.count()).toBe(2);
  await actions.first().click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByText("Entry deleted.").waitFor();
  await expect.poll(() => actions.count()).toBe(1);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => actions.count()).toBe(2);
});
