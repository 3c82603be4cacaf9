import * as Config from "@svc/core/platform/config/config";
import type { Call, Step } from "./api.ts";

/** The release date of version 1.4.0, which deprecated these paths. */
export const deprecatedAt = new Date("2026-01-31T00:00:00Z");

/**
 * Marks an endpoint as deprecated. Every response has the header Deprecation (RFC 9745), a Link to the successor (RFC
 * 8288) and, if a date is configured, Sunset (RFC 8594).
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
