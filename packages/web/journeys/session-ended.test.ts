import { password } from "@svc/local/demo";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { expectAccessible, expectErrors, fillDate, startSite, test } from "../testing/browser.ts";

const site = startSite();

const asking = (page: Page) => page.getByRole("dialog", { name: "Your session has ended" });

/** Ends the session of the page on the server, as an administrator or an idle limit does. */
async function endSession(page: Page): Promise<void> {
  expect(await page.evaluate(async () => (await fetch("/auth/logout", { method: "POST" })).status)).toBe(204);
}

test("a session that ended while a dialog was filled continues in place, and the entry is added once", async () => {
  const page = await site.openAs("member@demo.test", "/time-entries");
  await page.getByRole("button", { name: "Add entry" }).click();
  const adding = page.getByRole("dialog", { name: "Add entry" });
  const description = `Written before the session ended ${Date.now()}`;
  await adding.getByLabel("Description").fill(description);
  await fillDate(adding, "Start", "2026-11-20T08:00");
  await fillDate(adding, "End", "2026-11-20T09:00");
  const keys: (string | undefined)[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/api/v1/time-entries"))
      keys.push(request.headers()["idempotency-key"]);
  });

  await endSession(page);
  await adding.getByRole("button", { name: "Add entry" }).click();
  await asking(page).getByText("Sign in again as member@demo.test").waitFor();
  await expectAccessible(page);
  await asking(page).getByLabel("Password").fill("not this one");
  await page.keyboard.press("Enter");
  await asking(page).getByText("Incorrect email or password.").waitFor();
  await asking(page).getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");

  await page.getByText("Entry added.").waitFor();
  await asking(page).waitFor({ state: "detached" });
  await adding.waitFor({ state: "detached" });
  expect(new URL(page.url()).pathname).toBe("/time-entries");
  expect(keys).toEqual([expect.any(String), keys[0]]);
  const list = await page.request.get(site.url(`/api/v1/time-entries?q=${encodeURIComponent(description)}`));
  expect((await list.json()).data).toHaveLength(1);
  expectErrors(page, ...page.errors.map(() => /401/));
});

test("closing the question leaves the text, and the next request asks again", async () => {
  const page = await site.openAs("member@demo.test", "/settings/profile");
  await page.getByLabel("Title", { exact: true }).fill("Designer of forms");
  await endSession(page);
  await page.getByRole("button", { name: "Save changes" }).click();
  await asking(page).waitFor();
  await page.keyboard.press("Escape");
  await asking(page).waitFor({ state: "detached" });
  expect(await page.getByLabel("Title", { exact: true }).inputValue()).toBe("Designer of forms");
  await page.getByRole("button", { name: "Save changes" }).click();
  await asking(page).getByRole("button", { name: "Use another account" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(new URL(page.url()).search).toBe("?next=%2Fsettings%2Fprofile");
  expectErrors(page, ...page.errors.map(() => /401/));
});
