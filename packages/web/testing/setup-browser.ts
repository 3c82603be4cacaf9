import { executable, hasBrowser } from "@svc/local/testing/chromium";
import { build } from "../build.ts";

/** Build the client and unpack the Chromium before any file needs them: two workers must not do it at once. */
export default async function setup(): Promise<void> {
  if (!hasBrowser) return;
  await build();
  await executable();
}
