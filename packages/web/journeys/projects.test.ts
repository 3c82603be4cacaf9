import { expect } from "vitest";
import {
  chooseOption,
  expectAccessible,
  expectErrors,
  expectFits,
  startSite,
  test,
} from "../testing/browser.ts";
import { timerBar } from "../testing/timer.ts";

const site = startSite();

test("a manager creates a project with a budget, fixes an invalid rate, tracks time, archives and restores it", async () => {
  const page = await site.openAs("admin@demo.test", "/projects");
  await page.getByRole("link", { name: "Website relaunch" }).waitFor();
  expect(await page.getByRole("link", { name: "Brand guide" }).count()).toBe(0);

  await page.getByRole("button", { name: "New project" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Ärmelkanal");
  await chooseOption(dialog, "Currency", "CHF");
  await dialog.getByLabel("Hourly rate").fill("120.505");
  await dialog.getByLabel("Budget", { exact: true }).selectOption("money");
  await dialog.getByLabel("Amount in CHF").fill("200");
  await dialog.getByRole("button", { name: "Create project" }).click();
  await dialog.getByText("CHF amounts can have at most 2 decimal places.").waitFor();
  expectErrors(page, /422/);
  await expectAccessible(page);
  await dialog.getByLabel("Hourly rate").fill("120.50");
  await dialog.getByRole("button", { name: "Create project" }).click();

  await page.getByRole("heading", { name: "Ärmelkanal" }).waitFor();
  await page.getByText("CHF 0.00 of CHF 200.00").waitFor();
  await page.getByRole("button", { name: "Start timer" }).click();
  await timerBar(page).getByRole("button", { name: "Project: Ärmelkanal" }).waitFor();
  await page.getByRole("button", { name: "Archive project" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Archive project" }).click();
  // Archiving stopped the timer.
  await timerBar(page).getByRole("button", { name: "Start", exact: true }).waitFor();
  await page.getByText(/^Archived on/).waitFor();

  await page.getByRole("link", { name: "Projects", exact: true }).click();
  await page.getByLabel("Status").selectOption({ label: "Archived" });
  await page.getByRole("link", { name: "Ärmelkanal" }).click();
  await page.getByRole("button", { name: "Restore project" }).click();
  await page.getByRole("button", { name: "Archive project" }).waitFor();
  await page.getByRole("button", { name: "Delete project" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete project" }).click();
  await page
    .getByRole("dialog")
    .getByText(/This project has time entries/)
    .waitFor();
  expectErrors(page, /409/);
});

test("a member sees no actions for managers, and the page on a smaller plan names the plan that includes archiving", async () => {
  const page = await site.openAs("member@demo.test", "/projects");
  await page.getByRole("link", { name: "Website relaunch" }).click();
  await page.getByRole("heading", { name: "My latest entries" }).waitFor();
  for (const name of ["Edit project", "Archive project", "Delete project"])
    expect(await page.getByRole("button", { name, exact: true }).count()).toBe(0);

  const free = await site.openAs("owner@free.test", "/projects");
  await free.getByRole("link", { name: "Internal" }).click();
  await free.getByText("Archiving is available on the ENTERPRISE plan.").waitFor();
  expect(await free.getByRole("button", { name: "Archive project" }).count()).toBe(0);
});

test("a member sees hourly rates and budgets only after an admin has shown them", async () => {
  const member = await site.openAs("member@demo.test", "/projects");
  const texts = ["Budget", "Hourly rate", "€95.00"];
  const expectShown = async (shown: boolean) => {
    await member.goto(site.url("/projects"));
    await member.getByRole("link", { name: "Website relaunch" }).waitFor();
    if (shown) await member.getByText(/ of €100,000.00/).waitFor();
    for (const text of texts)
      expect((await member.getByText(text, { exact: true }).count()) > 0, text).toBe(shown);
    await member.getByRole("link", { name: "Website relaunch" }).click();
    await member.getByText("Last tracked").waitFor();
    if (shown) await member.getByText(/ of €100,000.00/).waitFor();
    for (const text of texts.slice(0, 2))
      expect(await member.getByText(text, { exact: true }).count(), text).toBe(shown ? 1 : 0);
    expect(await member.getByText("NaN").count()).toBe(0);
  };
  await expectShown(false);
  await expectAccessible(member);
  await member.goto(site.url("/settings/workspace"));
  await member.getByText("Visible to managers and admins").waitFor();

  const admin = await site.openAs("admin@demo.test", "/settings/workspace");
  await admin.getByLabel("Members see hourly rates and budgets").focus();
  await admin.keyboard.press("Space");
  await admin.getByRole("button", { name: "Save changes" }).click();
  await admin.getByText("Workspace saved.").waitFor();
  await expectAccessible(admin);
  await expectShown(true);
});

test("the page of an unknown project says that it does not exist", async () => {
  const page = await site.openAs("member@demo.test", "/projects/prj_nowhere");
  await page.getByText("This project does not exist in this workspace").waitFor();
  expectErrors(page, /404/);
});

test("a manager archives and restores a project from its row, on a phone too", async () => {
  const page = await site.openAs("owner@demo.test", "/projects?q=Data", {
    viewport: { width: 390, height: 844 },
  });
  const actions = page.getByRole("button", { name: "Actions for Data platform" });
  await actions.click();
  await page.getByRole("menuitem", { name: "Archive project" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Archive project" }).click();
  await page.getByText("No projects match these filters").waitFor();

  await page.goto(site.url("/projects?q=Data&archived=true"));
  await actions.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Restore project" }).click();
  await page.getByText("Project restored.").waitFor();
  await expectFits(page);
});
