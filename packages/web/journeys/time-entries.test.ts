import { expect } from "vitest";
import { expectErrors, fillDate, startSite, test } from "../testing/browser.ts";

const site = startSite();

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
  await page.getByLabel("Description").fill("basel");
  await expect.poll(() => rows.count()).toBe(1);
  await rows.getByRole("heading", { name: `day, ${yesterday}` }).waitFor();
  await rows.getByText("¥14,700").waitFor();
  await page.getByText("More filters").click();
  await page.getByLabel("Convert amounts to").selectOption("CHF");
  await rows.getByText("CHF").waitFor();
  await page.getByLabel("Entry currency").selectOption("EUR");
  await page.getByText("No entries match these filters").waitFor();

  // The URL contains the filters.
  await page.reload();
  await page.getByText("No entries match these filters").waitFor();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect.poll(() => rows.count()).toBeGreaterThan(1);
  expect(new URL(page.url()).search).toBe("");
});

test("an admin sees everyone's entries, loads more of them, and corrects and adds another user's", async () => {
  const page = await site.openAs("admin@demo.test", "/time-entries");
  await page.getByText("50 entries shown, more available").waitFor();
  // Only visible rows are rendered.
  expect(await page.getByRole("listitem").count()).toBeLessThan(50);
  await page.getByRole("button", { name: "Load more" }).click();
  await page.getByText("100 entries shown, more available").waitFor();

  await page.getByLabel("Person").selectOption({ label: "Mia Member" });
  await page.getByText("Mia Member", { exact: true }).nth(1).waitFor();
  const rows = page.getByRole("list", { name: "Time entries" });
  await expect.poll(() => rows.getByText("Uma Patel").count()).toBe(0);
  const actions = rows.getByRole("button", { name: /^Actions/ }).first();
  await actions.click();
  expect(await page.getByRole("menuitem").allTextContents()).toEqual(["Edit", "Delete"]);
  await page.getByRole("menuitem", { name: "Edit" }).click();
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

test("the page on a smaller plan has no currency filters and names the plan that includes them", async () => {
  const page = await site.openAs("owner@free.test", "/time-entries");
  await page.getByText("More filters").click();
  await page.getByText("Currency filters and conversion are available on the ENTERPRISE plan.").waitFor();
  expect(await page.getByLabel("Entry currency").count()).toBe(0);
});
