import type { Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { chooseOption, fillDate, startSite, test } from "../testing/browser.ts";
import { examplePaths } from "../testing/example-paths.ts";
import { startTimer, timerBar } from "../testing/timer.ts";

const site = startSite();

type Case = {
  name: string;
  route: string;
  /** Opens the form and returns it. */
  open: (page: Page) => Promise<Locator>;
  fill: (form: Locator) => Promise<unknown>;
};

/** Opens a dialog with a button of the page. */
const dialog = (button: string, name: string | RegExp) => async (page: Page) => {
  await page.getByRole("button", { name: button, exact: true }).first().click();
  const opened = page.getByRole("dialog", { name });
  // People and events are loaded after the dialog has opened.
  await opened.waitFor();
  await page.waitForLoadState("networkidle");
  return opened;
};

/** The form on the page with this submit button. */
const form = (field: string) => async (page: Page) => {
  await page.getByLabel(field).waitFor();
  return page.locator("form").filter({ has: page.getByLabel(field) });
};

/** Opens a dialog from the menu of the first entry. */
const entryDialog = (item: string, name: string) => async (page: Page) => {
  const actions = page.getByRole("button", { name: /^Actions for/ });
  await actions.first().click();
  await page.getByRole("menuitem", { name: item }).click();
  return page.getByRole("dialog", { name });
};

async function fillEntry(entry: Locator): Promise<void> {
  await entry.getByLabel("Description").fill("Half an entry");
  await chooseOption(entry, "Project", "Store kiosks");
  await fillDate(entry, "Start", "2026-11-20T08:15");
  await fillDate(entry, "End", "2026-11-20T09:45");
  await entry.getByLabel("Tags").fill("draft, kept");
  await entry.getByLabel("Billable").selectOption({ label: "No" });
}

const cases: Case[] = [
  {
    name: "a new entry",
    route: "/time-entries",
    open: dialog("Add entry", "Add entry"),
    async fill(entry) {
      await chooseOption(entry, "Person", "Mia Member");
      await fillEntry(entry);
    },
  },
  {
    name: "an entry",
    route: "/time-entries",
    open: entryDialog("Edit details", "Edit entry"),
    fill: fillEntry,
  },
  {
    name: "the time of a split",
    route: "/time-entries",
    open: entryDialog("Split…", "Split entry"),
    fill: (split) => fillDate(split, "Split at", "2026-11-20T08:15"),
  },
  {
    name: "a new project",
    route: "/projects",
    open: dialog("New project", "New project"),
    async fill(project) {
      await project.getByLabel("Name").fill("Half a project");
      await project.getByLabel("Hourly rate").fill("120.50");
      await project.getByLabel("Time is billable").uncheck();
      await project.getByLabel("Budget", { exact: true }).selectOption("hours");
      await project.getByLabel("Hours", { exact: true }).fill("40");
    },
  },
  {
    name: "a new webhook",
    route: "/webhooks",
    open: dialog("New webhook", "New webhook"),
    async fill(webhook) {
      await webhook.getByLabel("URL").fill("https://example.com/half");
      await webhook.getByLabel("All events, including future ones").uncheck();
      await webhook.getByLabel("project.archived").check();
      await webhook.getByLabel("Description").fill("Half a webhook");
    },
  },
  {
    name: "a webhook",
    route: "/webhooks/:id",
    open: dialog("Edit webhook", "Edit webhook"),
    fill: (webhook) => webhook.getByLabel("Description").fill("Half a description"),
  },
  {
    name: "a new team",
    route: "/teams",
    open: dialog("New team", "New team"),
    fill: (team) => team.getByLabel("Name").fill("Half a team"),
  },
  {
    name: "a team",
    route: "/teams/:id",
    open: dialog("Rename team", /^Rename/),
    fill: (team) => team.getByLabel("Name").fill("Half a name"),
  },
  {
    name: "an invitation",
    route: "/members",
    open: dialog("Invite member", /^Invite a member/),
    async fill(invitation) {
      await invitation.getByLabel("Email").fill("half@example.com");
      await invitation.getByLabel(/^Role/).selectOption("manager");
    },
  },
  {
    name: "an exchange rate",
    route: "/currencies/:code",
    open: dialog("Override rate", /^Override the/),
    async fill(rate) {
      await rate.getByLabel(/per 1/).fill("1.25");
      await fillDate(rate, "Last day", "2026-12-31");
      await rate.getByLabel("Reason").fill("Half a reason");
    },
  },
  {
    name: "the base currency",
    route: "/currencies",
    open: dialog("Change base currency", "Change base currency"),
    fill: (currency) => chooseOption(currency, "Base currency", "SEK"),
  },
  {
    name: "the IP allowlist",
    route: "/settings/workspace-security",
    open: form("Only allow access from these IP addresses"),
    async fill(list) {
      await list.getByRole("button", { name: "Add IP address" }).click();
      await list.getByLabel("IP address or range 1").fill("203.0.113.0/24");
      await list.getByLabel("Label 1").fill("Half a label");
      await list.getByLabel("Only allow access").check();
    },
  },
  {
    name: "the workspace",
    route: "/settings/workspace",
    open: form("First day of the week"),
    async fill(workspace) {
      await workspace.getByLabel("Name").fill("Half a workspace");
      await fillDate(workspace, "Locked until", "2026-01-31");
    },
  },
  {
    name: "preferences",
    route: "/settings/preferences",
    open: form("Date format"),
    fill: (preferences) => preferences.getByLabel("Date format").selectOption("MM/DD/YYYY"),
  },
  {
    name: "the idle timeout",
    route: "/settings/security",
    async open(page) {
      await page.getByRole("tab", { name: "Sessions and devices" }).click();
      return form("Sign me out after inactivity of")(page);
    },
    fill: (settings) => settings.getByLabel("Sign me out after inactivity of").selectOption("30"),
  },
  {
    name: "an API token",
    route: "/settings/security",
    async open(page) {
      await page.getByRole("tab", { name: "API tokens" }).click();
      return dialog("Create token", "Create API token")(page);
    },
    async fill(token) {
      await token.getByLabel("Name").fill("Half a token");
      await token.getByLabel("Access").selectOption("write");
    },
  },
];

/** Returns what the fields of a form show. */
const shown = (scope: Locator) =>
  scope.evaluate((element) =>
    [...element.querySelectorAll<HTMLInputElement>("input, select, textarea, [role=spinbutton]")].map(
      (one) => (one.type === "checkbox" ? one.checked : (one.value ?? one.textContent)),
    ),
  );

const notice = "Your unsaved changes were restored.";

describe("what was entered and not saved", () => {
  test.each(cases)("is in the form for $name after a reload, and can be discarded", async (one) => {
    const pathOf = await examplePaths();
    const page = await site.openAs("owner@demo.test", pathOf(one.route));
    await page.clock.setFixedTime(new Date());
    page.on("dialog", (question) => void question.accept());
    const opened = await one.open(page);
    const before = await shown(opened);
    await one.fill(opened);
    const filled = await shown(opened);
    expect(filled).not.toEqual(before);

    await page.reload();
    const restored = await one.open(page);
    await restored.getByText(notice).waitFor();
    expect(await shown(restored)).toEqual(filled);
    await restored.getByRole("button", { name: "Discard them" }).click();
    await expect.poll(() => shown(restored)).toEqual(before);
    await page.reload();
    const again = await one.open(page);
    await again.getByRole("button").first().waitFor();
    expect(await again.getByText(notice).count()).toBe(0);
  });

  test("is not stored where it is a secret", async () => {
    const page = await site.openAs("owner@demo.test", "/webhooks");
    const webhook = await dialog("New webhook", "New webhook")(page);
    await webhook.getByLabel("Description").fill("Half a webhook");
    await webhook.getByLabel("Custom headers").fill("Authorization: Bearer half-a-secret");
    const stored = () => page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }));
    await expect.poll(stored).toContain("Half a webhook");
    expect(await stored()).not.toContain("half-a-secret");
    page.once("dialog", (question) => void question.accept());
  });

  test("is in the timer bar after a reload and on other pages, and not after the timer has started", async () => {
    const page = await site.openAs("member@demo.test", "/time-entries");
    const bar = timerBar(page);
    const description = bar.getByLabel("What are you working on?");
    await description.fill("Half a task");
    await bar.getByRole("button", { name: "Project: none" }).click();
    await page.getByRole("dialog", { name: "Project" }).getByRole("option").nth(1).click();
    await bar.getByRole("button", { name: /^Project: (?!none)/ }).waitFor();
    const project = await bar.getByRole("button", { name: /^Project:/ }).getAttribute("aria-label");
    await bar.getByRole("button", { name: "Tags: none" }).click();
    await page.getByRole("dialog", { name: "Tags" }).getByRole("option").first().click();
    await page.keyboard.press("Escape");
    await bar.getByRole("button", { name: /^Tags: (?!none)/ }).waitFor();
    const tags = await bar.getByRole("button", { name: /^Tags:/ }).getAttribute("aria-label");
    const billable = bar.getByRole("button", { name: "Billable" });
    await billable.click();
    const pressed = await billable.getAttribute("aria-pressed");

    await page.reload();
    await bar.getByRole("button", { name: project ?? "" }).waitFor();
    expect(await description.inputValue()).toBe("Half a task");
    expect(await bar.getByRole("button", { name: /^Tags:/ }).getAttribute("aria-label")).toBe(tags);
    expect(await billable.getAttribute("aria-pressed")).toBe(pressed);
    await bar.getByRole("button", { name: "Start", exact: true }).click();
    await bar.getByRole("button", { name: "Stop", exact: true }).click();
    await bar.getByRole("button", { name: "Project: none" }).waitFor();
    expect(await description.inputValue()).toBe("");
    await page.reload();
    await bar.getByRole("button", { name: "Project: none" }).waitFor();
    expect(await description.inputValue()).toBe("");
  });

  test("is the description of a running timer after a reload, and is saved", async () => {
    const page = await site.openAs("member@demo.test", "/time-entries");
    await startTimer(page, "First half");
    const description = timerBar(page).getByLabel("What are you working on?");
    const saved = page.waitForResponse(
      (response) => response.request().method() === "PATCH" && response.ok(),
    );
    await description.fill("Both halves");
    await page.reload();
    await saved;
    await expect.poll(() => description.inputValue()).toBe("Both halves");
    const running = await page.request.get(site.url("/api/v1/time-entries/running"));
    expect((await running.json()).description).toBe("Both halves");
    await timerBar(page).getByRole("button", { name: "Stop", exact: true }).click();
    await timerBar(page).getByRole("button", { name: "Start", exact: true }).waitFor();
  });
});
