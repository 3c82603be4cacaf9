import type { Page } from "playwright-core";
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
import { daysAgo, entryRow, openWith } from "../testing/entries.ts";

const site = startSite();

/** Sets a filter chip to an option, which the search field finds. */
async function choose(page: Page, chip: string, option: string): Promise<void> {
  await page.getByRole("search").getByRole("button", { name: chip, exact: true }).click();
  await page.getByRole("searchbox", { name: chip }).fill(option);
  await page.getByRole("dialog", { name: chip }).getByRole("option", { name: option }).first().click();
  await page.getByRole("dialog", { name: chip }).waitFor({ state: "detached" });
}

test("an entry is added, corrected and found with filters", async () => {
  const page = await site.openAs("member@demo.test", "/time-entries");
  const yesterday = daysAgo(1);
  await page.getByRole("button", { name: "Add entry" }).click();
  const dialog = page.getByRole("dialog", { name: "Add entry" });
  await dialog.getByLabel("Description").fill("Workshop in Basel");
  await chooseOption(dialog, "Project", "Store kiosks (Daichi Retail)");
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
  await chooseOption(adding, "Person", "Mia Member");
  await adding.getByLabel("Description").fill("Added by Adam");
  await adding.getByRole("button", { name: "Add entry" }).click();
  await rows.getByText("Added by Adam").waitFor();
});

test("the page on a smaller plan has no currency filters", async () => {
  const page = await site.openAs("owner@free.test", "/time-entries");
  await page.getByRole("button", { name: "Billable" }).first().waitFor();
  expect(await page.getByRole("button", { name: "Entry currency" }).count()).toBe(0);
});

test("an entry is edited in its row by pointer and by keyboard, and Escape restores it", async () => {
  const { page } = await openWith(site, "member@demo.test", ["Draft"]);
  const cell = (name: RegExp) =>
    page.getByRole("list", { name: "Time entries" }).getByRole("button", { name });
  await cell(/^Duration: 0:30/).click();
  await page.getByRole("textbox", { name: "Duration" }).fill("soon");
  await page.keyboard.press("Enter");
  await page.getByText("Enter a duration such as 1:30, 1.5 or 90m.").waitFor();
  await page.getByRole("textbox", { name: "Duration" }).fill("1,5");
  await page.keyboard.press("Enter");
  await cell(/^Duration: 1:30/).waitFor();
  // The focus is on the cell again. Escape restores it.
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Duration" }).fill("9:00");
  await page.keyboard.press("Escape");
  await cell(/^Duration: 1:30/).waitFor();

  // The arrow keys move between the parts of the row.
  await cell(/^Description: Draft/).focus();
  for (let part = 0; part < 2; part++) await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await page.getByRole("searchbox", { name: "Project" }).fill("kiosk");
  await page.keyboard.press("Enter");
  await cell(/^Project: Store kiosks/).waitFor();
  await cell(/^Start: 0?8:00/).click();
  await page.getByRole("textbox", { name: "Start" }).fill("8.15");
  await page.keyboard.press("Tab");
  await cell(/^Duration: 1:15/).waitFor();
  await cell(/^Description: Draft/).click();
  await page.getByRole("textbox", { name: "Description" }).fill("Renamed");
  await page.keyboard.press("Enter");
  await cell(/^Description: Renamed/).waitFor();
});

test("several entries get a project together, and deleted ones come back with Undo", async () => {
  const { page, word } = await openWith(site, "member@demo.test", ["First", "Second", "Third"]);
  for (const name of ["First", "Second"])
    await page.getByRole("checkbox", { name: new RegExp(`^Select ${name}`) }).check();
  const bar = page.getByRole("region", { name: "Selected entries" });
  await bar.getByText("2 selected").waitFor();
  await bar.getByText("1:00").waitFor();
  await bar.getByRole("button", { name: "Project" }).click();
  await page.getByRole("dialog", { name: "Project" }).getByRole("option", { name: "Mobile app" }).click();
  await page.getByText("2 entries saved.").waitFor();
  await expect.poll(() => page.getByRole("button", { name: "Project: Mobile app. Edit" }).count()).toBe(2);

  await bar.getByRole("button", { name: "Delete" }).click();
  await page.getByText("2 entries deleted.").waitFor();
  await expect.poll(() => entryRow(page, "First").count()).toBe(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await entryRow(page, "First").waitFor();
  await entryRow(page, "Second").waitFor();

  // A deletion that is not undone is sent, also when the user leaves the page.
  await page.getByRole("button", { name: /^Actions for Third/ }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByText("Entry deleted.", { exact: true }).waitFor();
  await page.goto(site.url("/projects"));
  await expect
    .poll(async () => {
      const answer = await page.request.get(site.url(`/api/v1/time-entries?q=${word}`));
      return (await answer.json()).data.length;
    })
    .toBe(2);
});

test("an entry is duplicated, split at a time inside it, and not outside", async () => {
  const { page } = await openWith(site, "member@demo.test", ["Planning"]);
  const choose = async (item: string) => {
    await page
      .getByRole("button", { name: /^Actions for Planning/ })
      .first()
      .click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  await choose("Duplicate");
  await page.getByText("Entry duplicated.").waitFor();
  await expect.poll(() => entryRow(page, "Planning").count()).toBe(2);

  await choose("Split…");
  const dialog = page.getByRole("dialog", { name: "Split entry" });
  // The middle is suggested.
  await expect.poll(() => dialog.getByRole("group", { name: "Split at" }).textContent()).toContain("08:15");
  await fillDate(dialog, "Split at", `${daysAgo(1)}T08:30`);
  await dialog.getByRole("button", { name: "Split entry" }).click();
  await dialog.getByText("Time must be after the start of the entry and before its end.").waitFor();
  await fillDate(dialog, "Split at", `${daysAgo(1)}T08:20`);
  await dialog.getByRole("button", { name: "Split entry" }).click();
  await page.getByText("Entry split.").waitFor();
  await expect.poll(() => entryRow(page, "Planning").count()).toBe(3);
  const durations = page.getByRole("button", { name: /^Duration: / });
  expect((await durations.allTextContents()).sort()).toEqual(["0:10", "0:20", "0:30"]);
});

test("a change of several entries names the reason at each one that refuses it", async () => {
  const { page, word } = await openWith(site, "admin@demo.test", ["First", "Second", "Third"]);
  for (const name of ["First", "Second", "Third"])
    await page.getByRole("checkbox", { name: new RegExp(`^Select ${name}`) }).check();
  // Meanwhile, one of them is deleted in another window.
  const other = await site.openAs("admin@demo.test", `/time-entries?q=${word}`);
  await other.getByRole("button", { name: /^Actions for Second/ }).click();
  await other.getByRole("menuitem", { name: "Delete" }).click();
  await other.goto(site.url("/projects"));
  await expect
    .poll(async () => {
      const answer = await page.request.get(site.url(`/api/v1/time-entries?q=${word}`));
      return (await answer.json()).data.length;
    })
    .toBe(2);

  const bar = page.getByRole("region", { name: "Selected entries" });
  const makeNotBillable = async () => {
    await bar.getByRole("button", { name: "Billable" }).click();
    await page.getByRole("menuitem", { name: "Make not billable" }).click();
  };
  await makeNotBillable();
  await bar.getByText("Nothing was changed, because of 1 of 3 time entries. Time entry not found.").waitFor();
  await entryRow(page, "Second").getByText("Time entry not found.").waitFor();
  expect(await page.getByText("Time entry not found.").count()).toBe(2);
  expectErrors(page, /404/);
  await expectAccessible(page);

  // Without that entry, the others are changed.
  await page.getByRole("checkbox", { name: /^Select Second/ }).uncheck();
  await makeNotBillable();
  await page.getByText("2 entries saved.").waitFor();
  expect(await page.getByText("Time entry not found.").count()).toBe(0);
});

test("entries that lack an exchange rate say so, by currency and days", async () => {
  const { page } = await openWith(site, "member@demo.test", ["Archive"], {
    day: "1998-05-04",
    project: "Store kiosks",
  });
  await choose(page, "Convert amounts to", "CHF");
  await page
    .getByRole("region", { name: "Missing exchange rates" })
    .getByText("1 entry in JPY on 1998-05-04 cannot be converted: there is no exchange rate.")
    .waitFor();
  await entryRow(page, "Archive").getByText("No exchange rate").waitFor();
  await expectFits(page);
});
