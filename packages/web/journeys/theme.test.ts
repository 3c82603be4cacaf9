import type { Page } from "playwright-core";
import { expect } from "vitest";
import { cookieNames, startSite, test } from "../testing/browser.ts";

const site = startSite();

const background = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
const light = "rgb(246, 246, 248)";
const dark = "rgb(14, 14, 18)";

async function choose(page: Page, theme: string): Promise<void> {
  await page.getByRole("button", { name: /^Theme/ }).click();
  await page.getByRole("menu").getByText(theme, { exact: true }).click();
}

test("the theme follows the system until another one is chosen, which stays after a reload", async () => {
  const page = await site.openAs("member@demo.test", "/members", { colorScheme: "dark" });
  await page.getByText("25 members").waitFor();
  expect(await background(page)).toBe(dark);
  await choose(page, "Light");
  expect(await background(page)).toBe(light);
  await page.reload();
  await page.getByText("25 members").waitFor();
  expect(await background(page)).toBe(light);
  expect(await page.locator('meta[name="theme-color"][media="all"]').getAttribute("data-scheme")).toBe(
    "light",
  );
  await choose(page, "System");
  expect(await background(page)).toBe(dark);
  expect(await cookieNames(page)).not.toContain("svc_theme");
});

test("the theme lasts until the page is closed without consent for functional cookies", async () => {
  const page = await site.openAs("member@demo.test", "/members", {
    colorScheme: "light",
    consent: ["essential"],
  });
  await page.getByText("25 members").waitFor();
  await choose(page, "Dark");
  expect(await background(page)).toBe(dark);
  expect(await cookieNames(page)).not.toContain("svc_theme");
  await page.reload();
  await page.getByText("25 members").waitFor();
  expect(await background(page)).toBe(light);
});

test("the text is set in the font of the design, from the same origin", async () => {
  const page = await site.open({ consent: ["essential"] });
  await page.goto(site.url("/login"));
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await page.evaluate(() => document.fonts.ready);
  const loaded = await page.evaluate(() =>
    [...document.fonts].filter(({ status }) => status === "loaded").map(({ family }) => family),
  );
  // Only the Latin subset, because the page has no other text.
  expect(loaded).toEqual(["Inter Variable"]);
});
