/** The external sources that the client's pages may load from. */
export type Sources = {
  /** Origins of the buckets that serve pictures and report files. */
  buckets: readonly string[];
  /** True when Google Analytics is configured. Otherwise no third-party origin is allowed. */
  analytics: boolean;
};

/**
 * The two style elements that React Aria adds to pages, by their SHA-256: `touch-action` of buttons, and `overscroll-behavior`
 * while a dialog is open on iOS. content-policy.test.ts compares them with the installed version.
 */
export const libraryStyles = [
  "'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='",
  "'sha256-gYiS/BvZvRcK27JIXTuwhZ3hs2+VJ1X+2gUlE+farlg='",
];

/**
 * Returns the security headers of every page. They forbid inline scripts, framing, and forms and connections to other origins.
 */
export function pageHeaders({ buckets, analytics }: Sources): Record<string, string> {
  const tags = analytics ? ["https://www.googletagmanager.com"] : [];
  const reports = analytics
    ? [...tags, "https://*.google-analytics.com", "https://*.analytics.google.com"]
    : [];
  const directives = {
    "default-src": ["'none'"],
    "script-src": ["'self'", ...tags],
    "style-src": ["'self'", ...libraryStyles],
    "img-src": ["'self'", "data:", "blob:", ...buckets, ...reports],
    "connect-src": ["'self'", ...buckets, ...reports],
    "font-src": ["'self'"],
    "worker-src": ["'self'"],
    "form-action": ["'self'"],
    "base-uri": ["'none'"],
    "frame-ancestors": ["'none'"],
  };
  return {
    "content-security-policy": Object.entries(directives)
      .map(([name, sources]) => `${name} ${sources.join(" ")}`)
      .join("; "),
    "strict-transport-security": "max-age=63072000; includeSubDomains",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), browsing-topics=()",
  };
}
