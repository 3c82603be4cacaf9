import { readFile } from "node:fs/promises";
import { expect } from "vitest";
import { expectAccessible, expectErrors, startSite, test } from "../testing/browser.ts";

const site = startSite();

test("a report is grouped, narrowed, drawn with its numbers beside it, and downloaded", async () => {
  const page = await site.openAs("admin@demo.test", "/reports");
  const table = page.getByRole("region", { name: "Report", exact: true });
  const total = table.getByRole("row", { name: /^Total/ });
  await total.waitFor();
  const everything = await total.textContent();

  await page.getByLabel("Group by").selectOption("client");
  await page.getByLabel("Then by").selectOption("project");
  await table.getByRole("row", { name: /^Daichi Retail/ }).waitFor();
  await expect.poll(() => total.textContent()).toBe(everything);

  // The library that draws is not loaded before there is something to draw.
  const chart = page.getByRole("figure").filter({ hasText: "Time per day" });
  await chart.locator("canvas").waitFor();
  await chart.getByText("The numbers").click();
  expect(await chart.getByRole("row").count()).toBe(31);
  await expectAccessible(page);

  await page.getByText("More filters").click();
  await page.getByLabel("Project", { exact: true }).selectOption({ label: "Store kiosks" });
  await expect.poll(() => table.getByRole("row").count()).toBe(4);
  await page.getByRole("button", { name: "CSV" }).click();
  const link = page.getByRole("link", { name: "Download the CSV file" });
  const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
  expect(download.suggestedFilename()).toMatch(/^summary-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/);
  const lines = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatch(/Daichi Retail,Store kiosks/);

  // A file of something else is not offered.
  await page.getByLabel("Period").selectOption({ label: "Last month" });
  await link.waitFor({ state: "detached" });
});

test("days of one's own that run backwards are told, and can be corrected", async () => {
  const page = await site.openAs("member@demo.test", "/reports?period=custom&from=2026-02-02&to=2026-02-01");
  await page.getByText("The last day must not be before the first day.").waitFor();
  expectErrors(page, /422/);
  await page.getByLabel("To", { exact: true }).fill("2026-02-03");
  await page.getByText("No time fits this report").waitFor();
});

test("a report of one's own making shows its figures, and the entries with their columns", async () => {
  const page = await site.openAs("admin@demo.test", "/custom-reports");
  const table = page.getByRole("region", { name: "Report", exact: true });
  await page.getByLabel("Level 1").selectOption("tag");
  await page.getByLabel("Level 2").selectOption("billable");
  await page.getByRole("group", { name: "Figures" }).getByLabel("Billable share").check();
  await page.getByRole("group", { name: "Figures" }).getByLabel("Amounts").uncheck();
  await page.getByRole("group", { name: "Columns of entries" }).getByLabel("Description").check();
  await table.getByRole("columnheader", { name: "Billable share" }).waitFor();
  await expect.poll(() => table.getByRole("columnheader", { name: "Amounts" }).count()).toBe(0);
  await page
    .getByText(/^design \/ Billable/)
    .first()
    .click();
  await page
    .getByRole("region", { name: "design / Billable" })
    .getByText("Sketches for the start page")
    .first()
    .waitFor();
  await page.getByRole("button", { name: "JSON" }).click();
  await page.getByRole("link", { name: "Download the JSON file" }).waitFor();
});

test("a smaller plan has reports and files, and says what it lacks", async () => {
  const page = await site.openAs("owner@free.test", "/reports");
  await page.getByRole("row", { name: /^Total/ }).waitFor();
  expect(await page.getByRole("figure").count()).toBe(0);
  await page.getByText("More filters").click();
  await page.getByText("belong to the plan ENTERPRISE.").waitFor();
  await page.getByRole("button", { name: "XLSX" }).click();
  await page.getByRole("link", { name: "Download the XLSX file" }).waitFor();
});
