/** The price in US dollars up to the monthly quantity `upTo`, which is infinite for the last tier. */
export type Tier = { upTo: number; usd: number };

export type Price = {
  name: string;
  /** The quantity that a tier's price is for. */
  per: number;
  unit: string;
  tiers: readonly Tier[];
  source: string;
  /** Date of the source. */
  asOf: string;
  /** The origin of the figure if the region's price list could not be read. Check the figure before you rely on it. */
  unconfirmed?: string;
};

const flat = (usd: number): Tier[] => [{ upTo: Number.POSITIVE_INFINITY, usd }];
const million = 1e6;
const listUnread = "commonly quoted; the region's price list could not be read";

/** List prices in US dollars for Frankfurt (eu-central-1), and Zurich (eu-central-2) for buckets. Without tax, free tier or discounts. */
export const prices = {
  lambdaRequests: {
    name: "Lambda requests",
    per: million,
    unit: "million",
    tiers: flat(0.2),
    source: "https://aws.amazon.com/lambda/pricing/",
    asOf: "2025-10-28",
  },
  lambdaCompute: {
    name: "Lambda on Graviton",
    per: 1,
    unit: "GB-second",
    tiers: [
      { upTo: 7.5e9, usd: 0.0000133334 },
      { upTo: 18.75e9, usd: 0.0000120001 },
      { upTo: Number.POSITIVE_INFINITY, usd: 0.0000106667 },
    ],
    source: "https://aws.amazon.com/lambda/pricing/",
    asOf: "2025-10-28",
  },
  gateway: {
    name: "HTTP API",
    per: million,
    unit: "million requests of up to 512 kB",
    tiers: [
      { upTo: 300e6, usd: 1.2 },
      { upTo: Number.POSITIVE_INFINITY, usd: 1.08 },
    ],
    source: "https://aws.amazon.com/api-gateway/pricing/",
    asOf: "2026-11-21",
    unconfirmed: `${listUnread}; N. Virginia: 1.00 and 0.90`,
  },
  dsqlUnits: {
    name: "Aurora DSQL, processing",
    per: million,
    unit: "million DPU",
    tiers: flat(10),
    source: "https://aws.amazon.com/rds/aurora/dsql/pricing/",
    asOf: "2026-06-01",
    unconfirmed: "Tokyo's price, as an upper bound; N. Virginia: 8.00",
  },
  dsqlStorage: {
    name: "Aurora DSQL, storage",
    per: 1,
    unit: "GB-month",
    tiers: flat(0.4),
    source: "https://aws.amazon.com/rds/aurora/dsql/pricing/",
    asOf: "2026-06-01",
    unconfirmed: "Tokyo's price, as an upper bound; N. Virginia: 0.33",
  },
  dsqlBackups: {
    name: "AWS Backup, a complete copy of Aurora DSQL each day",
    per: 1,
    unit: "GB-month",
    tiers: flat(0.12),
    source: "https://aws.amazon.com/backup/pricing/",
    asOf: "2026-11-22",
    unconfirmed:
      "a price for Aurora DSQL could not be read; this is DynamoDB's as commonly quoted for Frankfurt",
  },
  s3Storage: {
    name: "S3, storage",
    per: 1,
    unit: "GB-month",
    tiers: flat(0.027),
    source: "https://aws.amazon.com/s3/pricing/",
    asOf: "2026-11-21",
    unconfirmed: listUnread,
  },
  s3Writes: {
    name: "S3, PUT and LIST",
    per: 1000,
    unit: "thousand",
    tiers: flat(0.006),
    source: "https://aws.amazon.com/s3/pricing/",
    asOf: "2026-11-21",
    unconfirmed: listUnread,
  },
  s3Reads: {
    name: "S3, GET",
    per: 1000,
    unit: "thousand",
    tiers: flat(0.00047),
    source: "https://aws.amazon.com/s3/pricing/",
    asOf: "2026-11-21",
    unconfirmed: listUnread,
  },
  s3Out: {
    name: "S3, data transfer out",
    per: 1,
    unit: "GB",
    tiers: [
      { upTo: 10e3, usd: 0.09 },
      { upTo: 50e3, usd: 0.085 },
      { upTo: 150e3, usd: 0.07 },
      { upTo: Number.POSITIVE_INFINITY, usd: 0.05 },
    ],
    source: "https://aws.amazon.com/ec2/pricing/on-demand/",
    asOf: "2026-11-21",
    unconfirmed: listUnread,
  },
  firewall: {
    name: "AWS WAF, web ACL",
    per: 1,
    unit: "web ACL",
    tiers: flat(5),
    source: "https://aws.amazon.com/waf/pricing/",
    asOf: "2026-11-22",
    unconfirmed: listUnread,
  },
  firewallRules: {
    name: "AWS WAF, rules",
    per: 1,
    unit: "rule or managed rule group",
    tiers: flat(1),
    source: "https://aws.amazon.com/waf/pricing/",
    asOf: "2026-11-22",
    unconfirmed: listUnread,
  },
  firewallRequests: {
    name: "AWS WAF, requests",
    per: million,
    unit: "million",
    tiers: flat(0.6),
    source: "https://aws.amazon.com/waf/pricing/",
    asOf: "2026-11-22",
    unconfirmed: listUnread,
  },
  cloudFrontRequests: {
    name: "CloudFront, HTTPS requests in Europe",
    per: million,
    unit: "million",
    tiers: flat(1.2),
    source: "https://aws.amazon.com/cloudfront/pricing/",
    asOf: "2026-03-26",
  },
  cloudFrontFunctions: {
    name: "CloudFront functions",
    per: million,
    unit: "million invocations",
    tiers: flat(0.1),
    source: "https://aws.amazon.com/cloudfront/pricing/",
    asOf: "2026-03-26",
  },
  cloudFrontOut: {
    name: "CloudFront, data transfer out in Europe",
    per: 1,
    unit: "GB",
    tiers: [
      { upTo: 10e3, usd: 0.085 },
      { upTo: 50e3, usd: 0.08 },
      { upTo: 150e3, usd: 0.06 },
      { upTo: 500e3, usd: 0.04 },
      { upTo: 1024e3, usd: 0.03 },
      { upTo: 5e6, usd: 0.025 },
      { upTo: Number.POSITIVE_INFINITY, usd: 0.02 },
    ],
    source: "https://aws.amazon.com/cloudfront/pricing/",
    asOf: "2026-03-26",
  },
  mails: {
    name: "SES",
    per: 1000,
    unit: "thousand emails",
    tiers: flat(0.1),
    source: "https://aws.amazon.com/ses/pricing/",
    asOf: "2026-11-21",
    unconfirmed: listUnread,
  },
  logs: {
    name: "CloudWatch Logs, ingestion",
    per: 1,
    unit: "GB",
    tiers: flat(0.63),
    source: "https://aws.amazon.com/cloudwatch/pricing/",
    asOf: "2026-03-26",
  },
} as const satisfies Record<string, Price>;

export type Item = keyof typeof prices;

/** A limit at which a service rejects or delays requests. */
export type Quota = { value: number; source: string; asOf: string; raisable: boolean };

export const quotas = {
  gatewayPerSecond: {
    value: 10_000,
    source: "https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html",
    asOf: "2026-11-21",
    raisable: true,
  },
  routesPerApi: {
    value: 300,
    source: "https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html",
    asOf: "2026-11-21",
    raisable: true,
  },
  integrationsPerApi: {
    value: 300,
    source: "https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html",
    asOf: "2026-11-21",
    raisable: false,
  },
  lambdaConcurrency: {
    value: 1000,
    source: "https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html",
    asOf: "2026-11-21",
    raisable: true,
  },
  dsqlConnections: {
    value: 10_000,
    source: "https://docs.aws.amazon.com/aurora-dsql/latest/userguide/CHAP_quotas.html",
    asOf: "2026-11-21",
    raisable: true,
  },
  dsqlConnectsPerSecond: {
    value: 100,
    source: "https://docs.aws.amazon.com/aurora-dsql/latest/userguide/CHAP_quotas.html",
    asOf: "2026-11-21",
    raisable: false,
  },
  rolesPerAccount: {
    value: 1000,
    source: "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html",
    asOf: "2026-11-22",
    raisable: true,
  },
  dsqlStorageGB: {
    value: 10_995,
    source: "https://docs.aws.amazon.com/aurora-dsql/latest/userguide/CHAP_quotas.html",
    asOf: "2026-11-21",
    raisable: true,
  },
  /** The most that AWS grants to one cluster. */
  dsqlMaxStorageGB: {
    value: 140_737,
    source: "https://docs.aws.amazon.com/aurora-dsql/latest/userguide/CHAP_quotas.html",
    asOf: "2026-11-21",
    raisable: false,
  },
  mailsPerDay: {
    value: 50_000,
    // AWS no longer publishes a default for production accounts. It used to grant this quota on the first request.
    source: "https://docs.aws.amazon.com/ses/latest/dg/quotas.html",
    asOf: "2026-08-13",
    raisable: true,
  },
  s3ReadsPerSecond: {
    value: 5500,
    source: "https://docs.aws.amazon.com/AmazonS3/latest/userguide/optimizing-performance.html",
    asOf: "2026-11-21",
    raisable: false,
  },
  cloudFrontPerSecond: {
    value: 250_000,
    source: "https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html",
    asOf: "2026-11-21",
    raisable: true,
  },
} as const satisfies Record<string, Quota>;
