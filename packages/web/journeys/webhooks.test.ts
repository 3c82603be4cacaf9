import { readFile } from "node:fs/promises";
import { type Receiver, receiver } from "@svc/core/testing/receiver";
import { afterEach, beforeEach, expect } from "vitest";
import { chooseOption, expectErrors, expectFits, fillDate, startSite, test } from "../testing/browser.ts";

const site = startSite();

let target: Receiver;
beforeEach(async () => {
  target = await receiver();
});
afterEach(() => target.close());

test("the event of an archived project is delivered, and appears in the delivery log, the audit log and its export", async () => {
  const page = await site.openAs("owner@demo.test", "/webhooks");
  await page.getByRole("button", { name: "New webhook" }).click();
  await page.getByLabel("URL").fill(`${target.url}/hooks`);
  await page.getByLabel("Description").fill("For the test");
  await page.getByLabel("Custom headers").fill("X-Source: svc\nContent-Length: 5");
  await page.getByRole("button", { name: "Create webhook" }).click();
  // The error appears at the field with the header's name, and the form keeps its values.
  await page.getByText("Content-Length: This header cannot be set.").waitFor();
  expect(await page.getByLabel("Description").inputValue()).toBe("For the test");
  await page.getByLabel("Custom headers").fill("X-Source: svc\nAuthorization: Bearer hush");
  await page.getByLabel("All events").uncheck();
  await page.getByRole("button", { name: "Create webhook" }).click();
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("FIELDSET");
  await page.getByLabel("project.archived").check();
  await page.getByRole("button", { name: "Create webhook" }).click();
  const shown = page.getByRole("dialog", { name: "Signing secret" });
  expect(await shown.locator(".secret").textContent()).toMatch(/^whsec_/);
  await shown.getByRole("button", { name: "I have stored it" }).click();
  await page.getByRole("link", { name: target.url }).click();
  await page.getByText("No deliveries yet").waitFor();
  await page.getByText("X-Source and Authorization").waitFor();
  expectErrors(page, /422/, /422/);

  const ask = { headers: { origin: site.url("").replace(/\/$/, "") } };
  const projects = await (await page.request.get(site.url("/api/v1/projects"), ask)).json();
  const [project] = projects.data;
  const archived = await page.request.post(site.url(`/api/v1/projects/${project.id}/archive`), ask);
  expect(archived.status()).toBe(200);
  await expect.poll(() => target.received.length).toBe(1);
  expect(target.received[0]?.headers).toMatchObject({ "x-source": "svc", authorization: "Bearer hush" });
  await page.reload();
  await page.getByRole("row", { name: /project\.archived.*delivered/ }).waitFor();
  await page.getByRole("link", { name: "project.archived" }).click();
  await page.getByText("Attempt 1").waitFor();
  await page.getByRole("region", { name: "Request body" }).getByText(project.id).waitFor();
  await page.getByText("Request headers", { exact: true }).click();
  await page.getByText("webhook-signature: v1,[masked]").waitFor();

  await page.goto(site.url("/audit-log"));
  await page.getByLabel("IP address").fill("not one");
  await page.getByRole("button", { name: "Apply filters" }).click();
  await page.getByText("IP address must be an IPv4 or IPv6 address.").waitFor();
  expectErrors(page, /422/);
  await page.getByLabel("IP address").fill("");
  await page.getByRole("combobox", { name: "Action", exact: true }).fill("project.archived");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Apply filters" }).click();
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

test("the audit log shows failed sign-ins by category, and the Security page says so", async () => {
  const page = await site.openAs("owner@demo.test", "/audit-log");
  for (let n = 0; n < 2; n++)
    await page.request.post(site.url("/auth/login"), {
      data: { email: "owner@demo.test", password: "not the password" },
    });
  await page.getByLabel("Category").selectOption("Sign-ins");
  await page.getByLabel("Outcome").selectOption("Failure");
  await page.getByRole("button", { name: "Apply filters" }).press("Enter");
  await expect.poll(() => new URL(page.url()).search).toBe("?category=sign_in&outcome=failure");
  const rows = page.getByRole("row", { name: /user\.login_failed/ });
  await rows.first().getByRole("button", { name: "Olivia Owner" }).first().waitFor();
  await page.setViewportSize({ width: 360, height: 740 });
  await expectFits(page);
  await page.goto(site.url("/settings/security"));
  await page.getByText("see in the audit log when and from where you signed in").waitFor();
});

test("the audit log is filtered by date and time, and its signed checkpoint can be copied", async () => {
  const job = await fetch(`${site.server().toolsUrl}/_local/jobs/chain-audit-logs`, { method: "POST" });
  expect(job.status).toBe(200);
  const page = await site.openAs("owner@demo.test", "/audit-log");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const card = page.getByRole("region", { name: "Signed checkpoint" });
  await card.getByRole("button", { name: "Show checkpoint" }).click();
  await card.getByRole("button", { name: "Copy checkpoint" }).click();
  await card.getByText("Copied").waitFor();
  const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
  expect(copied).toMatchObject({ sequence: expect.any(Number), signature: expect.any(String) });
  await fillDate(page, "From", "2030-01-01T08:30");
  await page.getByRole("button", { name: "Apply filters" }).click();
  await page.getByText("No entries match these filters").waitFor();
  expect(new URL(page.url()).searchParams.get("from")).toMatch(/^2030-01-01T0\d:30:00.000Z$/);
  await page.getByRole("button", { name: "Clear filters" }).first().click();
  await page
    .getByRole("row", { name: /user\.logged_in/ })
    .first()
    .waitFor();
});

test("a webhook's header values are not shown, and are entered again for another origin", async () => {
  const page = await site.openAs("admin@demo.test", "/webhooks");
  const made = await page.request.post(site.url("/api/v1/webhooks"), {
    headers: { origin: site.url("").replace(/\/$/, "") },
    data: { url: target.url, events: ["*"], headers: { "X-Source": "svc", Authorization: "Bearer hush" } },
  });
  await page.goto(site.url(`/webhooks/${(await made.json()).id}`));
  await page.getByRole("button", { name: "Edit webhook" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit webhook" });
  const headers = dialog.getByLabel("Custom headers");
  expect(await headers.inputValue()).toBe("X-Source: [masked]\nAuthorization: [masked]");
  await dialog.getByLabel("URL").fill(`${target.url}/hooks`);
  expect(await dialog.getByRole("status").filter({ hasText: "Header values" }).count()).toBe(0);
  await dialog.getByLabel("URL").fill(`${target.url.replace("127.0.0.1", "localhost")}/hooks`);
  await dialog
    .getByRole("status")
    .getByText("enter the values of X-Source and Authorization again")
    .waitFor();
  await expectFits(page);
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await dialog.locator(".error").getByText("Enter the values of X-Source and Authorization again").waitFor();
  await headers.fill("Authorization: Bearer new");
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("Webhook saved.").waitFor();
  await page.getByRole("button", { name: "Send test event" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Send test event" }).click();
  await expect.poll(() => target.received.length).toBe(1);
  expect(target.received[0]?.headers).toMatchObject({ authorization: "Bearer new" });
  expect(target.received[0]?.headers).not.toHaveProperty("x-source");
});

test("an export in several parts is one file with one header row, and a failed export saves nothing and says so", async () => {
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
  await page.getByText("3 rows exported.").waitFor();

  await page.context().route("**/audit-logs?*format=ndjson*", (route) => route.fulfill({ status: 503 }));
  await page.getByRole("button", { name: "Export as NDJSON" }).click();
  await page.getByRole("alert").getByText("The export failed. Nothing was saved.").waitFor();
  // The client has tried three times.
  expectErrors(page, /503/, /503/, /503/);
});

test("a webhook is tested, retried, rotated, disabled, recovered and deleted", async () => {
  target.answer = () => 500;
  const page = await site.openAs("admin@demo.test", "/webhooks");
  const ask = { headers: { origin: site.url("").replace(/\/$/, "") } };
  const made = await page.request.post(site.url("/api/v1/webhooks"), {
    ...ask,
    data: { url: target.url, events: ["*"] },
  });
  await page.goto(site.url(`/webhooks/${(await made.json()).id}`));
  await page.getByRole("button", { name: "Send test event" }).click();
  await chooseOption(page, "Event", "currency.changed");
  await page.getByRole("dialog").getByRole("button", { name: "Send test event" }).click();
  await page.getByRole("row", { name: /currency\.changed.*pending/ }).waitFor();
  await page.getByRole("link", { name: "currency.changed" }).click();
  await page.getByText("The endpoint returned 500").waitFor();
  target.answer = () => 204;
  await page.getByRole("button", { name: "Retry delivery" }).click();
  await page.getByText("delivered").waitFor();
  expect(target.received.length).toBeGreaterThan(1);

  await page.getByRole("link", { name: "Back to the webhook" }).click();
  await page.getByRole("button", { name: "Rotate secret" }).click();
  await page.getByRole("dialog").getByText("two signatures").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Rotate secret" }).click();
  const shown = page.getByRole("dialog", { name: "Signing secret" });
  await shown.getByText(/^whsec_/).waitFor();
  await shown.getByRole("button", { name: "I have stored it" }).click();
  await page.getByText("The previous secret also signs").waitFor();

  await page.getByRole("button", { name: "Disable webhook" }).click();
  await page.getByText("No events are sent.").waitFor();
  expect(await page.getByRole("button", { name: "Send test event" }).count()).toBe(0);
  await page.getByRole("button", { name: "Enable webhook" }).click();
  await page.getByRole("button", { name: "Recover events" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Recover events" }).click();
  await page.getByText(/Missed events queued|No events were missed/).waitFor();
  await page.getByRole("button", { name: "Delete webhook" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete webhook" }).click();
  await page.getByText("Webhook deleted.").waitFor();
  expect(await page.getByRole("link", { name: target.url }).count()).toBe(0);
});
