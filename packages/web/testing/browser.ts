import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { choiceCookie, policyVersion } from "@svc/core/consent/policy";
import { testPool } from "@svc/core/testing/database";
import { password } from "@svc/local/demo";
import { type LocalServer, startLocal } from "@svc/local/server";
import { openSite } from "@svc/local/site";
import { hasBrowser, launch } from "@svc/local/testing/chromium";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, afterEach, test as anyTest, beforeAll, expect } from "vitest";
import { build, site } from "../build.ts";

/** A test in a browser. Skipped if there is none: install Chrome and set CHROME_PATH. */
export const test = anyTest.skipIf(!hasBrowser);

export type OpenOptions = BrowserContextOptions & {
  /** The cookie categories that the visitor has already allowed. Without it, the banner is shown. */
  consent?: readonly string[];
};

/** A page that records its errors. */
export type Watched = Page & {
  /** Console and script errors, blocked loads, and requests to origins other than the site and the bucket. */
  errors: string[];
};

export type Site = {
  server(): LocalServer;
  url(path?: string): string;
  /** Stops the server, with requests unanswered. Its data stays. */
  stop(): Promise<void>;
  /** Starts the server again, on the same port with the same data. */
  restart(): Promise<void>;
  /** Opens a page for a new visitor whose language is English. Errors that it records fail the test at its end. */
  open(options?: OpenOptions): Promise<Watched>;
  /** Opens a path as a signed-in demo user, such as `member@demo.test`. */
  openAs(email: string, path: string, options?: OpenOptions): Promise<Watched>;
};

/**
 * Starts Chromium and a local server with the built client and the demo data for a test file. `env` overrides the configuration:
 * `{ ANALYTICS_ID: "G-TEST123456" }` builds a separate client for that id.
 */
export function startSite(env: Record<string, string> = {}): Site {
  let server: LocalServer;
  let start: (port: number) => Promise<LocalServer>;
  let browser: Browser;
  const opened: Watched[] = [];
  const close: (() => Promise<unknown>)[] = [];

  if (hasBrowser) {
    beforeAll(async () => {
      const data = await mkdtemp(join(tmpdir(), "svc-web-"));
      close.push(() => rm(data, { recursive: true, force: true }));
      const outDir = env.ANALYTICS_ID ? join(data, "site") : site;
      await build({ outDir, analyticsId: env.ANALYTICS_ID ?? "" });
      const files = await openSite(outDir);
      start = (port) =>
        startLocal({
          port,
          data,
          seed: "demo",
          env: { RATE_LIMITS: "off", ...env },
          site: files,
          database: testPool(),
        });
      server = await start(0);
      close.push(() => server.close());
      browser = await launch();
      close.push(() => browser.close());
    });
    afterEach(async () => {
      for (const page of opened.splice(0)) {
        const { errors } = page;
        await page.context().close();
        expect(errors).toEqual([]);
      }
    });
    afterAll(async () => {
      for (const end of close.reverse()) await end();
    });
  }

  async function open({ consent, ...options }: OpenOptions = {}): Promise<Watched> {
    const context = await browser.newContext({ locale: "en-GB", timezoneId: "Europe/Zurich", ...options });
    if (consent) await context.addCookies([consentCookie(server.url, consent)]);
    const page = watched(await context.newPage(), [server.url, server.bucket?.url ?? server.url]);
    opened.push(page);
    return page;
  }

  return {
    server: () => server,
    url: (path = "/") => server.url + path,
    stop: () => server.close(),
    async restart() {
      server = await start(Number(new URL(server.url).port));
    },
    open,
    async openAs(email, path, options) {
      const page = await open({ consent: ["essential", "functional"], ...options });
      const answer = await page.request.post(`${server.url}/auth/login`, { data: { email, password } });
      expect(answer.status()).toBe(200);
      await page.goto(server.url + path);
      return page;
    },
  };
}

function watched(page: Page, origins: readonly string[]): Watched {
  const errors: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(`${message.text()} ${message.location().url}`);
  });
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (/^https?:$/.test(url.protocol) && !origins.includes(url.origin))
      errors.push(`external request ${url.href}`);
  });
  return Object.assign(page, { errors });
}

/** Expects exactly the errors that match these patterns, one each, and clears them. */
export function expectErrors(page: Watched, ...patterns: RegExp[]): void {
  const left = [...page.errors];
  for (const pattern of patterns) {
    const at = left.findIndex((error) => pattern.test(error));
    expect(at, `no error matches ${pattern}: ${JSON.stringify(page.errors)}`).not.toBe(-1);
    left.splice(at, 1);
  }
  expect(left).toEqual([]);
  page.errors.length = 0;
}

/** Clears the errors of requests that found no server. How many there are depends on how often the page tries again. */
export function forgetNoAnswers(page: Watched): void {
  const left = page.errors.filter((error) => !/net::ERR_(CONNECTION|EMPTY|FAILED)|status of 503/.test(error));
  page.errors.splice(0, page.errors.length, ...left);
}

function consentCookie(url: string, categories: readonly string[]) {
  const value = { policyVersion, at: Date.now() - 1000, categories, action: "custom", proof: "con_test" };
  return { name: choiceCookie, value: encodeURIComponent(JSON.stringify(value)), url };
}

/** Returns the sorted names of all the visitor's cookies, including HttpOnly ones. */
export async function cookieNames(page: Page): Promise<string[]> {
  return (await page.context().cookies()).map(({ name }) => name).sort();
}

/** Types a date (`YYYY-MM-DD`), or one with a time (`YYYY-MM-DDTHH:MM`), into the parts of a date field. */
export async function fillDate(scope: Page | Locator, label: string, value: string): Promise<void> {
  const field = scope.getByRole("group", { name: label, exact: true });
  const [year = "", month = "", day = "", hour, minute = ""] = value.split(/\D/);
  const type = async (part: string, text: string) => {
    await field.locator(`[data-type="${part}"]`).focus();
    await field.page().keyboard.type(text);
  };
  await type("year", year);
  await type("month", month);
  await type("day", day);
  if (hour === undefined) return;
  const halves = await field.locator('[data-type="dayPeriod"]').count();
  await type("hour", halves ? String(Number(hour) % 12 || 12) : hour);
  await type("minute", minute);
  if (halves) await type("dayPeriod", Number(hour) < 12 ? "a" : "p");
}

/** Types into a combo box and clicks the first option that matches. */
export async function chooseOption(scope: Page | Locator, label: string, option: string): Promise<void> {
  const field = scope.getByRole("combobox", { name: label, exact: true });
  await field.fill(option);
  await field.page().getByRole("listbox").getByRole("option", { name: option }).first().click();
}

/** Adds a virtual authenticator like the fingerprint reader of a laptop. `presence` sets whether it confirms requests. */
export async function addAuthenticator(
  page: Page,
  { hasResidentKey = true }: { hasResidentKey?: boolean } = {},
) {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("WebAuthn.enable");
  const { authenticatorId } = await devTools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    presence: (enabled: boolean) =>
      devTools.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled }),
  };
}

/** Returns the token of the newest link that was emailed to `to`. */
export function linkToken(server: LocalServer, to: string): string {
  const mail = server.mails().find((one) => one.to === to);
  return /#token=([\w.~-]+)/.exec(mail?.text ?? "")?.[1] ?? "";
}

const axe = readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Expects that axe finds nothing of any impact, in light and dark mode, at each of these widths or as the page is. */
export async function expectAccessible(page: Page, widths: readonly number[] = []): Promise<void> {
  await page.locator("h1").first().waitFor({ state: "attached" });
  const before = page.viewportSize();
  for (const width of widths.length > 0 ? widths : [undefined]) {
    if (width !== undefined) await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.evaluate(`window.axe || (() => { ${await axe} })()`);
      const found = await page.evaluate(async (dark) => {
        const { axe } = window as unknown as {
          axe: { run(context: Document, options: object): Promise<Found> };
        };
        // Only the rules about colours depend on the colour scheme.
        const colours = { runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } };
        return (await axe.run(document, dark ? colours : {})).violations;
      }, colorScheme === "dark");
      const violations = found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
      expect(violations, `${colorScheme}, ${width ?? before?.width} px, ${page.url()}`).toEqual([]);
    }
  }
  if (before) await page.setViewportSize(before);
}

type Found = { violations: { id: string; nodes: { html: string }[] }[] };

/** Expects that the page does not scroll horizontally, from the smallest phone to a wide screen. */
export async function expectFits(page: Page): Promise<void> {
  const before = page.viewportSize();
  for (const width of [320, 390, 768, 1280, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, `${page.url()} at ${width} px`).toBe(0);
  }
  if (before) await page.setViewportSize(before);
}
