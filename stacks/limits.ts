import { type RouteGroup, routeGroups } from "../functions/routes.ts";
import type { Env } from "../packages/core/platform/config/config.ts";

/** The limits of a stage, and what watches it beside the alarms. docs/deploy.md explains each setting. */
export type Limits = {
  /** Requests per second to each route of a group. Above them, the gateway answers 429. */
  throttles: Record<RouteGroup, number>;
  /** Concurrent executions that each function of a group has to itself and cannot exceed. */
  reservedConcurrency: Partial<Record<RouteGroup, number>>;
  /** Requests from one IP address in five minutes, to all paths and to the routes of sign-in. Undefined without AWS WAF. */
  firewall: Record<"all" | "sign-in", number> | undefined;
  /** Whether X-Ray traces the functions. */
  tracing: boolean;
};

/** The default limits of the gateway. */
export const throttles: Limits["throttles"] = {
  read: 200,
  write: 100,
  "sign-in": 20,
  upload: 10,
  report: 10,
};

/**
 * The default limits of AWS WAF. An office with hundreds of people may have one address. Sign-in is above the limit of the
 * API itself, so that it only stops those who ignore 429.
 */
const addressRates = { all: 10_000, "sign-in": 300 };

/** The smallest rate that AWS WAF accepts. */
const minAddressRate = 10;

/** Reads the limits of a stage from its settings. Throws an Error that names the setting and says what it must be. */
export function limitsOf(production: boolean, env: Env): Limits {
  const { SVC_THROTTLES, SVC_RESERVED_CONCURRENCY, SVC_WAF, SVC_WAF_RATES } = env;
  const rates = numbers("SVC_WAF_RATES", SVC_WAF_RATES, ["all", "sign-in"], minAddressRate);
  return {
    throttles: { ...throttles, ...numbers("SVC_THROTTLES", SVC_THROTTLES, routeGroups) },
    reservedConcurrency: numbers("SVC_RESERVED_CONCURRENCY", SVC_RESERVED_CONCURRENCY, routeGroups),
    firewall: flag("SVC_WAF", SVC_WAF, production) ? { ...addressRates, ...rates } : undefined,
    tracing: flag("SVC_TRACING", env.SVC_TRACING, false),
  };
}

function flag(variable: string, value: string | undefined, fallback: boolean): boolean {
  if (!value) return fallback;
  if (value !== "true" && value !== "false")
    throw new Error(`Configuration: ${variable} must be true or false.`);
  return value === "true";
}

/** Reads a list such as `read=200,upload=10`. */
function numbers<Name extends string>(
  variable: string,
  value: string | undefined,
  names: readonly Name[],
  min = 1,
): Partial<Record<Name, number>> {
  const entries = (value ? value.split(",") : []).map((entry) => {
    const [, name, number] = /^([a-z-]+)=(\d{1,7})$/.exec(entry.trim()) ?? [];
    if (!names.includes(name as Name) || Number(number) < min)
      throw new Error(
        `Configuration: ${variable} must be a list such as ${names[0]}=${min}, with the names ${names.join(", ")} and numbers from ${min}.`,
      );
    return [name, Number(number)];
  });
  return Object.fromEntries(entries);
}
