import { afterEach, expect } from "vitest";
import { expectAccessible, expectErrors, forgetNoAnswers, startSite, test } from "../testing/browser.ts";

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

const banner = "The server does not respond.";

test("a page opened while the server is away leaves the frame, and loads when the server is back", async () => {
  const page = await site.openAs("member@demo.test", "/");
  await page.getByRole("heading", { name: "Home" }).waitFor();
  await stop();
  await page.getByRole("link", { name: "Team members" }).click();
  await page.getByText("This page could not be loaded.").waitFor();
  await page.getByText(banner).waitFor();
  expect(await page.getByRole("navigation", { name: "Main" }).isVisible()).toBe(true);
  await expectAccessible(page);
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
