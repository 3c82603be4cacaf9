import type { Page } from "playwright-core";
import { expect } from "vitest";
import { expectErrors, fillDate, startSite, test } from "../testing/browser.ts";

const site = startSite();

/** Sets a filter chip to an option, which the search field finds. */
async function choose(page: Page, chip: string, option: string): Promise<void> {
  await page.getByRole("search").getByRole("button", { name: chip, exact: true }).click();
  await page.getByRole("searchbox", { name: chip }).fill(option);
  await page.getByRole("dialog", { name: chip }).getByRole("option", { name: option }).first().click();
  await page.getByRole("dialog", { name: chip }).waitFor({ state: "detached" });
}

test("an entry is added in the workspace's time zone, corrected and found with filters", async () => {
  const page = await site.openAs("member@demo.test", "/time-entries");
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  await page.getByRole("button", { name: "Add entry" }).click();
  const dialog = page.getByRole("dialog", { name: "Add entry" });
  await dialog.getByLabel("Description").fill("Workshop in Basel");
  await dialog.getByLabel("Project").selectOption({ label: "Store kiosks (Daichi Retail)" });
  await fillDate(dialog, "Start", `${yesterday}T10:00`);
  await fillDate(dialog, "End", `${yesterday}T09:00`);
  await dialog.getByLabel("Tags").fill("client, Workshop");
  await dialog.getByRole("button", { name: "Add entry" }).click();
  await dialog.getByText("End must not be before start.").waitFor();
  expect(await dialog.getByLabel("Tags").inputValue()).toBe("client, Workshop");
  expectErrors(page, /422/);
  await fillDate(dialog, "End", `${yesterday}T11:30`);
  await dialog.getByText("1:30:00").waitFor();
  await dialog.getByRole("button", { name: "Add entry" }).click();
  await page.getByText("Entry added.").waitFor();

  const rows = page.getByRole("list", { name: "Time entries" }).getByRole("listitem");
  await page.getByLabel("Find entries").fill("basel");
  // The week, the day and the entry.
  await expect.poll(() => rows.count()).toBe(3);
  await rows.getByText(yesterday).waitFor();
  await rows.getByText("¥14,700").waitFor();
  await choose(page, "Convert amounts to", "CHF");
  await rows.getByText("CHF").waitFor();
  await choose(page, "Entry currency", "EUR");
  await page.getByText("No entries match these filters").waitFor();

  // The URL contains the filters.
  await page.reload();
  await page.getByText("No entries match these filters").waitFor();
  await page.getByRole("search").getByRole("button", { name: "Clear filters" }).click();
  await expect.poll(() => rows.count()).toBeGreaterThan(3);
  expect(new URL(page.url()).search).toBe("");
});

test("an admin sees everyone's entries, loads more of them, and corrects and adds another user's", async () => {
  const page = await site.openAs("admin@demo.test", "/time-entries");
  await page.getByText("100 entries shown, more available").waitFor();
  // Only visible rows are rendered.
  const rows = page.getByRole("list", { name: "Time entries" });
  expect(await rows.getByRole("listitem").count()).toBeLessThan(50);
  await page.getByRole("button", { name: "Load more" }).click();
  await page.getByText("200 entries shown, more available").waitFor();

  await choose(page, "Person", "Mia Member");
  await rows.getByText("Mia Member", { exact: true }).first().waitFor();
  await expect.poll(() => rows.getByText("Uma Patel").count()).toBe(0);
  const actions = rows.getByRole("button", { name: /^Actions/ }).first();
  await actions.click();
  expect(await page.getByRole("menuitem").allTextContents()).toEqual([
    "Duplicate",
    "Split…",
    "Edit details",
    "Delete",
  ]);
  await page.getByRole("menuitem", { name: "Edit details" }).click();
  const editing = page.getByRole("dialog", { name: "Edit entry" });
  await editing.getByLabel("Description").fill("Corrected by Adam");
  await editing.getByRole("button", { name: "Save changes" }).click();
  await rows.getByText("Corrected by Adam").waitFor();
  await rows.getByText("Changed by Adam Admin").waitFor();

  await page.getByRole("button", { name: "Add entry" }).click();
  const adding = page.getByRole("dialog", { name: "Add entry" });
  await adding.getByLabel("Person").selectOption({ label: "Mia Member" });
  await adding.getByLabel("Description").fill("Added by Adam");
  await adding.getByRole("button", { name: "Add entry" }).click();
  await rows.getByText("Added by Adam").waitFor();
});

test("the page on a smaller plan has no currency filters", async () => {
  const page = await site.openAs("owner@free.test", "/time-entries");
  await page.getByRole("button", { name: "Billable" }).first().waitFor();
  expect(await page.getByRole("button", { name: "Entry currency" }).count()).toBe(0);
});
