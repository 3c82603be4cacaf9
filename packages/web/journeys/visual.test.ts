import * as Clock from "@svc/core/base/clock";
import { choiceCookie, policyVersion } from "@svc/core/consent/policy";
import { long } from "@svc/core/testing/sample";
import { password } from "@svc/local/demo";
import { hasBrowser } from "@svc/local/testing/chromium";
import type { Page } from "playwright-core";
import { afterAll, test as anyTest, beforeAll, describe, expect } from "vitest";
import { type OpenOptions, startSite } from "../testing/browser.ts";
import { buildDesign, designUrl } from "../testing/design-site.ts";
import { difference, differenceOrAccepted, shareTolerance } from "../testing/visual.ts";

/**
 * Compares screenshots with the pictures in journeys/pictures. `npm run visual:accept` replaces them. Only with the bundled
 * Chromium, because others draw text differently.
 */
const runs = long && hasBrowser && process.env.CHROME_PATH === undefined;

/** The time of the browser and the demo data, a Thursday. */
const frozen = new Date("2026-11-19T13:00:00Z");

const pages = {
  "sign-in": "/login",
  home: "/",
  "time-entries": "/time-entries",
  projects: "/projects",
  reports: "/reports",
  "custom-reports": "/custom-reports",
  members: "/members",
  teams: "/teams",
  currencies: "/currencies",
  preferences: "/settings/preferences",
};

const looks: Record<string, OpenOptions> = {
  light: { colorScheme: "light", viewport: { width: 1280, height: 800 } },
  dark: { colorScheme: "dark", viewport: { width: 1280, height: 800 } },
  phone: { colorScheme: "light", viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};

/** Runs in the page: loads the frames of the design page, which otherwise wait until they are seen, and counts the pending ones. */
function pendingFrames(): number {
  const frames = [...document.querySelectorAll("iframe")];
  for (const frame of frames) frame.loading = "eager";
  const overlays = '[role="dialog"], [role="listbox"], [role="menu"], [role="tooltip"], [role="alertdialog"]';
  return frames.filter((frame) => !frame.contentDocument?.querySelector(overlays)).length;
}

/** Runs in the page: counts the pictures on the screen that have not loaded. Those below it load lazily. */
function pendingImages(): number {
  return [...document.images].filter((image) => {
    const { top, bottom } = image.getBoundingClientRect();
    return !image.complete && top < innerHeight && bottom > 0;
  }).length;
}

describe.skipIf(!runs)("the pictures of", () => {
  let design: Awaited<ReturnType<typeof buildDesign>>;
  const tokens = new Map<string, string>();
  if (runs) {
    // Before the server of startSite, whose demo data depends on the time.
    beforeAll(async () => {
      Clock.advance((frozen.getTime() - Date.now()) / 1000);
      design = await buildDesign();
    });
    afterAll(async () => {
      Clock.reset();
      await design.remove();
    });
  }
  const site = startSite();

  async function open(options: OpenOptions): Promise<Page> {
    const page = await site.open({ ...options, reducedMotion: "reduce" });
    page.setDefaultTimeout(20_000);
    await page.clock.setFixedTime(frozen);
    return page;
  }

  async function signIn(page: Page, email: string): Promise<void> {
    // Without the expiry of the session, which may be in the past on this machine.
    if (!tokens.has(email)) {
      const answer = await page.request.post(site.url("/auth/login"), { data: { email, password } });
      tokens.set(email, /svc_token=([^;]+)/.exec(answer.headers()["set-cookie"] ?? "")?.[1] ?? "");
    }
    const value = tokens.get(email) ?? "";
    await page.context().addCookies([{ name: "svc_token", value, url: site.url(), httpOnly: true }]);
  }

  async function allowCookies(page: Page): Promise<void> {
    const categories = ["essential", "functional"];
    const choice = {
      policyVersion,
      at: frozen.getTime() - 1000,
      categories,
      action: "custom",
      proof: "con_test",
    };
    const value = encodeURIComponent(JSON.stringify(choice));
    await page.context().addCookies([{ name: choiceCookie, value, url: site.url() }]);
  }

  /** Opens the design page, with the errors of its form and with its overlays. */
  async function openDesign(page: Page): Promise<void> {
    await design.serve(page);
    await page.goto(designUrl);
    await page.getByRole("button", { name: "Show errors" }).click();
    await page.getByText("Choose a currency.", { exact: true }).waitFor();
    await expect.poll(() => page.evaluate(pendingFrames)).toBe(0);
  }

  /** Takes a screenshot when nothing loads any more. */
  async function screenshot(page: Page, options: { fullPage?: boolean } = {}): Promise<Buffer> {
    await page.waitForLoadState("networkidle");
    await page.evaluate(async () => {
      await document.fonts.ready;
    });
    await expect.poll(() => page.evaluate(pendingImages)).toBe(0);
    return page.screenshot({
      animations: "disabled",
      caret: "hide",
      // The color of initials depends on the id, which is random.
      mask: [page.locator(".avatar:not(:has(img))")],
      ...options,
    });
  }

  for (const [look, options] of Object.entries(looks)) {
    anyTest.each(Object.entries(pages))(
      `the page %s match the stored ones in the look ${look}`,
      async (name, path) => {
        const page = await open(options);
        await allowCookies(page);
        // The order of entries of several people at the same time depends on their random ids.
        if (path !== "/login")
          await signIn(page, name === "time-entries" ? "member@demo.test" : "owner@demo.test");
        await page.goto(site.url(path));
        await page.getByRole("heading", { level: 1 }).waitFor();
        expect(await differenceOrAccepted(`${name}-${look}`, await screenshot(page))).toBeLessThanOrEqual(
          shareTolerance,
        );
      },
    );

    anyTest(`the design system match the stored ones in the look ${look}`, async () => {
      const page = await open(options);
      await openDesign(page);
      const picture = await screenshot(page, { fullPage: true });
      expect(await differenceOrAccepted(`design-${look}`, picture)).toBeLessThanOrEqual(shareTolerance);
      (page as Page & { errors: string[] }).errors.length = 0;
    });

    // Only a click opens a select.
    anyTest(`the open select match the stored one in the look ${look}`, async () => {
      const page = await open(options);
      await openDesign(page);
      await page.getByRole("combobox", { name: "Currency" }).first().click();
      expect(await differenceOrAccepted(`select-${look}`, await screenshot(page))).toBeLessThanOrEqual(
        shareTolerance,
      );
      (page as Page & { errors: string[] }).errors.length = 0;
    });
  }

  anyTest.each(["--space-4", "--control-md", "--radius-md"])(
    "the design system differ from the stored ones after a change of %s by 2 px",
    async (token) => {
      const page = await open(looks.light as OpenOptions);
      await openDesign(page);
      await page.evaluate((name) => {
        const { style } = document.documentElement;
        const before = getComputedStyle(document.documentElement).getPropertyValue(name);
        style.setProperty(name, `calc(${before} + 2px)`);
      }, token);
      const picture = await screenshot(page, { fullPage: true });
      expect(await difference("design-light", picture)).toBeGreaterThan(shareTolerance);
      (page as Page & { errors: string[] }).errors.length = 0;
    },
  );
});
