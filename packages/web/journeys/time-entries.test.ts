import { expect } from "vitest";
import { expectErrors, startSite, test } from "../testing/browser.ts";

const site = startSite();

test("an entry is written by hand in the workspace's time, corrected, and found by its filters", async () => {
  const page = await site.openAs("member@demo.test", "/time-entries");
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  await page.getByRole("button", { name: "Add an entry" }).click();
  const dialog = page.getByRole("dialog", { name: "Add an entry" });
  await dialog.getByLabel("What was done").fill("Workshop in Basel");
  await dialog.getByLabel("Project").selectOption({ label: "Store kiosks (Daichi Retail)" });
  await dialog.getByLabel("Start").fill(`${yesterday}T10:00`);
  await dialog.getByLabel("End").fill(`${yesterday}T09:00`);
  await dialog.getByLabel("Tags").fill("client, Workshop");
  await dialog.getByRole("button", { name: "Add" }).click();
  await dialog.getByText("End must not be before start.").waitFor();
  expect(await dialog.getByLabel("Tags").inputValue()).toBe("client, Workshop");
  expectErrors(page, /422/);
  await dialog.getByLabel("End").fill(`${yesterday}T11:30`);
  await dialog.getByText("1:30:00").waitFor();
  await dialog.getByRole("button", { name: "Add" }).click();
  await page.getByText("The entry is written down.").waitFor();

  const rows = page.getByRole("list", { name: "Time entries" }).getByRole("listitem");
  await page.getByLabel("Description").fill("basel");
  await expect.poll(() => rows.count()).toBe(1);
  await rows.getByRole("heading", { name: `day, ${yesterday}` }).waitFor();
  await rows.getByText("¥14,700").waitFor();
  await page.getByText("More filters").click();
  await page.getByLabel("Show amounts also in").selectOption("CHF");
  await rows.getByText("CHF").waitFor();
  await page.getByLabel("Currency of the entry").selectOption("EUR");
  await page.getByText("No entry fits these filters").waitFor();

  // The address says what is shown.
  await page.reload();
  await page.getByText("No entry fits these filters").waitFor();
  await page.getByRole("button", { name: "Clear the filters" }).click();
  await expect.poll(() => rows.count()).toBeGreaterThan(1);
  expect(new URL(page.url()).search).toBe("");
});

test("a manager sees everybody's, loads on to the end, and cannot change another person's", async () => {
  const page = await site.openAs("admin@demo.test", "/time-entries");
  await page.getByText("50 entries, and there are more").waitFor();
  // Only what is in sight is drawn.
  expect(await page.getByRole("listitem").count()).toBeLessThan(50);
  await page.getByRole("button", { name: "Load more" }).click();
  await page.getByText("100 entries, and there are more").waitFor();

  await page.getByLabel("Person").selectOption({ label: "Mia Member" });
  await page.getByText("Mia Member", { exact: true }).nth(1).waitFor();
  const rows = page.getByRole("list", { name: "Time entries" });
  await expect.poll(() => rows.getByText("Uma Patel").count()).toBe(0);
  expect(await rows.getByRole("button", { name: /^Actions/ }).count()).toBe(0);
  await page.getByLabel("Person").selectOption({ label: "Me" });
  await rows
    .getByRole("button", { name: /^Actions/ })
    .first()
    .waitFor();
});

test("a smaller plan says what currencies take, and asks for none", async () => {
  const page = await site.openAs("owner@free.test", "/time-entries");
  await page.getByText("More filters").click();
  await page.getByText("Currencies and conversion belong to the plan ENTERPRISE.").waitFor();
  expect(await page.getByLabel("Currency of the entry").count()).toBe(0);
});
