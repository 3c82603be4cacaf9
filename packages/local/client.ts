import { build, site } from "@svc/web/build";
import { type Listener, openSite } from "./site.ts";

/** Returns a listener that serves the web client: built if its sources have changed, or with `dev` straight from the sources. */
export async function client(dev: boolean): Promise<Listener> {
  if (dev) return (await import("@svc/web/dev")).developmentSite();
  await build();
  return openSite(site);
}
