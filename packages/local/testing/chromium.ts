import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright } from "playwright-core";

/** CHROME_PATH names a browser of the machine; else the one that a package carries, which runs on Linux x64 alone. */
const own = process.env.CHROME_PATH;

/** Whether there is a Chromium to test with: elsewhere than on Linux x64 only when CHROME_PATH names one. */
export const hasBrowser = own !== undefined || (process.platform === "linux" && process.arch === "x64");

/** Where it lies; unpacked by the first who asks. */
export async function executable(): Promise<string> {
  return own ?? (await chromium.executablePath());
}

/** A Chromium without a window. Close it when done. */
export async function launch(): Promise<Browser> {
  return playwright.launch({
    executablePath: await executable(),
    // Not the arguments that the package suggests: they are for Lambda, and switch off what keeps origins apart.
    args: ["--no-sandbox", "--disable-background-networking", "--use-angle=swiftshader"],
  });
}
