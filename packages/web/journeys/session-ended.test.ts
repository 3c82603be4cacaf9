import { type Receiver, receiver } from "@svc/core/testing/receiver";
import { password } from "@svc/local/demo";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { expectAccessible, expectErrors, fillDate, startSite, test } from "../testing/browser.ts";

const site = startSite();

const asking = (page: Page) => page.getByRole("dialog", { name: "Your session has ended" });

/** Ends the session of the page on the server, as an administrator or an idle limit does. */
async function endSession(page: Page): Promise<void> {
  expect(await page.evaluate(async () => (await fetch("/auth/logout", { method: "POST" })).status)).toBe(204);
}

let target: Receiver;
beforeAll(async () => {
  target = await receiver();
});
afterAll(() => target.close());

type Case = {
  name: string;
  email: string;
  route: string;
  button: string;
  title: string;
  /** The path of the request and of the list that has the result. */
  path: string;
  fill: (dialog: Locator, text: string) => Promise<void>;
};

const cases: Case[] = [
  {
    name: "an entry",
    email: "member@demo.test",
    route: "/time-entries",
    button: "Add entry",
    title: "Add entry",
    path: "/api/v1/time-entries",
    async fill(adding, text) {
      await adding.getByLabel("Description").fill(text);
      await fillDate(adding, "Start", "2026-11-20T08:00");
      await fillDate(adding, "End", "2026-11-20T09:00");
    },
  },
  {
    name: "a project",
    email: "admin@demo.test",
    route: "/projects",
    button: "Create project",
    title: "New project",
    path: "/api/v1/projects",
    async fill(project, text) {
      await project.getByLabel("Name").fill(text);
      await project.getByLabel("Hourly rate").fill("120.50");
    },
  },
  {
    name: "a webhook",
    email: "owner@demo.test",
    route: "/webhooks",
    button: "Create webhook",
    title: "New webhook",
    path: "/api/v1/webhooks",
    async fill(webhook, text) {
      await webhook.getByLabel("URL").fill(`${target.url}/hooks`);
      await webhook.getByLabel("Description").fill(text);
      await webhook.getByLabel("Custom headers").fill("X-Source: svc");
    },
  },
];

test.each(cases)(
  "a session that ended while the dialog for $name was filled continues in place, and the request is done once",
  async ({ email, route, button, title, path, fill }) => {
    const page = await site.openAs(email, route);
    await page.getByRole("button", { name: title }).first().click();
    const dialog = page.getByRole("dialog", { name: title });
    const text = `Written before the session ended ${crypto.randomUUID()}`;
    await fill(dialog, text);
    const sent: { body: string | null; key: string | undefined }[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith(path))
        sent.push({ body: request.postData(), key: request.headers()["idempotency-key"] });
    });

    await endSession(page);
    await dialog.getByRole("button", { name: button }).click();
    await asking(page).getByText(`Sign in again as ${email}`).waitFor();
    await expectAccessible(page);
    await asking(page).getByLabel("Password").fill("not this one");
    await page.keyboard.press("Enter");
    await asking(page).getByText("Incorrect email or password.").waitFor();
    // The filled dialog is behind the question, as it was.
    expect(await page.getByRole("dialog", { name: title, includeHidden: true }).count()).toBe(1);
    await asking(page).getByLabel("Password").fill(password);
    await page.keyboard.press("Enter");

    await asking(page).waitFor({ state: "detached" });
    await dialog.waitFor({ state: "detached" });
    expect(new URL(page.url()).pathname).toBe(route);
    expect(sent).toEqual([sent[0], sent[0]]);
    const list = await page.request.get(site.url(path));
    const { data } = await list.json();
    expect(data.filter((one: object) => JSON.stringify(one).includes(text))).toHaveLength(1);
    expectErrors(page, ...page.errors.map(() => /401/));
  },
);

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
