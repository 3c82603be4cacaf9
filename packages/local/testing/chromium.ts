import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright } from "playwright-core";

/** Path of an installed browser. Without it, the tests use a bundled one that runs only on Linux x64. */
const installed = process.env.CHROME_PATH;

/** Whether Chromium is available for tests. On systems other than Linux x64, this requires CHROME_PATH. */
export const hasBrowser = installed !== undefined || (process.platform === "linux" && process.arch === "x64");

/** Returns the path of Chromium, and unpacks it on the first call. */
export async function executable(): Promise<string> {
  return installed ?? (await chromium.executablePath());
}

/** Launches a headless Chromium. Close it when done. */
export async function launch(): Promise<Browser> {
  return playwright.launch({
    executablePath: await executable(),
    // The arguments that the package recommends are for Lambda and disable site isolation, so they are not used.
    args: ["--no-sandbox", "--disable-background-networking", "--disable-gpu"],
  });
}
