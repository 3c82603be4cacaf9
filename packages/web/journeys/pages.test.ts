import { apiPrefixes } from "@svc/functions/prefixes";
import { hasBrowser } from "@svc/local/testing/chromium";
import { beforeAll, expect, test as plainTest } from "vitest";
import { pages } from "../src/shell/pages.ts";
import { addresses } from "../testing/addresses.ts";
import { expectAccessible, expectFits, startSite, test } from "../testing/browser.ts";

const site = startSite();

let addressOf: (path: string) => string;
beforeAll(async () => {
  if (hasBrowser) addressOf = await addresses();
});

plainTest("no page begins as the API does", () => {
  const firsts = pages.map(({ path }) => path.split("/")[1] ?? "");
  expect(firsts.filter((first) => apiPrefixes.includes(first))).toEqual([]);
});

test.each(pages.filter(({ open }) => open).map(({ path }) => path))(
  "%s: no trouble, accessible, fits every screen, also while cookies are asked for",
  async (path) => {
    const page = await site.open();
    await page.goto(site.url(addressOf(path)), { waitUntil: "networkidle" });
    await page.getByRole("heading", { level: 1 }).waitFor();
    await expectFits(page);
    await expectAccessible(page);
  },
);

test.each(pages.filter(({ open }) => !open).map(({ path }) => path))(
  "%s: no trouble, accessible, fits every screen",
  async (path) => {
    const page = await site.openAs("owner@demo.test", addressOf(path));
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.waitForLoadState("networkidle");
    await expectFits(page);
    await expectAccessible(page);
  },
);

test("the frame works by keyboard: skip link, menu, account, and the side menu stays folded", async () => {
  const page = await site.openAs("owner@demo.test", "/members");
  await page.getByText("25 people").waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("main");

  await page.getByRole("button", { name: "Account of Olivia Owner" }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("End");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Sign out");
  await page.keyboard.press("Escape");
  expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe(
    "Account of Olivia Owner",
  );

  await page.getByRole("button", { name: "Menu", exact: true }).click();
  await page.reload();
  await page.getByText("25 people").waitFor();
  expect(await page.getByRole("navigation", { name: "Main" }).isVisible()).toBe(false);
});

test("a page that arrives takes the focus, but not out of a menu that was opened meanwhile", async () => {
  const page = await site.openAs("member@demo.test", "/");
  await page.getByRole("heading", { level: 1 }).waitFor();
  const arrives = Promise.withResolvers<void>();
  await page.route("**/assets/members-*.js", async (route) => {
    await arrives.promise;
    await route.continue();
  });
  await page.getByRole("link", { name: "Team members" }).click();
  await page.getByRole("button", { name: /^Account of/ }).click();
  arrives.resolve();
  await page.getByRole("heading", { name: "Team members" }).waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  expect(await focused()).toBe("Workspace");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Workspace", level: 1 }).waitFor();
  await expect.poll(focused).toBe("Workspace");
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
});

test("preferences are saved, and remembered in their cookies", async () => {
  const page = await site.openAs("greta.lindqvist@demo.test", "/settings/preferences");
  await page.getByLabel("Time zone").selectOption("Asia/Tokyo");
  await page.getByLabel("Dates", { exact: true }).selectOption("DD.MM.YYYY");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Your preferences are saved.").waitFor();
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
