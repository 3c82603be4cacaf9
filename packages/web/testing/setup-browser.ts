import { executable, hasBrowser } from "@svc/local/testing/chromium";
import { build } from "../build.ts";

/** Builds the client and unpacks Chromium before the first test file, so that two workers do not do it at once. */
export default async function setup(): Promise<void> {
  if (!hasBrowser) return;
  await build();
  await executable();
}
