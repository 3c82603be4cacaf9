import { db } from "@svc/core/platform/db/engine";
import * as Pictures from "@svc/core/testing/pictures";
import type { Page } from "playwright-core";
import { afterEach, describe, expect } from "vitest";
import { expectErrors, fillDate, forgetNoAnswers, startSite, test } from "../testing/browser.ts";

const site = startSite();

let stopped = false;

async function stop(): Promise<void> {
  await site.stop();
  stopped = true;
}

async function restart(): Promise<void> {
  await site.restart();
  stopped = false;
}

// The next test needs the server, also after a failure.
afterEach(async () => {
  if (stopped) await restart();
});

/** Kills the server after it has done the work of the next such request and before its response arrives. */
async function killDuring(page: Page, method: string, path: string): Promise<void> {
  await page.route(`**${path}`, async (route) => {
    if (route.request().method() !== method || stopped) return route.fallback();
    expect((await route.fetch()).ok()).toBe(true);
    await stop();
    await route.abort("connectionreset");
  });
}

const noAnswer = (page: Page) => page.getByText("The server did not respond.").first();

/** Starts the server again, and waits until the page knows. */
async function comeBack(page: Page): Promise<void> {
  await page.getByText(banner).waitFor();
  await page.unrouteAll();
  await restart();
  await expect.poll(() => page.getByText(banner).count()).toBe(0);
}

const banner = "The server does not respond.";

test("a page opened while the server is away leaves the frame, and loads when the server is back", async () => {
  const page = await site.openAs("member@demo.test", "/");
  await page.getByRole("heading", { name: "Home" }).waitFor();
  await stop();
  await page.getByRole("link", { name: "Team members" }).click();
  await page.getByText("This page could not be loaded.").waitFor();
  await page.getByText(banner).waitFor();
  expect(await page.getByRole("navigation", { name: "Main" }).isVisible()).toBe(true);
  await page.getByRole("main").getByRole("button", { name: "Try again" }).click();
  await page.getByText("This page could not be loaded.").waitFor();

  await restart();
  await page.getByRole("heading", { name: "Team members" }).waitFor();
  await page.getByText("Mia Member").first().waitFor();
  await expect.poll(() => page.getByText(banner).count()).toBe(0);
  forgetNoAnswers(page);
  expectErrors(page, ...page.errors.map(() => /could not be loaded/));
});

test("the user is told to reload when the server has another release", async () => {
  const page = await site.openAs("member@demo.test", "/");
  await page.getByRole("heading", { name: "Home" }).waitFor();
  // The answer of a server with another release: another entry script, and none of the parts of this one.
  await page.route("**/assets/members-page*", (route) => route.fulfill({ status: 404, body: "Not found" }));
  await page.route(site.url("/"), async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/assets\/index-[\w-]+\.js/, "assets/index-next.js");
    await route.fulfill({ response, body });
  });
  await page.getByRole("link", { name: "Team members" }).click();
  await page.getByText("This page could not be loaded.").waitFor();
  await page.getByText("A new version is available.").waitFor();
  await page.unrouteAll();
  await page.getByRole("button", { name: "Reload" }).click();
  await page.getByRole("heading", { name: "Team members" }).waitFor();
  page.errors.splice(0);
});

type Moment = { name: string; kill: typeof killDuring; awayMs?: number };

const moments: Moment[] = [
  { name: "before the request arrives", kill: stop },
  { name: "after the work and before its response", kill: killDuring },
  { name: "after the work, and is away for ten minutes", kill: killDuring, awayMs: 600_000 },
];

/** Opens a page whose clock can be moved. */
async function openLater(email: string, path: string) {
  const page = await site.openAs(email, path);
  await page.clock.install();
  await page.reload();
  return page;
}

/** Waits until the page has noticed that the server is away, and starts the server again after that time. */
async function comeBackAfter(page: Page, { awayMs = 0 }: Moment): Promise<void> {
  await noAnswer(page).waitFor();
  if (awayMs > 0) await page.clock.fastForward(awayMs);
  await comeBack(page);
}

/** Returns the time entries with this description. */
async function entriesOf(page: Page, description: string) {
  const found = await page.request.get(site.url(`/api/v1/time-entries?q=${encodeURIComponent(description)}`));
  return (await found.json()).data as { description: string; endedAt: string | null }[];
}

/** Counts the recorded changes of a kind that mention a text. */
async function changesTo(action: string, text: string): Promise<number> {
  const events = await db().selectFrom("events").select("changes").where("action", "=", action).execute();
  return events.filter(({ changes }) => JSON.stringify(changes).includes(text)).length;
}

/** Adds an entry whose request is interrupted, with the dialog still open and filled. */
async function addInterrupted(page: Page, moment: Moment) {
  await page.getByRole("button", { name: "Add entry" }).click();
  const adding = page.getByRole("dialog", { name: "Add entry" });
  const description = `${moment.name} ${crypto.randomUUID()}`;
  await fillDate(adding, "Start", "2026-11-20T08:00");
  await fillDate(adding, "End", "2026-11-20T09:00");
  await adding.getByLabel("Description").fill(description);
  await moment.kill(page, "POST", "/api/v1/time-entries");
  await adding.getByRole("button", { name: "Add entry" }).click();
  await comeBackAfter(page, moment);
  expect(await adding.getByLabel("Description").inputValue()).toBe(description);
  return { adding, description };
}

describe.each(moments)("a server that is killed $name", (moment) => {
  test("leaves a new entry in its dialog, and the entry is added once", async () => {
    const page = await openLater("member@demo.test", "/time-entries");
    const { adding, description } = await addInterrupted(page, moment);
    await adding.getByRole("button", { name: "Add entry" }).click();
    await page.getByText("Entry added.").waitFor();
    expect(await entriesOf(page, description)).toHaveLength(1);
    forgetNoAnswers(page);
  });

  test("leaves a new entry for after a reload, and the entry is added once", async () => {
    const page = await openLater("member@demo.test", "/time-entries");
    const { adding, description } = await addInterrupted(page, moment);
    page.once("dialog", (question) => void question.accept());
    await page.reload();
    // The suggested times are others than before the reload.
    await page.clock.fastForward(120_000);
    await page.getByRole("button", { name: "Add entry" }).click();
    await adding.getByText("Your unsaved changes were restored.").waitFor();
    expect(await adding.getByLabel("Description").inputValue()).toBe(description);
    await adding.getByRole("button", { name: "Add entry" }).click();
    await page.getByText("Entry added.").waitFor();
    expect(await entriesOf(page, description)).toHaveLength(1);
    forgetNoAnswers(page);
  });

  test("leaves the timer, which stops once", async () => {
    const page = await openLater("admin@demo.test", "/projects");
    const description = `${moment.name} ${crypto.randomUUID()}`;
    await page.request.post(site.url("/api/v1/time-entries/start"), {
      data: { description },
      headers: { origin: new URL(site.url()).origin },
    });
    await page.reload();
    const stopButton = page.getByRole("button", { name: /^Stop( timer)?$/ }).first();
    await stopButton.waitFor();
    await moment.kill(page, "POST", "/api/v1/time-entries/stop");
    await stopButton.click();
    await comeBackAfter(page, moment);
    // The page loads the timer again, which has stopped if its request had arrived.
    if (moment.kill === stop) await stopButton.click();
    await expect.poll(() => stopButton.count()).toBe(0);
    expect(await entriesOf(page, description)).toEqual([
      expect.objectContaining({ description, endedAt: expect.any(String) }),
    ]);
    forgetNoAnswers(page);
  });

  test("leaves the settings, and saving them again changes them once", async () => {
    const page = await openLater("member@demo.test", "/settings/profile");
    const title = page.getByLabel("Title", { exact: true });
    const value = `Surveyor ${crypto.randomUUID()}`;
    await title.fill(value);
    await moment.kill(page, "PATCH", "/user/profile");
    await page.getByRole("button", { name: "Save changes" }).click();
    await comeBackAfter(page, moment);
    expect(await title.inputValue()).toBe(value);
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("Profile saved.").waitFor();
    const profile = await page.request.get(site.url("/user/profile"));
    expect((await profile.json()).title).toBe(value);
    expect(await changesTo("user.updated", value)).toBe(1);
    forgetNoAnswers(page);
    page.errors.splice(0, page.errors.length, ...page.errors.filter((error) => !/412/.test(error)));
  });

  test("leaves the crop of a picture, and the picture is stored once", async () => {
    const page = await openLater("member@demo.test", "/settings/profile");
    const profile = await page.request.get(site.url("/user/profile"));
    const folder = `avatars/${(await profile.json()).id}/`;
    const before = await changesTo("user.avatar_changed", folder);
    const file = {
      name: "photo.jpg",
      mimeType: "image/jpeg",
      buffer: await Pictures.jpeg({ width: 480, height: 440 }),
    };
    await page.getByLabel("Picture", { exact: true }).locator("visible=false").setInputFiles(file);
    await page.getByRole("application", { name: /^Photo/ }).waitFor();
    await page.getByRole("button", { name: "Rotate" }).first().click();
    await moment.kill(page, "POST", "/api/upload/avatar");
    await page.getByRole("button", { name: "Use this picture" }).click();
    await comeBackAfter(page, moment);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("Picture updated.").waitFor();
    expect(await changesTo("user.avatar_changed", folder)).toBe(before + 1);
    const keys = site.server().bucket?.keys("svc-avatars") ?? [];
    expect(keys.filter((key) => key.startsWith(folder))).toHaveLength(1);
    forgetNoAnswers(page);
  });
});
