import type { Page } from "playwright-core";
import { expect } from "vitest";
import { chooseOption, startSite, test } from "../testing/browser.ts";

const site = startSite();

const zone = (page: Page) => page.getByRole("combobox", { name: "Time zone", exact: true });
const options = (page: Page) => page.getByRole("listbox").getByRole("option");

/** Taps the only option, once a finger would hit it. */
async function tapOption(page: Page): Promise<void> {
  await expect.poll(() => options(page).count()).toBe(1);
  const middle = () =>
    options(page).evaluate((one) => {
      const { left, top, width, height } = one.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      return { x, y, hit: one.contains(document.elementFromPoint(x, y)) };
    });
  await expect.poll(async () => (await middle()).hit).toBe(true);
  const { x, y } = await middle();
  await page.touchscreen.tap(x, y);
}

test("a combo box is used by keyboard alone", async () => {
  const page = await site.openAs("member@demo.test", "/settings/preferences");
  const before = await zone(page).inputValue();
  await zone(page).focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("tokyo");
  await page.getByRole("option", { name: "Asia/Tokyo" }).waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => options(page).count()).toBe(0);
  expect(await zone(page).inputValue()).toBe(before);
  await page.keyboard.press("Control+a");
  await page.keyboard.type("tokyo");
  await page.getByRole("option", { name: "Asia/Tokyo" }).waitFor();
  await page.keyboard.press("Enter");
  await expect.poll(() => options(page).count()).toBe(0);
  expect(await zone(page).inputValue()).toBe("Asia/Tokyo");
  await page.keyboard.press("ArrowDown");
  await page.getByRole("option", { name: "Asia/Tokyo", selected: true }).waitFor();
  expect(await options(page).count()).toBeGreaterThan(300);
  await page.keyboard.press("Escape");
});

test("a combo box without a matching text keeps its value", async () => {
  const page = await site.openAs("member@demo.test", "/settings/preferences");
  const before = await zone(page).inputValue();
  await zone(page).fill("nowhere");
  await page.getByText("Nothing matches.").waitFor();
  await page.keyboard.press("Tab");
  await expect.poll(() => zone(page).inputValue()).toBe(before);
  await zone(page).fill("");
  await page.keyboard.press("Tab");
  await expect.poll(() => zone(page).inputValue()).toBe(before);
});

test("Escape closes the list of a combo box before its dialog", async () => {
  const page = await site.openAs("owner@demo.test", "/projects");
  await page.getByRole("button", { name: "New project" }).click();
  const dialog = page.getByRole("dialog", { name: "New project" });
  await dialog.getByRole("combobox", { name: "Currency", exact: true }).click();
  await options(page).first().waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => options(page).count()).toBe(0);
  expect(await dialog.isVisible()).toBe(true);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
});

test("a combo box is used by touch", async () => {
  const viewport = { width: 390, height: 844 };
  const page = await site.openAs("member@demo.test", "/settings/preferences", {
    hasTouch: true,
    isMobile: true,
    viewport,
  });
  // The library takes a tap at the very center for a screen reader's.
  await zone(page).tap({ position: { x: 20, y: 20 } });
  await options(page).first().waitFor();
  await page.keyboard.type("auckland");
  await tapOption(page);
  await expect.poll(() => zone(page).inputValue()).toBe("Pacific/Auckland");
  await expect.poll(() => options(page).count()).toBe(0);
  await zone(page).tap({ position: { x: 20, y: 20 } });
  await page.keyboard.type("zurich");
  await tapOption(page);
  await expect.poll(() => zone(page).inputValue()).toBe("Europe/Zurich");
  await page.getByRole("button", { name: "Save changes" }).tap();
  await page.getByText("Preferences saved.").waitFor();
});

test("a busy button keeps its width and ignores clicks", async () => {
  const page = await site.openAs("member@demo.test", "/settings/preferences");
  let requests = 0;
  let answer = () => {};
  await page.route("**/user/profile", async (route) => {
    if (route.request().method() !== "PATCH") return route.fallback();
    requests++;
    await new Promise<void>((done) => {
      answer = done;
    });
    await route.fallback();
  });
  await chooseOption(page, "Time zone", "Asia/Tokyo");
  const save = page.getByRole("button", { name: "Save changes" });
  const before = await save.boundingBox();
  await save.click();
  await expect.poll(() => save.getAttribute("aria-busy")).toBe("true");
  expect(await save.boundingBox()).toEqual(before);
  await save.click({ force: true });
  await page.keyboard.press("Enter");
  expect(await save.evaluate((button) => button === document.activeElement)).toBe(true);
  answer();
  await page.getByText("Preferences saved.").waitFor();
  expect(requests).toBe(1);
});
