import { groupOf, type Route, routes } from "../functions/routes.ts";
import type { Limits } from "./limits.ts";

type Rules = NonNullable<aws.wafv2.WebAclArgs["rules"]>;
type Rule = $util.Unwrap<Rules>[number];

/** How long AWS WAF looks back to count the requests of an IP address. */
const windowSeconds = 300;

/** The key of the body that a client over a rate receives. */
const tooManyRequests = "too-many-requests";

export const responseBodies = [
  {
    key: tooManyRequests,
    contentType: "APPLICATION_JSON",
    content: JSON.stringify({
      type: "about:blank",
      title: "Too Many Requests",
      status: 429,
      detail: "Your IP address sends too many requests. Try again in a few minutes.",
      code: "rate_limited",
    }),
  },
];

/**
 * Rules of the core rule set that count instead of block. Bodies are pictures or JSON that the API parses by a schema and never
 * interprets, so what looks like an attack there is text that people may write.
 */
const counted = [
  // Pictures have up to 4.5 MB, JSON up to 256 KiB. The rule allows 8 KiB.
  "SizeRestrictions_BODY",
  // A report's filters may name many projects and people. The rule allows 2 KiB.
  "SizeRestrictions_QUERYSTRING",
  // URLs of webhooks with an IP address. The API connects to public addresses only.
  "GenericRFI_BODY",
  "EC2MetaDataSSRF_BODY",
  // Descriptions of time entries such as "Fix ../../lib", and bytes of pictures.
  "GenericLFI_BODY",
  // Names and descriptions with HTML, which the client shows as text, and bytes of pictures.
  "CrossSiteScripting_BODY",
  // Programs with an API token may send no User-Agent.
  "NoUserAgent_HEADER",
];

/** Managed rule groups, cheapest first, each with its rules that only count. */
const managed: Record<string, readonly string[]> = {
  AWSManagedRulesAmazonIpReputationList: [],
  AWSManagedRulesKnownBadInputsRuleSet: [],
  AWSManagedRulesCommonRuleSet: counted,
};

const signInPaths = Object.entries<Route>(routes)
  .filter(([key, route]) => groupOf(key, route) === "sign-in")
  .map(([key]) => key.split(" ")[1] ?? "");

/** Returns the rules of the web ACL. Rates come first, because they cost the least and also count requests that are blocked. */
export function firewallRules({ all, "sign-in": signIn }: NonNullable<Limits["firewall"]>): Rule[] {
  const rules: Omit<Rule, "priority" | "visibilityConfig">[] = [
    rate("SignInRate", signIn, anyOf(signInPaths)),
    rate("AddressRate", all),
    ...Object.entries(managed).map(([name, overrides]) => ({
      name,
      overrideAction: { none: {} },
      statement: {
        managedRuleGroupStatement: {
          vendorName: "AWS",
          name,
          ruleActionOverrides: overrides.map((rule) => ({ name: rule, actionToUse: { count: {} } })),
        },
      },
    })),
  ];
  return rules.map((rule, priority) => ({
    ...rule,
    priority,
    visibilityConfig: {
      cloudwatchMetricsEnabled: true,
      metricName: `${rule.name}`,
      sampledRequestsEnabled: true,
    },
  }));
}

function rate(name: string, limit: number, scopeDownStatement?: object) {
  return {
    name,
    action: {
      block: {
        customResponse: {
          responseCode: 429,
          customResponseBodyKey: tooManyRequests,
          responseHeaders: [{ name: "retry-after", value: `${windowSeconds}` }],
        },
      },
    },
    statement: {
      rateBasedStatement: {
        limit,
        evaluationWindowSec: windowSeconds,
        aggregateKeyType: "IP",
        ...(scopeDownStatement && { scopeDownStatement }),
      },
    },
  };
}

/** Matches requests to these paths, however they are encoded. The gateway decodes paths before it looks for a route. */
function anyOf(paths: readonly string[]) {
  return {
    orStatement: {
      statements: paths.map((searchString) => ({
        byteMatchStatement: {
          searchString,
          positionalConstraint: "EXACTLY",
          fieldToMatch: { uriPath: {} },
          textTransformations: [
            { priority: 0, type: "URL_DECODE" },
            { priority: 1, type: "NORMALIZE_PATH" },
          ],
        },
      })),
    },
  };
}
