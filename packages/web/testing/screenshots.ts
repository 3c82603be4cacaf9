/** `npm run screenshots` saves screenshots of the main pages with the demo data to docs/screenshots. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { choiceCookie, policyVersion } from "@svc/core/consent/policy";
import { password } from "@svc/local/demo";
import { startLocal } from "@svc/local/server";
import { openSite } from "@svc/local/site";
import { launch } from "@svc/local/testing/chromium";
import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import { build, site } from "../build.ts";
import { startTimer } from "./timer.ts";

/** The largest size of a screenshot. */
const maxBytes = 100_000;

type Shot = {
  /** The file name without its extension. */
  name: string;
  path: string;
  /** The demo user who is signed in. Without it, the page is opened as a visitor. */
  as?: string;
  colorScheme?: "light" | "dark";
  width?: number;
  height?: number;
  /** Prepares the page before the screenshot. */
  before?: (page: Page) => Promise<void>;
};

const owner = "owner@demo.test";

const shots: readonly Shot[] = [
  { name: "login", path: "/login" },
  { name: "home", path: "/", as: "member@demo.test", before: trackTime },
  { name: "projects", path: "/projects", as: owner },
  { name: "reports", path: "/reports", as: owner, height: 1150, before: waitForCharts },
  { name: "members", path: "/members", as: owner },
  { name: "members-narrow", path: "/members", as: owner, width: 390, height: 780, colorScheme: "dark" },
  { name: "currencies", path: "/currencies", as: owner },
  { name: "webhook", path: "/webhooks", as: owner, before: openWebhook },
  { name: "audit-log", path: "/audit-log", as: owner, colorScheme: "dark" },
  { name: "developers", path: "/developers", as: owner, before: openEndpoint },
];

async function trackTime(page: Page): Promise<void> {
  await startTimer(page, "Sketches for the start page", "Mobile app");
}

async function waitForCharts(page: Page): Promise<void> {
  await page.getByRole("figure", { name: "Hours per day" }).waitFor();
}

async function openWebhook(page: Page): Promise<void> {
  await page
    .getByRole("link", { name: /^https:/ })
    .first()
    .click();
  await page.getByRole("table", { name: "Deliveries" }).waitFor();
}

async function openEndpoint(page: Page): Promise<void> {
  await page.getByRole("searchbox").fill("webhooks post");
  await page.locator("summary", { hasText: "Create a webhook" }).click();
  await page.getByText("Responses", { exact: true }).waitFor();
}

/** Takes all screenshots on a separate demo server and returns the file names. Throws if one is larger than `maxBytes`. */
async function takeAll(folder: string): Promise<string[]> {
  const data = await mkdtemp(join(tmpdir(), "svc-screenshots-"));
  await using opened = new AsyncDisposableStack();
  opened.defer(() => rm(data, { recursive: true, force: true }));
  await build();
  const env = { RATE_LIMITS: "off" };
  const server = await startLocal({ port: 0, data, seed: "demo", env, site: await openSite(site) });
  opened.defer(() => server.close());
  const browser = await launch();
  opened.defer(() => browser.close());
  await mkdir(folder, { recursive: true });
  const files: string[] = [];
  for (const shot of shots) {
    const picture = await sharp(await screenshot(browser, server.url, shot))
      .webp({ quality: 80 })
      .toBuffer();
    if (picture.length > maxBytes)
      throw new Error(`The screenshot ${shot.name} has ${picture.length} bytes. The limit is ${maxBytes}.`);
    const file = join(folder, `${shot.name}.webp`);
    await writeFile(file, picture);
    files.push(file);
  }
  return files;
}

async function screenshot(browser: Browser, url: string, shot: Shot): Promise<Buffer> {
  const { path, as, colorScheme = "light", width = 1280, height = 800, before } = shot;
  const context = await browser.newContext({
    locale: "en-GB",
    timezoneId: "Europe/Zurich",
    reducedMotion: "reduce",
    colorScheme,
    viewport: { width, height },
  });
  const categories = ["essential", "functional"];
  const choice = { policyVersion, at: Date.now(), categories, action: "custom", proof: "con_screenshots" };
  await context.addCookies([{ name: choiceCookie, value: encodeURIComponent(JSON.stringify(choice)), url }]);
  const page = await context.newPage();
  if (as) {
    const answer = await page.request.post(`${url}/auth/login`, { data: { email: as, password } });
    if (!answer.ok()) throw new Error(`Cannot sign in as ${as}: status ${answer.status()}.`);
  }
  await page.goto(url + path, { waitUntil: "networkidle" });
  await before?.(page);
  await page.waitForLoadState("networkidle");
  const picture = await page.screenshot();
  await context.close();
  return picture;
}

for (const file of await takeAll(fileURLToPath(new URL("../../../docs/screenshots", import.meta.url)))) {
  const { length } = await readFile(file);
  console.log(`${file} ${length} bytes`);
}
process.exit(0);
