import { readFile } from "node:fs/promises";
import { type Receiver, receiver } from "@svc/core/testing/receiver";
import { afterEach, beforeEach, expect } from "vitest";
import { expectErrors, startSite, test } from "../testing/browser.ts";

const site = startSite();

let ears: Receiver;
beforeEach(async () => {
  ears = await receiver();
});
afterEach(() => ears.close());

test("an archived project reaches the receiver, stands in the log and in the audit log, and is exported", async () => {
  const page = await site.openAs("owner@demo.test", "/webhooks");
  await page.getByRole("button", { name: "New webhook" }).click();
  await page.getByLabel("Address").fill(`${ears.url}/hooks`);
  await page.getByLabel("Description").fill("Of the test");
  await page.getByLabel("Further headers").fill("X-Source: svc\nContent-Length: 5");
  await page.getByRole("button", { name: "Create" }).click();
  // What is wrong stands at its field, with the header's name, and what was typed is kept.
  await page.getByText("Content-Length: This header cannot be set.").waitFor();
  expect(await page.getByLabel("Description").inputValue()).toBe("Of the test");
  await page.getByLabel("Further headers").fill("X-Source: svc\nAuthorization: Bearer hush");
  await page.getByLabel("All, also those").uncheck();
  await page.getByRole("button", { name: "Create" }).click();
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("FIELDSET");
  await page.getByLabel("project.archived").check();
  await page.getByRole("button", { name: "Create" }).click();
  const shown = page.getByRole("dialog", { name: "Signing secret" });
  expect(await shown.locator(".secret").textContent()).toMatch(/^whsec_/);
  await shown.getByRole("button", { name: "I have kept it" }).click();
  await page.getByRole("link", { name: ears.url }).click();
  await page.getByText("Nothing was sent yet").waitFor();
  await page.getByText("[masked]").waitFor();
  expectErrors(page, /422/, /422/);

  const ask = { headers: { origin: site.url("").replace(/\/$/, "") } };
  const projects = await (await page.request.get(site.url("/api/v1/projects"), ask)).json();
  const [project] = projects.data;
  const archived = await page.request.post(site.url(`/api/v1/projects/${project.id}/archive`), ask);
  expect(archived.status()).toBe(200);
  await expect.poll(() => ears.received.length).toBe(1);
  expect(ears.received[0]?.headers).toMatchObject({ "x-source": "svc", authorization: "Bearer hush" });
  await page.reload();
  await page.getByRole("row", { name: /project\.archived.*delivered/ }).waitFor();
  await page.getByRole("link", { name: "project.archived" }).click();
  await page.getByText("Attempt 1").waitFor();
  await page.getByRole("region", { name: "Body of the request" }).getByText(project.id).waitFor();
  await page.getByText("Request headers", { exact: true }).click();
  await page.getByText("webhook-signature: v1,[masked]").waitFor();

  await page.goto(site.url("/audit-log"));
  await page.getByLabel("IP address").fill("not one");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await page.getByText("Not an IP address.").waitFor();
  expectErrors(page, /422/);
  await page.getByLabel("IP address").fill("");
  await page.getByLabel("What", { exact: true }).fill("project.archived");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await expect.poll(() => new URL(page.url()).search).toBe("?action=project.archived");
  const row = page.getByRole("row", { name: /project\.archived/ }).filter({ hasText: project.name });
  await row.getByRole("button", { name: "Olivia Owner" }).waitFor();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export as CSV" }).click(),
  ]);
  expect(file.suggestedFilename()).toBe("audit-log.csv");
  const lines = (await readFile(await file.path(), "utf8")).trimEnd().split("\r\n");
  expect(lines[0]).toMatch(/^id,at,actor_type/);
  expect(lines.slice(1).every((line) => line.includes("project.archived"))).toBe(true);
  expect(lines.some((line) => line.includes(project.id))).toBe(true);
});

test("an export of several parts is one file with one line of names; one that fails saves nothing and says so", async () => {
  const page = await site.openAs("owner@demo.test", "/audit-log");
  await page.context().route("**/audit-logs?*format=csv*", (route) => {
    const second = route.request().url().includes("cursor=2");
    return route.fulfill({
      contentType: "text/csv",
      headers: second ? {} : { link: '</api/v1/audit-logs?format=csv&cursor=2>; rel="next"' },
      body: second ? "id\r\nc\r\n" : "id\r\na\r\nb\r\n",
    });
  });
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export as CSV" }).click(),
  ]);
  expect(await readFile(await file.path(), "utf8")).toBe("id\r\na\r\nb\r\nc\r\n");
  await page.getByText("3 rows are saved.").waitFor();

  await page.context().route("**/audit-logs?*format=ndjson*", (route) => route.fulfill({ status: 503 }));
  await page.getByRole("button", { name: "Export as NDJSON" }).click();
  await page.getByRole("alert").getByText("The export failed, and nothing was saved.").waitFor();
  expectErrors(page, /503/);
});

test("a webhook is tried, retried, rotated, disabled and deleted", async () => {
  ears.answer = () => 500;
  const page = await site.openAs("admin@demo.test", "/webhooks");
  const ask = { headers: { origin: site.url("").replace(/\/$/, "") } };
  const made = await page.request.post(site.url("/api/v1/webhooks"), {
    ...ask,
    data: { url: ears.url, events: ["*"] },
  });
  await page.goto(site.url(`/webhooks/${(await made.json()).id}`));
  await page.getByRole("button", { name: "Send a test event" }).click();
  await page.getByLabel("Event", { exact: true }).selectOption("currency.changed");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("row", { name: /currency\.changed.*pending/ }).waitFor();
  await page.getByRole("link", { name: "currency.changed" }).click();
  await page.getByText("The endpoint returned 500").waitFor();
  ears.answer = () => 204;
  await page.getByRole("button", { name: "Retry" }).click();
  await page.getByText("delivered").waitFor();
  expect(ears.received.length).toBeGreaterThan(1);

  await page.getByRole("link", { name: "The webhook and its other deliveries" }).click();
  await page.getByRole("button", { name: "Rotate the secret" }).click();
  await page.getByRole("dialog").getByText("two signatures").waitFor();
  await page.getByRole("button", { name: "Rotate", exact: true }).click();
  await page
    .getByRole("dialog", { name: "Signing secret" })
    .getByText(/^whsec_/)
    .waitFor();
  await page.keyboard.press("Escape");
  await page.getByText("the one before signs too").waitFor();

  await page.getByRole("button", { name: "Disable" }).click();
  await page.getByText("Nothing is sent.").waitFor();
  expect(await page.getByRole("button", { name: "Send a test event" }).count()).toBe(0);
  await page.getByRole("button", { name: "Enable" }).click();
  await page.getByRole("button", { name: "Recover" }).click();
  await page.getByRole("button", { name: "Recover", exact: true }).last().click();
  await page.getByText(/are on their way|Nothing was missing/).waitFor();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("The webhook is deleted.").waitFor();
  expect(await page.getByRole("link", { name: ears.url }).count()).toBe(0);
});
