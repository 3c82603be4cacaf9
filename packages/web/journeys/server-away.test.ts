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

describe("a server that is killed and restarted", () => {
  test("while a new entry is typed and sent leaves the text, and the entry is added once", async () => {
    const page = await site.openAs("member@demo.test", "/time-entries");
    await page.getByRole("button", { name: "Add entry" }).click();
    const adding = page.getByRole("dialog", { name: "Add entry" });
    const description = `Typed while the server was away ${Date.now()}`;
    await fillDate(adding, "Start", "2026-11-20T08:00");
    await fillDate(adding, "End", "2026-11-20T09:00");
    await stop();
    await adding.getByLabel("Description").fill(description);
    await adding.getByRole("button", { name: "Add entry" }).click();
    await noAnswer(page).waitFor();
    expect(await adding.getByLabel("Description").inputValue()).toBe(description);
    await comeBack(page);

    await killDuring(page, "POST", "/api/v1/time-entries");
    await adding.getByRole("button", { name: "Add entry" }).click();
    await noAnswer(page).waitFor();
    expect(await adding.getByLabel("Description").inputValue()).toBe(description);
    await comeBack(page);
    await adding.getByRole("button", { name: "Add entry" }).click();
    await page.getByText("Entry added.").waitFor();
    const found = await page.request.get(
      site.url(`/api/v1/time-entries?q=${encodeURIComponent(description)}`),
    );
    expect((await found.json()).data).toHaveLength(1);
    forgetNoAnswers(page);
  });

  test("while a timer is stopped leaves the button, and the timer stops once", async () => {
    const page = await site.openAs("admin@demo.test", "/projects");
    const origin = new URL(site.url()).origin;
    const description = `Running ${Date.now()}`;
    await page.request.post(site.url("/api/v1/time-entries/start"), {
      data: { description },
      headers: { origin },
    });
    await page.reload();
    const stopButton = page.getByRole("button", { name: /^Stop( timer)?$/ }).first();
    await stopButton.waitFor();
    await killDuring(page, "POST", "/api/v1/time-entries/stop");
    await stopButton.click();
    await noAnswer(page).waitFor();
    await comeBack(page);
    // The page loads the timer again, which has stopped.
    await expect.poll(() => stopButton.count()).toBe(0);
    const found = await page.request.get(
      site.url(`/api/v1/time-entries?q=${encodeURIComponent(description)}`),
    );
    const { data } = await found.json();
    expect(data).toEqual([expect.objectContaining({ description, endedAt: expect.any(String) })]);
    forgetNoAnswers(page);
  });

  test("while settings are saved leaves the text, and saving again keeps it", async () => {
    const page = await site.openAs("member@demo.test", "/settings/profile");
    const title = page.getByLabel("Title", { exact: true });
    const value = `Surveyor ${Date.now()}`;
    await title.fill(value);
    await killDuring(page, "PATCH", "/user/profile");
    await page.getByRole("button", { name: "Save changes" }).click();
    await noAnswer(page).waitFor();
    expect(await title.inputValue()).toBe(value);
    await comeBack(page);
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("Profile saved.").waitFor();
    const profile = await page.request.get(site.url("/user/profile"));
    expect((await profile.json()).title).toBe(value);
    forgetNoAnswers(page);
    page.errors.splice(0, page.errors.length, ...page.errors.filter((error) => !/412/.test(error)));
  });

  test("while a picture is uploaded leaves the crop, and the picture is stored", async () => {
    const page = await site.openAs("member@demo.test", "/settings/profile");
    const file = {
      name: "photo.jpg",
      mimeType: "image/jpeg",
      buffer: await Pictures.jpeg({ width: 480, height: 440 }),
    };
    await page.getByLabel("Picture", { exact: true }).locator("visible=false").setInputFiles(file);
    await page.getByRole("application", { name: /^Photo/ }).waitFor();
    await killDuring(page, "POST", "/api/upload/avatar");
    await page.getByRole("button", { name: "Use this picture" }).click();
    await noAnswer(page).waitFor();
    await comeBack(page);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("Picture updated.").waitFor();
    forgetNoAnswers(page);
  });
});
