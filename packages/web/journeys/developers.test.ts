import { expect } from "vitest";
import { expectErrors, expectFits, startSite, test } from "../testing/browser.ts";

const site = startSite();

test("an operation of the API documentation is found by search, and shows its fields, errors and examples", async () => {
  const page = await site.openAs("member@demo.test", "/developers");
  const search = page.getByRole("searchbox", { name: "Search operations" });
  await search.fill("no such operation");
  await page.getByText("No operations match your search").waitFor();
  await page.getByRole("button", { name: "Clear search" }).click();
  await search.fill("post /api/upload/avatar");
  const operation = page.locator("#uploadAvatar");
  await operation.locator("summary").first().click();
  await operation.getByText("Request body (multipart/form-data)").waitFor();
  await operation.getByText("signedUrl").first().waitFor();
  await operation.getByText("file_too_large").first().waitFor();
  await operation.getByText(`curl -X POST '${site.url("/api/upload/avatar")}'`).waitFor();
  await operation.getByRole("tab", { name: "@svc/client" }).click();
  await operation.getByText('import { createClient } from "@svc/client";').waitFor();
  expect(new URL(page.url()).hash).toBe("#uploadAvatar");
});

test("a link to an operation opens it, and its request is sent with the keyboard as the signed-in user", async () => {
  const page = await site.openAs("member@demo.test", "/developers#getMe");
  const operation = page.locator("#getMe");
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest("details")?.id)).toBe("getMe");
  await operation.getByRole("button", { name: "Send request" }).focus();
  await page.keyboard.press("Enter");
  await operation.getByText(/^Status 200( OK)? in \d+ ms$/).waitFor();
  await operation.getByRole("region", { name: "Response body" }).getByText("member@demo.test").waitFor();
  await operation.getByText(/^Response headers \(\d+\)$/).click();
  await operation.getByText("x-request-id", { exact: true }).waitFor();
});

test("a call that changes data is confirmed first, with the demo token of the local server or a pasted one", async () => {
  const page = await site.openAs("member@demo.test", "/developers#createProject");
  const operation = page.locator("#createProject");
  const send = async () => {
    await operation.getByRole("button", { name: "Send request…" }).click();
    const dialog = page.getByRole("dialog", { name: "Send POST /api/v1/projects?" });
    await dialog.getByRole("button", { name: "Send request" }).click();
    await dialog.waitFor({ state: "detached" });
  };
  await page.getByLabel("Send requests as").selectOption("An API token");
  await page.getByLabel("API token", { exact: true }).fill("svc_pat_wrong");
  await send();
  await operation.getByText(/^Status 401/).waitFor();
  expectErrors(page, /401/);

  await page.getByRole("button", { name: "Use demo token" }).click();
  await page.getByText("Using the demo token of this local server.").waitFor();
  await operation.getByLabel("Body (JSON)").fill("{");
  await operation.getByRole("button", { name: "Send request…" }).click();
  await operation.getByText("Body must be valid JSON.").waitFor();
  await operation.getByLabel("Body (JSON)").fill('{"name":"From the documentation","currency":"EUR"}');
  await operation.getByText(`--data '{"name":"From the documentation"`).waitFor();
  await operation.getByRole("button", { name: "Send request…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  expect(await operation.getByText(/^Status 201/).count()).toBe(0);
  await send();
  await operation.getByText(/^Status 201/).waitFor();
});

test("an admin sends a test event from the catalogue, and a member reads who can", async () => {
  const page = await site.openAs("admin@demo.test", "/developers#receiveProjectArchivedEvent");
  const event = page.locator("#receiveProjectArchivedEvent");
  await event.getByText("webhook-signature").waitFor();
  await event.getByText('"projectName": "Website"').waitFor();
  await event.getByRole("button", { name: "Send test event…" }).click();
  const dialog = page.getByRole("dialog", { name: "Send test event" });
  await dialog.getByRole("button", { name: "Send test event" }).click();
  await event.getByText("Test event queued.").waitFor();
  await event.getByRole("link", { name: "View deliveries" }).click();
  await page.getByRole("heading", { level: 1 }).filter({ hasText: "Webhook" }).waitFor();

  const member = await site.openAs("member@demo.test", "/developers#receiveProjectArchivedEvent");
  await member.getByText("Admins of a workspace on the ENTERPRISE plan can send test events.").waitFor();
});

test("the documentation fits a phone, also with an operation open", async () => {
  for (const width of [390, 320]) {
    const viewport = { width, height: 800 };
    const page = await site.openAs("owner@demo.test", "/developers#listTimeEntries", { viewport });
    await page.locator("#listTimeEntries").getByRole("button", { name: "Send request" }).click();
    await page
      .locator("#listTimeEntries")
      .getByText(/^Status 200/)
      .waitFor();
    await expectFits(page);
  }
});
