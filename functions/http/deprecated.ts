import * as Config from "@svc/core/platform/config/config";
import type { Call, Step } from "./api.ts";

/** The release that deprecated these paths: 1.4.0, of 2026-01-31. */
export const deprecatedAt = new Date("2026-01-31T00:00:00Z");

/**
 * A path that has a successor: every answer says since when (RFC 9745), what comes instead (RFC 8288), and when it will
 * be gone, if that is known (RFC 8594).
 */
export function deprecated(successor: string): Step<Call, object> {
  return {
    contract: { deprecated: true },
    before({ headers }) {
      headers.deprecation = `@${deprecatedAt.getTime() / 1000}`;
      headers.link = `<${successor}>; rel="successor-version"`;
      const sunset = Config.deprecatedSunset();
      if (sunset) headers.sunset = sunset.toUTCString();
      return {};
    },
  };
}
