import { build, site } from "@svc/web/build";
import { type Listener, openSite } from "./site.ts";

/**
 * The web client: built first if its sources are not those of the last build, or, for its developers, straight from the
 * sources.
 */
export async function client(dev: boolean): Promise<Listener> {
  if (dev) return (await import("@svc/web/dev")).developmentSite();
  await build();
  return openSite(site);
}
