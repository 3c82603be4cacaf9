import { readFile } from "node:fs/promises";
import { expect } from "vitest";
import { expectAccessible, expectErrors, fillDate, startSite, test } from "../testing/browser.ts";

const site = startSite();

test("a report is grouped, filtered, drawn with its data as a table, and downloaded", async () => {
  const page = await site.openAs("admin@demo.test", "/reports");
  const table = page.getByRole("region", { name: "Report", exact: true });
  const total = table.getByRole("row", { name: /^Total/ });
  await total.waitFor();
  const everything = await total.textContent();

  await page.getByLabel("Group by").selectOption("client");
  await page.getByLabel("Then by").selectOption("project");
  await table.getByRole("row", { name: /^Daichi Retail/ }).waitFor();
  await expect.poll(() => total.textContent()).toBe(everything);

  // The page loads the drawing library only when there is a chart.
  const chart = page.getByRole("figure").filter({ hasText: "Time per day" });
  await chart.locator("canvas").waitFor();
  await chart.getByText("Show data").click();
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

  // A changed report withdraws the link to its previous file.
  await page.getByLabel("Period").selectOption({ label: "Last month" });
  await link.waitFor({ state: "detached" });
});

test("a custom period that ends before it starts shows an error and can be corrected", async () => {
  const page = await site.openAs("member@demo.test", "/reports?period=custom&from=2026-02-02&to=2026-02-01");
  await page.getByText("The last day must not be before the first day.").waitFor();
  expectErrors(page, /422/);
  await fillDate(page, "To", "2026-02-03");
  await page.getByText("No time entries match this report").waitFor();
});

test("a custom report shows the selected metrics, and the entries with the selected columns", async () => {
  const page = await site.openAs("admin@demo.test", "/custom-reports");
  const table = page.getByRole("region", { name: "Report", exact: true });
  await page.getByLabel("Level 1").selectOption("tag");
  await page.getByLabel("Level 2").selectOption("billable");
  await page.getByRole("group", { name: "Metrics" }).getByLabel("Billable share").check();
  await page.getByRole("group", { name: "Metrics" }).getByLabel("Amounts").uncheck();
  await page.getByRole("group", { name: "Entry columns" }).getByLabel("Description").check();
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

test("the page on a smaller plan has reports and exports, and names the features of the larger plan", async () => {
  const page = await site.openAs("owner@free.test", "/reports");
  await page.getByRole("row", { name: /^Total/ }).waitFor();
  expect(await page.getByRole("figure").count()).toBe(0);
  await page.getByText("More filters").click();
  await page.getByText("are available on the ENTERPRISE plan.").waitFor();
  await page.getByRole("button", { name: "XLSX" }).click();
  await page.getByRole("link", { name: "Download the XLSX file" }).waitFor();
});
