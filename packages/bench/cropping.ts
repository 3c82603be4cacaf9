import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import sharp from "sharp";
import { choiceCookie, policyVersion } from "../core/consent/policy.ts";
import { password } from "../local/demo.ts";
import { startLocal } from "../local/server.ts";
import { openSite } from "../local/site.ts";
import { launch } from "../local/testing/chromium.ts";
import { build, site } from "../web/build.ts";
import { photo } from "./images.ts";
import { median } from "./interleaved.ts";

const rounds = 3;

/** Milliseconds from the choice of a file until it can be cropped, and of the longest task of the page until it is stored. */
type Round = { openedMs: number; longestTaskMs: number };

/**
 * Measures how long the page is unresponsive while a user chooses, crops and uploads a JPEG of 48 megapixels and a PNG of 12 MB,
 * in Chromium with the local server and the demo data.
 */
export async function cropping(): Promise<string> {
  const data = await mkdtemp(join(tmpdir(), "svc-bench-"));
  const files = { "JPEG of 48 megapixels": "48mp.jpg", "PNG of 12 MB": "noise.png" };
  await writeFile(join(data, "48mp.jpg"), await photo(8000, 6000));
  await writeFile(join(data, "noise.png"), await noise({ width: 2100, height: 2000 }));
  await build();
  const server = await startLocal({
    port: 0,
    data,
    seed: "demo",
    env: { RATE_LIMITS: "off" },
    site: await openSite(site),
  });
  const browser = await launch();
  try {
    const rows: string[] = [];
    for (const [name, file] of Object.entries(files)) {
      const path = join(data, file);
      const results: Round[] = [];
      // The first round is a warm-up and is not counted.
      for (let round = 0; round <= rounds; round++) results.push(await crop(browser, server.url, path));
      const of = (figure: keyof Round) => median(results.slice(1).map((one) => one[figure])).toFixed(0);
      rows.push(`| ${name} | ${of("openedMs")} | ${of("longestTaskMs")} |`);
    }
    return [
      "### Cropping a photo in the web client (tasks below 50 ms count as 0)",
      "",
      "| file | ms until the photo is shown | ms of the longest task |",
      "|---|---|---|",
      ...rows,
      "",
    ].join("\n");
  } finally {
    await browser.close();
    await server.close();
    await rm(data, { recursive: true, force: true });
  }
}

/** Returns a PNG of noise, which does not compress: 12 MB for 2100 x 2000 pixels. */
function noise(size: { width: number; height: number }): Promise<Buffer> {
  const gaussian = { type: "gaussian", mean: 128, sigma: 60 } as const;
  return sharp({ create: { ...size, channels: 3, background: "#888", noise: gaussian } })
    .png()
    .toBuffer();
}

async function crop(browser: Browser, url: string, path: string): Promise<Round> {
  const context = await browser.newContext();
  try {
    const choice = { policyVersion, at: Date.now() - 1000, categories: ["essential"], action: "custom" };
    const value = encodeURIComponent(JSON.stringify({ ...choice, proof: "con_bench" }));
    await context.addCookies([{ name: choiceCookie, value, url }]);
    const page = await context.newPage();
    await page.request.post(`${url}/auth/login`, { data: { email: "member@demo.test", password } });
    await page.goto(`${url}/settings/profile`, { waitUntil: "networkidle" });
    await page.evaluate(`window.tasks = [];
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) tasks.push(duration);
      }).observe({ type: "longtask" });`);
    const started = performance.now();
    await page.locator("input[type=file]").setInputFiles(path);
    await page.getByRole("application").waitFor();
    const openedMs = performance.now() - started;
    for (const key of ["+", "+", "ArrowLeft", "ArrowUp", "r"]) await page.keyboard.press(key);
    await page.getByRole("button", { name: "Use this picture" }).click();
    await page.getByText("Picture updated.").waitFor();
    return { openedMs, longestTaskMs: await page.evaluate("Math.max(0, ...tasks)") };
  } finally {
    await context.close();
  }
}
