import { expect } from "vitest";
import { expectAccessible, expectFits, startSite, test } from "../testing/browser.ts";

const site = startSite();

test("a manager compares weeks and sees the time of everyone, by pointer and with the arrow keys", async () => {
  const page = await site.openAs("admin@demo.test", "/");
  const chart = page.getByRole("figure", { name: "Hours per day" });
  await chart.waitFor();
  const figures = page.getByRole("region", { name: "The week in figures" });
  const own = await figures.textContent();
  await page.getByRole("button", { name: "Team", exact: true }).click();
  await expect.poll(() => figures.textContent()).not.toBe(own);

  // The demo people worked on all weekdays of last week.
  await page.getByRole("button", { name: "Previous week" }).click();
  const bars = chart.getByRole("link");
  await chart.getByRole("link", { name: /^Monday \S+: \d+:\d\d, / }).waitFor();
  expect(await bars.count()).toBe(7);
  await expectAccessible(page);
  await expectFits(page);

  // One stop for Tab, and the arrow keys move between the days.
  await bars.first().focus();
  await page.keyboard.press("End");
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
  expect(await focused()).toMatch(/^Sunday \S+: no time$/);
  await page.keyboard.press("ArrowLeft");
  expect(await focused()).toMatch(/^Saturday/);
  await page.keyboard.press("Home");
  await page.getByText(/^Monday \d{4}-\d\d-\d\d$/).waitFor();

  await page.getByRole("button", { name: "Show as table" }).click();
  const table = page.getByRole("region", { name: "Hours per day" }).getByRole("table");
  expect(await table.getByRole("row").count()).toBe(8);
  await table.getByRole("link", { name: /^Monday/ }).click();
  await page.getByRole("heading", { name: "Time entries", exact: true }).waitFor();
  expect(page.url()).toMatch(/from=(\d{4}-\d\d-\d\d)&to=\1$/);
  await page.goBack();
  await page.getByRole("button", { name: "Team", exact: true, pressed: true }).waitFor();
});

test("Home shows running timers to managers, and a recent project starts with one click", async () => {
  const member = await site.openAs("member@demo.test", "/");
  const recent = member.getByRole("region", { name: "Recent projects" });
  await recent.getByRole("button", { name: /^(Start timer for|Switch timer to) Mobile app$/ }).click();
  await recent.getByText("Running").waitFor();
  expect(await member.getByRole("region", { name: "Running now" }).count()).toBe(0);
  expect(await member.getByRole("region", { name: "Budgets near their limit" }).count()).toBe(0);
  await member.getByRole("list", { name: "Today’s entries" }).getByText("now").first().waitFor();

  const manager = await site.openAs("admin@demo.test", "/");
  const running = manager.getByRole("region", { name: "Running now" });
  await running.getByText("Mia Member").waitFor();
  const budgets = manager.getByRole("region", { name: "Budgets near their limit" });
  await budgets.getByRole("link").nth(1).click();
  await manager.waitForURL(/\/projects\/prj_/);
});
