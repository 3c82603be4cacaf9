import { readFile } from "node:fs/promises";
import { expect } from "vitest";
import {
  chooseOption,
  expectAccessible,
  expectErrors,
  expectFits,
  fillDate,
  startSite,
  test,
} from "../testing/browser.ts";
import { addEntry } from "../testing/entries.ts";

const site = startSite();

test("a report is grouped, filtered and downloaded with one click, and its URL restores it", async () => {
  const page = await site.openAs("admin@demo.test", "/reports");
  const table = page.getByRole("region", { name: "Report", exact: true });
  const total = table.getByRole("row", { name: /^Total/ });
  await total.waitFor();
  await page.getByRole("figure", { name: "Hours per day" }).waitFor();
  await page.getByText(/days in UTC, compared with/).waitFor();
  const figures = page.getByRole("region", { name: "The report in figures" });
  const everything = await figures.textContent();

  await page.getByLabel("Group by").selectOption("client");
  await page.getByLabel("Then by").selectOption("project");
  await table
    .getByRole("row")
    .filter({ hasText: /^Daichi Retail/ })
    .waitFor();
  expect(await figures.textContent()).toBe(everything);
  await expectAccessible(page);
  await expectFits(page);

  await page.getByText("More filters").click();
  await chooseOption(page, "Project", "Store kiosks");
  // The head, the client, its project and the total.
  await expect.poll(() => table.getByRole("row").count()).toBe(4);

  const url = page.url();
  const shown = await table.textContent();
  await page.reload();
  await expect.poll(() => table.textContent()).toBe(shown);
  await page.goBack();
  await table
    .getByRole("row")
    .filter({ hasText: /^Cedar Health/ })
    .waitFor();
  expect(await page.getByLabel("Then by").inputValue()).toBe("project");
  await page.goForward();
  await expect.poll(() => table.getByRole("row").count()).toBe(4);
  expect(page.url()).toBe(url);

  await page.getByRole("button", { name: "Export as" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "CSV", exact: true }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^summary-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/);
  const lines = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatch(/Daichi Retail,Store kiosks/);
  const [pdf] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export PDF" }).click(),
  ]);
  expect(pdf.suggestedFilename()).toMatch(/\.pdf$/);
});

test("groups and bars of a report lead to their entries, by pointer and keyboard", async () => {
  const page = await site.openAs(
    "admin@demo.test",
    "/reports?group_by=project&sub_group_by=user&period=last-month",
  );
  const table = page.getByRole("region", { name: "Report", exact: true });
  // The report is long, so its groups are closed at first.
  const twist = table.getByRole("button", { name: "Show groups of Mobile app" });
  await twist.focus();
  await page.keyboard.press("Enter");
  await table.getByRole("button", { name: "Hide groups of Mobile app" }).waitFor();
  await table.getByRole("link", { name: "Mia Member" }).click();
  await page.getByRole("heading", { name: "Time entries", exact: true }).waitFor();
  const query = Object.fromEntries(new URL(page.url()).searchParams);
  expect(query).toMatchObject({
    from: expect.stringMatching(/-01$/),
    project_id: expect.stringMatching(/^prj_/),
    user_id: expect.stringMatching(/^usr_/),
  });
  await page.goBack();

  await page.getByRole("button", { name: "Week", exact: true }).click();
  const chart = page.getByRole("figure", { name: "Hours per week" });
  const bar = chart.getByRole("link", { name: /^Week of \S+: \d+:\d\d, / }).first();
  await bar.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Time entries", exact: true }).waitFor();
  expect(page.url()).toMatch(/\/time-entries\?.*from=/);

  // The buttons beside the period move it by a month.
  await page.goto(site.url("/reports?period=custom&from=2026-02-01&to=2026-02-28"));
  await page.getByRole("button", { name: "Previous period" }).click();
  await page.waitForURL(/from=2026-01-01&to=2026-01-31/);
});

test("a report prints without the frame, with its heading on each page, also in dark mode", async () => {
  const page = await site.openAs("admin@demo.test", "/reports?group_by=user&sub_group_by=project", {
    colorScheme: "dark",
  });
  await page.getByRole("region", { name: "Report", exact: true }).waitFor();
  const closed = page.getByRole("button", { name: /^Show groups of/ });
  while ((await closed.count()) > 0) await closed.first().click();
  await page.emulateMedia({ media: "print" });
  expect(await page.getByRole("navigation").filter({ visible: true }).count()).toBe(0);
  expect(await page.getByRole("button").filter({ visible: true }).count()).toBe(0);
  const colors = await page.evaluate(() => {
    const { color } = getComputedStyle(document.body);
    return [color, getComputedStyle(document.querySelector("thead") as Element).display];
  });
  expect(colors).toEqual(["rgb(23, 23, 28)", "table-header-group"]);
  const pages = (await page.pdf({ format: "A4" })).toString("latin1").match(/\/Type \/Page\b/g) ?? [];
  expect(pages.length).toBeGreaterThan(2);
});

test("all loaded time entries are printed, not only the visible ones", async () => {
  const page = await site.openAs("member@demo.test", "/time-entries");
  const list = page.getByRole("list", { name: "Time entries" });
  const last = list.getByRole("listitem").last();
  await last.waitFor();
  const visible = await list.getByRole("listitem").count();
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await expect.poll(() => list.getByRole("listitem").count()).toBeGreaterThan(visible);
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await expect.poll(() => list.getByRole("listitem").count()).toBe(visible);
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
  await page.getByRole("button", { name: "Export as" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "JSON" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.json$/);
});

test("the page on a smaller plan has reports and exports, and names the features of the larger plan", async () => {
  const page = await site.openAs("owner@free.test", "/reports");
  await page.getByRole("row", { name: /^Total/ }).waitFor();
  await page.getByText("More filters").click();
  await page.getByText("are available on the ENTERPRISE plan.").waitFor();
  await page.getByRole("button", { name: "Export as" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "Excel (XLSX)" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.xlsx$/);
});

test("a report whose entries lack an exchange rate says which, and gives no converted total", async () => {
  const page = await site.openAs("member@demo.test", "/projects");
  await page.getByRole("heading", { name: "Projects" }).waitFor();
  const [startedAt, endedAt] = [new Date("1998-05-04T08:00:00Z"), new Date("1998-05-04T09:00:00Z")];
  await addEntry(site, page, { startedAt, endedAt, project: "Store kiosks" });
  for (const path of ["/reports", "/custom-reports"]) {
    await page.goto(site.url(`${path}?period=custom&from=1998-05-01&to=1998-05-31&convert_to=CHF`));
    await page.getByRole("region", { name: "Missing exchange rates" }).waitFor();
    await page.getByText("1 entry in JPY on 1998-05-04").waitFor();
    await page
      .getByText(/^Incomplete: CHF\s0\.00 known/)
      .first()
      .waitFor();
  }
});
