import { expect } from "vitest";
import { expectTroubles, startSite, test } from "../testing/browser.ts";

const site = startSite();

test("a currency gets a rate of the workspace's own, and the published one back", async () => {
  const page = await site.openAs("admin@demo.test", "/currencies");
  await page.getByRole("searchbox").fill("dollar");
  await page.getByRole("link", { name: "USD", exact: true }).click();
  await page.getByRole("button", { name: "Set an own rate" }).click();
  await page.getByRole("textbox", { name: "USD for one EUR" }).fill("1,25");
  await page.getByLabel("Reason").fill("Contract with Acme");
  await page.getByRole("button", { name: "Set", exact: true }).click();
  await page.getByText("Rate must be a decimal number such as 1.085.").waitFor();
  expectTroubles(page, /422/);
  await page.getByRole("textbox", { name: "USD for one EUR" }).fill("1.250");
  await page.getByRole("button", { name: "Set", exact: true }).click();
  await page.getByRole("row", { name: /1\.25 for one EUR Contract with Acme/ }).waitFor();
  await page.getByRole("link", { name: "All currencies" }).click();
  await page.getByRole("row", { name: /^USD .*this workspace.*overridden/ }).waitFor();
  await page.getByRole("link", { name: "USD", exact: true }).click();
  await page.getByRole("button", { name: /^Remove/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await page.getByText("None: published rates hold.").waitFor();
});

test("the workspace is changed by an admin, and its cookie knows; a member is told who can", async () => {
  const page = await site.openAs("owner@demo.test", "/settings/workspace");
  await page.getByLabel("Name").fill("Demo of the year");
  await page.getByLabel("Base currency").selectOption("CHF");
  await page.getByLabel("First day of the week").selectOption("Sunday");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("The workspace is saved.").waitFor();
  const cached = async () => {
    const cookies = await page.context().cookies();
    const data = cookies.find(({ name }) => name === "svc_current_workspace_data")?.value ?? "";
    return JSON.parse(decodeURIComponent(data));
  };
  await expect.poll(cached).toMatchObject({ name: "Demo of the year", baseCurrency: "CHF" });
  await page.getByLabel("Name").fill("Demo");
  await page.getByLabel("Base currency").selectOption("EUR");
  await page.getByRole("button", { name: "Save" }).click();
  await expect.poll(cached).toMatchObject({ name: "Demo", baseCurrency: "EUR" });

  const member = await site.openAs("member@demo.test", "/settings/workspace");
  await member.getByText("Its admins can change this.").waitFor();
  expect(await member.getByRole("link", { name: "Webhooks" }).count()).toBe(0);
  await member.goto(site.url("/webhooks"));
  await member.getByText("is for the role admin and above").waitFor();
});

test("what a plan has not got is named, with what it would be good for", async () => {
  const page = await site.openAs("owner@free.test", "/webhooks");
  await page.getByText("Webhooks belongs to the plan ENTERPRISE").waitFor();
  await page.getByText("signed, repeated when they fail").waitFor();
  await page.getByRole("link", { name: "Workspace", exact: true }).click();
  await page.getByText("With a larger plan there would also be:").waitFor();
});

test("a team is made, filled, renamed and deleted", async () => {
  const page = await site.openAs("owner@demo.test", "/teams");
  await page.getByRole("button", { name: "New team" }).click();
  await page.getByLabel("Name").fill("Night shift");
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByRole("link", { name: "Night shift" }).click();
  await page.getByRole("button", { name: "Add people" }).click();
  await page.getByRole("searchbox").fill("mateo");
  await page.getByRole("button", { name: "Add Mateo García" }).click();
  await page.getByText("Nobody fits what you typed").waitFor();
  await page.keyboard.press("Escape");
  await page.getByLabel("Role of Mateo García").selectOption("manager");
  await page.getByText("Mateo García is manager now.").waitFor();
  await page.getByRole("button", { name: "Take out Mateo García" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Take out" }).click();
  await page.getByText("Mateo García is out of the team.").waitFor();
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Day shift");
  await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
  await page.getByRole("heading", { level: 1, name: "Day shift" }).waitFor();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("The team is deleted.").waitFor();
  expect(await page.getByRole("link", { name: "Day shift" }).count()).toBe(0);
});

test("the API's documentation is searched, and an endpoint tells its parameters, answers and an example", async () => {
  const page = await site.openAs("member@demo.test", "/developers");
  await page.getByRole("searchbox").fill("post upload avatar");
  const endpoint = page.locator("details.endpoint").filter({ hasText: "/api/upload/avatar" });
  await endpoint.locator("summary").first().click();
  await endpoint.getByText("multipart/form-data", { exact: false }).first().waitFor();
  await endpoint.getByText("signedUrl").first().waitFor();
  await endpoint.getByText("curl -X POST").waitFor();
  await page.getByRole("searchbox").fill("no such thing at all");
  await page.getByText("No endpoint fits what you typed").waitFor();
});
