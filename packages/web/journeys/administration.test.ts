import { password } from "@svc/local/demo";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { chooseOption, expectErrors, startSite, test } from "../testing/browser.ts";

const site = startSite();

test("an admin overrides an exchange rate and removes the override", async () => {
  const page = await site.openAs("admin@demo.test", "/currencies");
  await page.getByRole("searchbox").fill("dollar");
  await page.getByRole("link", { name: "USD", exact: true }).click();
  await page.getByRole("button", { name: "Override rate" }).click();
  await page.getByRole("textbox", { name: "USD per 1 EUR" }).fill("1.2.5");
  await page.getByLabel("Reason").fill("Contract with Acme");
  await page.getByRole("button", { name: "Save override" }).click();
  await page.getByText("USD per 1 EUR must be a number such as 1.0850.").waitFor();
  await page.getByRole("textbox", { name: "USD per 1 EUR" }).fill("1.250");
  await page.getByRole("button", { name: "Save override" }).click();
  await page.getByRole("row", { name: /1\.25 per 1 EUR Contract with Acme/ }).waitFor();
  await page.getByRole("link", { name: "All currencies" }).click();
  await page.getByRole("row", { name: /^USD .*This workspace.*overridden/ }).waitFor();
  await page.getByRole("link", { name: "USD", exact: true }).click();
  await page.getByRole("button", { name: /^Remove/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove override" }).click();
  await page.getByText("No overrides: published rates apply.").waitFor();
});

test("an admin changes the workspace settings, the cached workspace data follows, and a member sees who can change them", async () => {
  const page = await site.openAs("owner@demo.test", "/settings/workspace");
  await page.getByLabel("Name").fill("Demo of the year");
  await chooseOption(page, "Base currency", "CHF");
  await page.getByLabel("First day of the week").selectOption("Sunday");
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("Workspace saved.").waitFor();
  const cached = async () => {
    const cookies = await page.context().cookies();
    const data = cookies.find(({ name }) => name === "svc_current_workspace_data")?.value ?? "";
    return JSON.parse(decodeURIComponent(data));
  };
  await expect.poll(cached).toMatchObject({ name: "Demo of the year", baseCurrency: "CHF" });
  await page.getByLabel("Name").fill("Demo");
  await chooseOption(page, "Base currency", "EUR");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect.poll(cached).toMatchObject({ name: "Demo", baseCurrency: "EUR" });

  const member = await site.openAs("member@demo.test", "/settings/workspace");
  await member.getByText("Only admins can change these settings.").waitFor();
  expect(await member.getByRole("link", { name: "Webhooks" }).count()).toBe(0);
  await member.goto(site.url("/webhooks"));
  await member.getByText("You need the admin role or higher").waitFor();
});

test("a page that the plan does not include describes itself and names the required plan", async () => {
  const page = await site.openAs("owner@free.test", "/webhooks");
  await page.getByText("Available on the ENTERPRISE plan").waitFor();
  await page.getByText("Deliveries are signed, retried and logged.").waitFor();
  await page.getByRole("link", { name: "Workspace", exact: true }).click();
  await page.getByText("A larger plan also includes:").waitFor();
});

test("a manager creates a team, adds and removes a member, and renames and deletes the team", async () => {
  const page = await site.openAs("owner@demo.test", "/teams");
  await page.getByRole("button", { name: "New team" }).click();
  await page.getByLabel("Name").fill("Night shift");
  await page.getByRole("button", { name: "Create team" }).click();
  await page.getByRole("link", { name: "Night shift" }).click();
  await page.getByRole("button", { name: "Add members" }).click();
  await page.getByRole("searchbox").fill("mateo");
  await page.getByRole("button", { name: "Add Mateo García" }).click();
  await page.getByText("No one matches your search").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Actions for Mateo García" }).click();
  await page.getByRole("menuitem", { name: "Remove from team…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove from team" }).click();
  await page.getByText("Mateo García removed from the team.").waitFor();
  await page.getByRole("button", { name: "Rename team" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Day shift");
  await page.getByRole("dialog").getByRole("button", { name: "Rename team" }).click();
  await page.getByRole("heading", { level: 1, name: "Day shift" }).waitFor();
  await page.getByRole("button", { name: "Delete team" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete team" }).click();
  await page.getByText("Team deleted.").waitFor();
  expect(await page.getByRole("link", { name: "Day shift" }).count()).toBe(0);
});

test("an admin changes the role of a member, suspends, reactivates and removes them, by keyboard", async () => {
  const removed = await site.openAs("mateo.garcia@demo.test", "/projects");
  const page = await site.openAs("admin@demo.test", "/members");
  await page.getByLabel("Show").selectOption("Everyone in Demo");
  await page.getByText("25 members").waitFor();
  await page.getByRole("searchbox").fill("mateo");
  const row = page.getByRole("listitem").filter({ hasText: "Mateo García" });
  const choose = async (action: string) => {
    await row.getByRole("button", { name: "Actions for Mateo García" }).focus();
    await page.keyboard.press("Enter");
    const item = page.getByRole("menuitem", { name: action });
    while (!(await item.evaluate((element) => element === document.activeElement)))
      await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
  };
  const confirm = async (label: string) => {
    await page.getByRole("dialog").getByRole("button", { name: label }).focus();
    await page.keyboard.press("Enter");
  };

  await choose("Change role…");
  // Admins cannot make others admins.
  expect(await page.getByLabel("Role in Demo").locator("option").allTextContents()).toEqual([
    "Member",
    "Manager",
  ]);
  await page.getByLabel("Role in Demo").selectOption("manager");
  await confirm("Change role");
  await page.getByText("Mateo García is now manager.").waitFor();

  await choose("Suspend…");
  await confirm("Suspend member");
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.keyboard.press("Enter");
  await row.getByText("Suspended", { exact: true }).waitFor();
  expectErrors(page, /403/);
  await choose("Reactivate");
  await page.getByText("Mateo García is active again.").waitFor();

  await choose("Remove from workspace…");
  await page.getByText("To return, they need a new invitation.").waitFor();
  await confirm("Remove from workspace");
  await page.getByText("Mateo García removed from Demo.").waitFor();
  await page.getByRole("searchbox").fill("");
  await page.getByText("24 members").waitFor();
  const mail = site
    .server()
    .mails()
    .find(({ to }) => to === "mateo.garcia@demo.test");
  expect(mail?.text).toContain("removed you from the workspace Demo");

  await removed.getByRole("link", { name: "Reports", exact: true }).click();
  await removed.getByText("You are not in a workspace").waitFor();
  await removed.waitForLoadState("networkidle");
  expect(removed.errors.every((error) => /404/.test(error))).toBe(true);
  removed.errors.length = 0;
});

test("members and managers get only the actions that their role allows", async () => {
  const actions = (page: Page, name: RegExp) => page.getByRole("button", { name });
  const member = await site.openAs("member@demo.test", "/members");
  await member.getByText(/^2\d members$/).waitFor();
  expect(await actions(member, /^Actions for/).count()).toBe(0);

  const manager = await site.openAs("aiko.tanaka@demo.test", "/teams");
  await manager.getByRole("link", { name: "General", exact: true }).click();
  await manager.getByRole("listitem").filter({ hasText: "Adam Admin" }).waitFor();
  expect(await actions(manager, /^Actions for Adam Admin/).count()).toBe(0);
  await actions(manager, /^Actions for Chiara Ricci/).click();
  expect(await manager.getByRole("menuitem").allTextContents()).toEqual(["Remove from team…"]);
});
