/** What the pages of the client may load, beside what comes from their own origin. */
export type Sources = {
  /** Origins of the buckets: pictures are shown from there, reports downloaded. */
  buckets: readonly string[];
  /** Whether a Google Analytics property is configured; else no origin of a vendor is allowed. */
  analytics: boolean;
};

/** The headers of every page. No inline script, no frame, no form and no connection to anywhere else. */
export function pageHeaders({ buckets, analytics }: Sources): Record<string, string> {
  const tags = analytics ? ["https://www.googletagmanager.com"] : [];
  const reports = analytics
    ? [...tags, "https://*.google-analytics.com", "https://*.analytics.google.com"]
    : [];
  const directives = {
    "default-src": ["'none'"],
    "script-src": ["'self'", ...tags],
    "style-src": ["'self'"],
    "img-src": ["'self'", "data:", "blob:", ...buckets, ...reports],
    "connect-src": ["'self'", ...buckets, ...reports],
    "font-src": ["'self'"],
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
