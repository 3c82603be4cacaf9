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
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, test as anyTest, beforeAll, expect } from "vitest";
import { build, site } from "../build.ts";

/** A test in a browser; skipped where there is none: install Chrome and name it by CHROME_PATH. */
export const test = anyTest.skipIf(!hasBrowser);

export type Opened = BrowserContextOptions & {
  /** What the visitor has chosen about cookies before; without it they are asked. */
  consent?: readonly string[];
};

/** A page with a notebook of what went wrong on it. */
export type Watched = Page & {
  /** Errors of the console and of scripts, refused loads, and requests to other origins than ours and the bucket's. */
  troubles: string[];
};

export type Site = {
  server(): LocalServer;
  url(path?: string): string;
  /** A page of a visitor of their own, with English as their language. What goes wrong on it fails the test at its end. */
  open(options?: Opened): Promise<Watched>;
  /** A page of a demo person (`member@demo.test`) who is signed in, at this path. */
  openAs(email: string, path: string, options?: Opened): Promise<Watched>;
};

/**
 * The client, built, before a local server of this test file's own with the demo people, and a Chromium. Configuration given
 * here wins (`{ ANALYTICS_ID: "G-TEST123456" }` builds a client of its own for it).
 */
export function startSite(env: Record<string, string> = {}): Site {
  let server: LocalServer;
  let browser: Browser;
  const opened: Watched[] = [];
  const close: (() => Promise<unknown>)[] = [];

  if (hasBrowser) {
    beforeAll(async () => {
      const data = await mkdtemp(join(tmpdir(), "svc-web-"));
      close.push(() => rm(data, { recursive: true, force: true }));
      const outDir = env.ANALYTICS_ID ? join(data, "site") : site;
      await build({ outDir, analyticsId: env.ANALYTICS_ID ?? "" });
      server = await startLocal({
        port: 0,
        data,
        seed: "demo",
        env: { RATE_LIMITS: "off", ...env },
        site: await openSite(outDir),
        database: testPool(),
      });
      close.push(() => server.close());
      browser = await launch();
      close.push(() => browser.close());
    });
    afterEach(async () => {
      for (const page of opened.splice(0)) {
        const { troubles } = page;
        await page.context().close();
        expect(troubles).toEqual([]);
      }
    });
    afterAll(async () => {
      for (const end of close.reverse()) await end();
    });
  }

  async function open({ consent, ...options }: Opened = {}): Promise<Watched> {
    const context = await browser.newContext({ locale: "en-GB", timezoneId: "Europe/Zurich", ...options });
    if (consent) await context.addCookies([chosen(server.url, consent)]);
    const page = watched(await context.newPage(), [server.url, server.bucket?.url ?? server.url]);
    opened.push(page);
    return page;
  }

  return {
    server: () => server,
    url: (path = "/") => server.url + path,
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
  const troubles: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") troubles.push(`${message.text()} ${message.location().url}`);
  });
  page.on("pageerror", (error) => troubles.push(String(error)));
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (/^https?:$/.test(url.protocol) && !origins.includes(url.origin)) troubles.push(`asked ${url.href}`);
  });
  return Object.assign(page, { troubles });
}

/** What went wrong on this page is what the test provoked, each matched by one of these. They are crossed out. */
export function expectTroubles(page: Watched, ...provoked: RegExp[]): void {
  const left = [...page.troubles];
  for (const pattern of provoked) {
    const at = left.findIndex((trouble) => pattern.test(trouble));
    expect(at, `provoked ${pattern}, but saw only ${JSON.stringify(page.troubles)}`).not.toBe(-1);
    left.splice(at, 1);
  }
  expect(left).toEqual([]);
  page.troubles.length = 0;
}

function chosen(url: string, categories: readonly string[]) {
  const value = { policyVersion, at: Date.now() - 1000, categories, action: "custom", proof: "con_test" };
  return { name: choiceCookie, value: encodeURIComponent(JSON.stringify(value)), url };
}

/** Names of all cookies of this page's visitor, sorted, those out of reach of scripts too. */
export async function cookieNames(page: Page): Promise<string[]> {
  return (await page.context().cookies()).map(({ name }) => name).sort();
}

/** The token of the newest mailed link to this address. */
export function linkToken(server: LocalServer, to: string): string {
  const mail = server.mails().find((one) => one.to === to);
  return /#token=([\w.~-]+)/.exec(mail?.text ?? "")?.[1] ?? "";
}

const axe = readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** axe finds nothing serious or critical by WCAG 2.2 A and AA, in light and in dark. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.evaluate(`window.axe || (() => { ${await axe} })()`);
    const found = await page.evaluate(async () => {
      const { axe } = window as unknown as {
        axe: { run(context: Document, options: object): Promise<Found> };
      };
      const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
      return (await axe.run(document, { runOnly: { type: "tag", values: tags } })).violations;
    });
    const serious = found.filter(({ impact }) => impact === "serious" || impact === "critical");
    const said = serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
    expect(said, `${colorScheme}, ${page.url()}`).toEqual([]);
  }
}

type Found = { violations: { id: string; impact: string; nodes: { html: string }[] }[] };

/** From the smallest telephone to a wide screen nothing makes the page scroll sideways. */
export async function expectFits(page: Page): Promise<void> {
  const before = page.viewportSize();
  for (const width of [360, 768, 1280, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    const surplus = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(surplus, `${page.url()} at ${width} px`).toBe(0);
  }
  if (before) await page.setViewportSize(before);
}
