import type { Page } from "playwright-core";
import { expect } from "vitest";
import {
  chooseOption,
  expectAccessible,
  expectErrors,
  fillDate,
  startSite,
  test,
} from "../testing/browser.ts";
import { addEntry, daysAgo, entryRow, openWith } from "../testing/entries.ts";

const site = startSite();

/** Saves the workspace settings with this last locked day. */
async function lock(page: Page, day: string): Promise<void> {
  await fillDate(page, "Locked until", day);
  await page.getByRole("button", { name: "Save changes" }).click();
}

test("an admin locks a period, its entries cannot be edited, and can again when the lock is moved back", async () => {
  const { page: mia, word } = await openWith(site, "member@demo.test", ["Locked", "Opened"], {
    day: daysAgo(9),
  });
  await addEntry(site, mia, {
    description: `Open ${word}`,
    startedAt: new Date(`${daysAgo(2)}T08:00:00Z`),
    endedAt: new Date(`${daysAgo(2)}T08:30:00Z`),
  });
  const admin = await site.openAs("admin@demo.test", "/settings/workspace");
  // Only days that have ended can be locked.
  await lock(admin, daysAgo(0));
  await admin.getByText("The last locked day must be before today in the workspace’s time zone.").waitFor();
  expectErrors(admin, /422/);
  await lock(admin, daysAgo(5));
  await admin.getByText("Workspace saved.").first().waitFor();
  // While the lock stands, days stay what they are.
  await chooseOption(admin, "Time zone", "Europe/Zurich");
  await admin.getByRole("button", { name: "Save changes" }).click();
  await admin.getByText(/^The days until .* are locked, so time zone and base currency cannot/).waitFor();
  expectErrors(admin, /409/);
  await chooseOption(admin, "Time zone", "UTC");

  // A page that was opened before learns it when it saves.
  const cell = (page: Page, name: RegExp) =>
    page.getByRole("list", { name: "Time entries" }).getByRole("button", { name });
  await cell(mia, /^Description: Locked/).click();
  await mia.getByRole("textbox", { name: "Description" }).fill("Changed");
  await mia.keyboard.press("Enter");
  await mia.getByText(/^The days until .* are locked\. An admin can move the lock/).waitFor();
  expect(await mia.getByRole("textbox", { name: "Description" }).inputValue()).toBe("Changed");
  expectErrors(mia, /409/);

  await mia.reload();
  await entryRow(mia, "Locked").getByText("Locked", { exact: true }).waitFor();
  expect(await entryRow(mia, "Locked").getByRole("button").count()).toBe(0);
  expect(await entryRow(mia, "Locked").getByRole("checkbox").count()).toBe(0);
  await entryRow(mia, "Open").getByRole("checkbox").waitFor();
  await expectAccessible(mia);

  // Neither can an entry be added there.
  await mia.getByRole("button", { name: "Add entry" }).click();
  const dialog = mia.getByRole("dialog", { name: "Add entry" });
  await fillDate(dialog, "Start", `${daysAgo(9)}T10:00`);
  await fillDate(dialog, "End", `${daysAgo(9)}T11:00`);
  await dialog.getByRole("button", { name: "Add entry" }).click();
  await dialog.getByText(/^The days until .* are locked\./).waitFor();
  expectErrors(mia, /409/);
  await mia.keyboard.press("Escape");
  await mia.getByRole("button", { name: "Discard changes" }).click();

  await lock(admin, daysAgo(20));
  await admin.getByText("Workspace saved.").first().waitFor();
  await mia.reload();
  await cell(mia, /^Description: Locked/).click();
  await mia.getByRole("textbox", { name: "Description" }).fill("Changed after all");
  await mia.keyboard.press("Enter");
  await cell(mia, /^Description: Changed after all/).waitFor();
});
