import { sample } from "@svc/core/testing/sample";
import { apiPrefixes } from "@svc/functions/prefixes";
import { hasBrowser } from "@svc/local/testing/chromium";
import { beforeAll, expect, test as plainTest } from "vitest";
import { pageIcons } from "../src/shell/page-icons.ts";
import { pages } from "../src/shell/pages.ts";
import { chooseOption, expectAccessible, expectFits, startSite, test } from "../testing/browser.ts";
import { examplePaths } from "../testing/example-paths.ts";

const site = startSite();

let pathOf: (path: string) => string;
beforeAll(async () => {
  if (hasBrowser) pathOf = await examplePaths();
});

plainTest("no page path begins with a prefix of the API", () => {
  const segments = pages.map(({ path }) => path.split("/")[1] ?? "");
  expect(segments.filter((segment) => apiPrefixes.includes(segment))).toEqual([]);
});

plainTest("every page of the menu has an icon", () => {
  expect(pages.filter(({ path, group }) => group && !pageIcons[path])).toEqual([]);
});

/** A desktop, a phone and the smallest phone, which is also a desktop at 400 percent. */
const widths = [1440, 390, 320];

const publicPaths = pages.filter((page) => page.public).map(({ path }) => path);
const memberPaths = pages.filter((page) => !page.public).map(({ path }) => path);

test.each(sample(publicPaths, 2))(
  "the public page %s has no errors, is accessible and fits all screens while the cookie banner is shown",
  async (path) => {
    const page = await site.open();
    await page.goto(site.url(pathOf(path)), { waitUntil: "networkidle" });
    await page.getByRole("heading", { level: 1 }).waitFor();
    await expectFits(page);
    await expectAccessible(page, widths);
  },
);

test.each(sample(memberPaths, 6))(
  "the member page %s has no errors, is accessible and fits all screens",
  async (path) => {
    const page = await site.openAs("owner@demo.test", pathOf(path));
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.waitForLoadState("networkidle");
    await expectFits(page);
    await expectAccessible(page, widths);
  },
);

test("the skip link and account menu work by keyboard, and the sidebar stays collapsed after a reload", async () => {
  const page = await site.openAs("owner@demo.test", "/members");
  await page.getByText("25 members").waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("main");

  await page.getByRole("button", { name: "Account of Olivia Owner" }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("End");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Sign out");
  await page.keyboard.press("Escape");
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
    .toBe("Account of Olivia Owner");

  await page.getByRole("button", { name: "Collapse sidebar" }).click();
  await page.reload();
  await page.getByText("25 members").waitFor();
  await page.getByRole("button", { name: "Expand sidebar" }).waitFor();
  const projects = page.getByRole("link", { name: "Projects" });
  expect((await projects.boundingBox())?.width).toBeLessThan(60);
  // A tooltip waits for a pointer that moves before it enters.
  await page.mouse.move(400, 400);
  await projects.hover();
  await page.getByRole("tooltip", { name: "Projects" }).waitFor();
});

test("a loaded page takes the focus unless a menu was opened while it was loading", async () => {
  const page = await site.openAs("member@demo.test", "/");
  await page.getByRole("heading", { level: 1 }).waitFor();
  const released = Promise.withResolvers<void>();
  await page.route("**/assets/members-*.js", async (route) => {
    await released.promise;
    await route.continue();
  });
  await page.getByRole("link", { name: "Team members" }).click();
  await page.getByRole("button", { name: /^Account of/ }).click();
  released.resolve();
  await page.getByRole("heading", { name: "Team members" }).waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  expect(await page.evaluate(() => document.activeElement?.role)).toBe("menu");
  await page.keyboard.press("ArrowDown");
  expect(await focused()).toBe("Workspace");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Workspace", level: 1 }).waitFor();
  await expect.poll(focused).toBe("Workspace");
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
});

test("a phone has a tab bar, and a sheet with all pages that closes on Escape, a tap beside it and navigation", async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const page = await site.openAs("owner@demo.test", "/members", phone);
  await page.getByText("25 members").waitFor();
  const more = page.getByRole("button", { name: "More" });
  const sheet = page.getByRole("dialog", { name: "All pages" });
  await more.tap();
  await sheet.waitFor();
  await page.keyboard.press("Escape");
  await sheet.waitFor({ state: "detached" });
  await more.tap();
  await sheet.waitFor();
  await page.touchscreen.tap(200, 10);
  await sheet.waitFor({ state: "detached" });
  await more.tap();
  await sheet.getByRole("link", { name: "Teams" }).tap();
  await page.getByRole("heading", { name: "Teams", level: 1 }).waitFor();
  await sheet.waitFor({ state: "detached" });
  await page.getByRole("navigation", { name: "Tabs" }).getByRole("link", { name: "Entries" }).tap();
  await page.getByRole("heading", { name: "Time entries", level: 1 }).waitFor();
});

test("saved preferences are stored in their cookies and applied to dates", async () => {
  const page = await site.openAs("greta.lindqvist@demo.test", "/settings/preferences");
  await chooseOption(page, "Time zone", "Asia/Tokyo");
  await page.getByLabel("Date format").selectOption("DD.MM.YYYY");
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("Preferences saved.").waitFor();
  await expect
    .poll(async () => {
      const cookies = await page.context().cookies();
      return Object.fromEntries(cookies.map(({ name, value }) => [name, decodeURIComponent(value)]));
    })
    .toMatchObject({
      svc_user_timezone: "Asia/Tokyo",
      svc_user_locale: "en",
      svc_localization_preferences: '{"dateFormat":"DD.MM.YYYY"}',
    });
  await page.goto(site.url("/members"));
  await page
    .getByText(/since \d\d\.\d\d\.\d{4}/)
    .first()
    .waitFor();
});
