import { app } from "@svc/core/testing/factors";
import { type Receiver, receiver } from "@svc/core/testing/receiver";
import { password } from "@svc/local/demo";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { fillDate, startSite, test, type Watched } from "../testing/browser.ts";

const site = startSite();

const dialog = (page: Page, name: string | RegExp) => page.getByRole("dialog", { name });
const question = (page: Page) => page.getByRole("alertdialog", { name: "Discard your changes?" });

/** Clicks the page beside the dialog. */
const clickBeside = (page: Page) => page.mouse.click(20, 400);

/** Reloads the page, answers the browser's question, and returns whether it asked. */
async function reloadAsks(page: Page): Promise<boolean> {
  let asked = false;
  page.once("dialog", (browserDialog) => {
    asked = browserDialog.type() === "beforeunload";
    void browserDialog.dismiss();
  });
  await page.evaluate(() => location.reload());
  await expect.poll(() => page.evaluate(() => document.readyState)).toBe("complete");
  return asked;
}

describe("a dialog with unsaved changes", () => {
  const ways = [
    ["Escape", (page: Page) => page.keyboard.press("Escape")],
    ["a click beside it", clickBeside],
    ["its close button", (page: Page) => page.getByRole("button", { name: "Close" }).click()],
  ] as const;

  test.each(ways)("asks before %s drops them", async (_, leave) => {
    const page = await site.openAs("member@demo.test", "/time-entries");
    await page.getByRole("button", { name: "Add entry" }).click();
    const adding = dialog(page, "Add entry");
    await adding.waitFor();
    await leave(page);
    await adding.waitFor({ state: "detached" });

    await page.getByRole("button", { name: "Add entry" }).click();
    await adding.getByLabel("Description").fill("Not saved yet");
    await leave(page);
    await question(page).getByRole("button", { name: "Keep editing" }).click();
    expect(await adding.getByLabel("Description").inputValue()).toBe("Not saved yet");
    // Escape answers the question itself with no.
    await leave(page);
    await question(page).waitFor();
    await page.keyboard.press("Escape");
    await question(page).waitFor({ state: "detached" });
    expect(await adding.getByLabel("Description").inputValue()).toBe("Not saved yet");
    await leave(page);
    await question(page).getByRole("button", { name: "Discard changes" }).click();
    await adding.waitFor({ state: "detached" });
  });

  test("counts a date as a change, warns before a reload, and closes without a question after saving", async () => {
    const page = await site.openAs("member@demo.test", "/time-entries");
    await page.getByRole("button", { name: "Add entry" }).click();
    const adding = dialog(page, "Add entry");
    expect(await adding.getByLabel("Description").inputValue()).toBe("");
    await fillDate(adding, "Start", "2026-11-20T08:00");
    await fillDate(adding, "End", "2026-11-20T09:00");
    await page.keyboard.press("Escape");
    await question(page).getByRole("button", { name: "Keep editing" }).click();
    expect(await reloadAsks(page)).toBe(true);
    await adding.getByRole("button", { name: "Add entry" }).click();
    await page.getByText("Entry added.").waitFor();
    await adding.waitFor({ state: "detached" });
    expect(await question(page).count()).toBe(0);
  });
});

describe("a secret that is shown once", () => {
  type Secret = { name: string; title: string; saved: string; show: () => Promise<Watched> };

  /** Signs in at a path and confirms the password, which the actions on secrets need. */
  async function openConfirmed(email: string, path: string): Promise<Watched> {
    const page = await site.openAs(email, path);
    await call(page, "/auth/reauthenticate", { password });
    return page;
  }

  async function call(page: Page, path: string, data = {}) {
    const headers = { origin: new URL(site.url()).origin };
    const answer = await page.request.post(site.url(path), { data, headers });
    return answer.status() === 204 ? undefined : answer.json();
  }

  let target: Receiver;
  beforeAll(async () => {
    target = await receiver();
  });
  afterAll(() => target.close());

  const secrets: Secret[] = [
    {
      name: "an API token",
      title: "Token Backup",
      saved: "I have saved it",
      async show() {
        const page = await openConfirmed("member@demo.test", "/settings/security");
        await page.getByRole("tab", { name: "API tokens" }).click();
        await page.getByRole("button", { name: "Create token" }).click();
        await dialog(page, "Create API token").getByLabel("Name").fill("Backup");
        await dialog(page, "Create API token").getByRole("button", { name: "Create token" }).click();
        return page;
      },
    },
    {
      name: "the backup codes of an authenticator app",
      title: "Your backup codes",
      saved: "I have saved them",
      async show() {
        const page = await openConfirmed("admin@demo.test", "/settings/security");
        await page.getByRole("button", { name: "Set up app" }).click();
        const setUp = dialog(page, "Set up an authenticator app");
        await setUp.getByText("Enter the key manually").click();
        const key = (await setUp.locator(".secret-text").textContent()) ?? "";
        await setUp.getByRole("textbox", { name: "Code" }).fill(app(key.replaceAll(" ", "")).code(0));
        await page.keyboard.press("Enter");
        return page;
      },
    },
    {
      name: "new backup codes",
      title: "Your backup codes",
      saved: "I have saved them",
      async show() {
        const page = await openConfirmed("aiko.tanaka@demo.test", "/settings/security");
        const codes = app((await call(page, "/user/2fa/totp")).secret);
        await call(page, "/user/2fa/totp/verify", { code: codes.code(0) });
        await page.reload();
        await page.getByRole("button", { name: "Create new codes…" }).click();
        await dialog(page, "Create new backup codes?")
          .getByRole("button", { name: "Create new codes" })
          .click();
        return page;
      },
    },
    {
      name: "the secret of a new webhook",
      title: "Signing secret",
      saved: "I have stored it",
      async show() {
        const page = await openConfirmed("owner@demo.test", "/webhooks");
        await page.getByRole("button", { name: "New webhook" }).click();
        await dialog(page, "New webhook").getByLabel("URL").fill(`${target.url}/hooks`);
        await page.keyboard.press("Enter");
        return page;
      },
    },
    {
      name: "the new secret of a webhook",
      title: "Signing secret",
      saved: "I have stored it",
      async show() {
        const page = await openConfirmed("owner@demo.test", "/webhooks");
        await page.getByRole("table", { name: "Webhooks" }).getByRole("link").first().click();
        await page.getByRole("button", { name: "Rotate secret" }).click();
        await page.getByRole("button", { name: "Rotate secret" }).last().click();
        return page;
      },
    },
  ];

  test.each(secrets)("stays until the user has saved it: $name", async ({ title, saved, show }) => {
    const page = await show();
    const secret = dialog(page, title);
    const shown = () => secret.locator("code, .codes").allTextContents();
    await secret.waitFor();
    const text = await shown();
    const { pathname } = new URL(page.url());
    const expectShown = async () => {
      expect(await shown()).toEqual(text);
      expect(new URL(page.url()).pathname).toBe(pathname);
    };

    await page.keyboard.press("Escape");
    await secret.getByText("This will not be shown again.").waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(saved);
    await expectShown();
    await clickBeside(page);
    await expectShown();
    // Shortcuts of the page behind do nothing, wherever the focus is.
    const keys = async () => {
      for (const key of ["g", "h"]) await page.keyboard.press(key);
      await expectShown();
    };
    await keys();
    await secret.getByRole("heading").click();
    await keys();
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await keys();
    for (let press = 0; press < 4; press++) await page.keyboard.press("Tab");
    expect(await secret.evaluate((one) => one.contains(document.activeElement))).toBe(true);
    // A window that loses and gets the focus loads its data again.
    await page.evaluate(() => {
      for (const [target, event] of [
        [window, "blur"],
        [window, "focus"],
        [document, "visibilitychange"],
      ] as const)
        target.dispatchEvent(new Event(event, { bubbles: true }));
    });
    await page.waitForLoadState("networkidle");
    await expectShown();
    // The Back button stays on the page, again and again.
    for (let press = 0; press < 2; press++) {
      await page.goBack();
      await expectShown();
    }
    await page.goForward();
    await expectShown();
    expect(await reloadAsks(page)).toBe(true);
    await expectShown();

    await secret.getByRole("button", { name: saved }).click();
    await secret.waitFor({ state: "detached" });
    expect(await reloadAsks(page)).toBe(false);
  });
});
