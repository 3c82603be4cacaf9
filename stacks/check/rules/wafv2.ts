import { groupOf, type Route, routes } from "../../../functions/routes.ts";
import type { Resource } from "../recorded.ts";
import { all } from "../resources.ts";
import { routerOf } from "../router.ts";
import { difference, drop, one, type Rule } from "./rule.ts";

const distribution = "aws:cloudfront/distribution:Distribution";
const webAcl = "aws:wafv2/webAcl:WebAcl";

/** The managed rule groups of every firewall. */
const groups = [
  "AWSManagedRulesAmazonIpReputationList",
  "AWSManagedRulesKnownBadInputsRuleSet",
  "AWSManagedRulesCommonRuleSet",
];

/** The managed rules that would block legitimate requests, such as uploads and webhooks whose URL has an IP address. */
const onlyCounted = [
  "CrossSiteScripting_BODY",
  "EC2MetaDataSSRF_BODY",
  "GenericLFI_BODY",
  "GenericRFI_BODY",
  "NoUserAgent_HEADER",
  "SizeRestrictions_BODY",
  "SizeRestrictions_QUERYSTRING",
];

type FirewallRule = {
  name: string;
  priority: number;
  action?: { block?: unknown };
  overrideAction?: { none?: unknown };
  statement: {
    managedRuleGroupStatement?: { name: string; ruleActionOverrides?: { name: string }[] };
    rateBasedStatement?: {
      limit: number;
      aggregateKeyType: string;
      evaluationWindowSec: number;
      scopeDownStatement?: {
        orStatement: { statements: { byteMatchStatement: { searchString: string } }[] };
      };
    };
  };
};

/** Returns the rules of the web ACL, for a mutation to change. */
const rulesIn = (r: Resource[]) => one(r, webAcl).inputs.rules as FirewallRule[];

function rateIn(r: Resource[], name: string) {
  const found = rulesIn(r).find((rule) => rule.name === name)?.statement.rateBasedStatement;
  if (!found) throw new Error(`There is no rate ${name} to mutate.`);
  return found;
}

/** Describes the rates that block: requests in five minutes from one IP address, and the paths that count. */
function ratesOf(rules: readonly FirewallRule[]): string[] {
  return rules.flatMap(({ action, statement: { rateBasedStatement: rate } }) => {
    if (!rate || !action?.block || rate.aggregateKeyType !== "IP" || rate.evaluationWindowSec !== 300)
      return [];
    const paths = rate.scopeDownStatement?.orStatement.statements.map(
      ({ byteMatchStatement }) => byteMatchStatement.searchString,
    );
    return [`${rate.limit} on ${paths?.sort().join(" ") ?? "every path"}`];
  });
}

const signInPaths = Object.entries<Route>(routes)
  .filter(([key, route]) => groupOf(key, route) === "sign-in")
  .map(([key]) => key.replace(/^\w+ /, ""))
  .sort();

export const wafv2Rules: Rule[] = [
  {
    promise:
      "AWS WAF is in front of the router where the settings require it, limits each IP address and blocks known attacks, but no legitimate bodies",
    offences: (evaluated) => {
      const { firewall } = evaluated.settings;
      const acls = all(evaluated, webAcl);
      const [acl] = acls;
      const attached = routerOf(evaluated).resource.inputs.webAclId;
      if (!firewall || !acl)
        return [
          ...(acls.length > 0 || attached ? ["there is a firewall that the settings do not require"] : []),
          ...(firewall ? ["there is no firewall"] : []),
        ];
      const rules = acl.inputs.rules as FirewallRule[];
      const managed = rules.flatMap(({ overrideAction, statement }) =>
        statement.managedRuleGroupStatement && overrideAction?.none
          ? [statement.managedRuleGroupStatement]
          : [],
      );
      return [
        ...(attached === acl.outputs.arn ? [] : ["the router does not use the firewall"]),
        ...(acl.inputs.scope === "CLOUDFRONT" && acl.region === "us-east-1"
          ? []
          : ["CloudFront cannot use the firewall"]),
        ...(acl.inputs.defaultAction.allow ? [] : ["the firewall blocks every request"]),
        ...(new Set(rules.map(({ priority }) => priority)).size === rules.length
          ? []
          : ["two rules have the same priority"]),
        ...difference(
          managed.map(({ name }) => name),
          groups,
          "group of rules",
        ),
        ...difference(
          managed.flatMap(({ ruleActionOverrides = [] }) => ruleActionOverrides.map(({ name }) => name)),
          onlyCounted,
          "rule that only counts",
        ),
        ...difference(
          ratesOf(rules),
          [`${firewall.all} on every path`, `${firewall["sign-in"]} on ${signInPaths.join(" ")}`],
          "rate",
        ),
      ];
    },
    brokenBy: {
      "no firewall": (r) => drop(r, webAcl),
      "a router without the firewall": (r) => delete one(r, distribution).inputs.webAclId,
      "a firewall for one region": (r) => Object.assign(one(r, webAcl).inputs, { scope: "REGIONAL" }),
      "a firewall in the stage's region": (r) => delete one(r, webAcl).region,
      "a firewall that blocks every request": (r) =>
        Object.assign(one(r, webAcl).inputs, { defaultAction: { block: {} } }),
      "a missing group of rules": (r) => rulesIn(r).pop(),
      "a group of rules that only counts": (r) =>
        Object.assign(rulesIn(r).at(-1) ?? {}, { overrideAction: { count: {} } }),
      "uploads that are blocked": (r) =>
        rulesIn(r).at(-1)?.statement.managedRuleGroupStatement?.ruleActionOverrides?.shift(),
      "a rule of the core rule set that only counts": (r) =>
        rulesIn(r).at(-1)?.statement.managedRuleGroupStatement?.ruleActionOverrides?.push({
          name: "UserAgent_BadBots_HEADER",
        }),
      "no rate for sign-in": (r) => rulesIn(r).shift(),
      "a sign-in that its rate does not count": (r) =>
        rateIn(r, "SignInRate").scopeDownStatement?.orStatement.statements.pop(),
      "a rate that only counts": (r) => Object.assign(rulesIn(r)[1] ?? {}, { action: { count: {} } }),
      "a rate for all addresses together": (r) =>
        Object.assign(rateIn(r, "AddressRate"), { aggregateKeyType: "CONSTANT" }),
    },
  },
];
