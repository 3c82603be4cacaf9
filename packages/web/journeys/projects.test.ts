import { expect } from "vitest";
import { expectAccessible, expectErrors, startSite, test } from "../testing/browser.ts";

const site = startSite();

test("a manager makes a project with a budget, corrects what was wrong, tracks, archives and opens it again", async () => {
  const page = await site.openAs("admin@demo.test", "/projects");
  await page.getByRole("link", { name: "Website relaunch" }).waitFor();
  expect(await page.getByRole("link", { name: "Brand guide" }).count()).toBe(0);

  await page.getByRole("button", { name: "New project" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Ärmelkanal");
  await dialog.getByLabel("Currency").selectOption("CHF");
  await dialog.getByLabel("Rate for an hour").fill("120.505");
  await dialog.getByLabel("Budget").selectOption("money");
  await dialog.getByLabel("Amount in CHF").fill("200");
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByText("CHF amounts can have at most 2 decimal places.").waitFor();
  expectErrors(page, /422/);
  await expectAccessible(page);
  await dialog.getByLabel("Rate for an hour").fill("120.50");
  await dialog.getByRole("button", { name: "Create" }).click();

  await page.getByRole("heading", { name: "Ärmelkanal" }).waitFor();
  await page.getByText("CHF 0.00 of CHF 200.00").waitFor();
  await page.getByRole("button", { name: "Start the timer" }).click();
  const header = page.getByRole("region", { name: "Running timer" });
  await header.getByText("Ärmelkanal").waitFor();
  await page.getByRole("button", { name: "Archive" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Archive" }).click();
  // Its timer stopped with it.
  await header.waitFor({ state: "detached" });
  await page.getByText(/^Archived on/).waitFor();

  await page.getByRole("link", { name: "Projects" }).click();
  await page.getByLabel("Archived").selectOption({ label: "Only archived ones" });
  await page.getByRole("link", { name: "Ärmelkanal" }).click();
  await page.getByRole("button", { name: "Open again" }).click();
  await page.getByRole("button", { name: "Archive" }).waitFor();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page
    .getByRole("dialog")
    .getByText(/This project has time entries/)
    .waitFor();
  expectErrors(page, /409/);
});

test("a member is offered nothing that is for managers, and a smaller plan says what archiving takes", async () => {
  const page = await site.openAs("member@demo.test", "/projects");
  await page.getByRole("link", { name: "Website relaunch" }).click();
  await page.getByRole("heading", { name: "My last entries" }).waitFor();
  for (const name of ["Change", "Archive", "Delete"])
    expect(await page.getByRole("button", { name, exact: true }).count()).toBe(0);

  const free = await site.openAs("owner@free.test", "/projects");
  await free.getByRole("link", { name: "Internal" }).click();
  await free.getByText("Archiving belongs to the plan ENTERPRISE").waitFor();
  expect(await free.getByRole("button", { name: "Archive" }).count()).toBe(0);
});

test("a project that is not there says so", async () => {
  const page = await site.openAs("member@demo.test", "/projects/prj_nowhere");
  await page.getByText("There is no such project in this workspace").waitFor();
  expectErrors(page, /404/);
});
