import { Fault } from "@svc/core/base/fault";
import type { APIGatewayProxyEventV2 as Event } from "aws-lambda";
import type { StepContract } from "./contract.ts";

/** The largest number of unknown parameters that a problem lists, so that it is not much larger than the request. */
const maxListed = 100;

/** Returns whether a route rejects query parameters that it does not have: those below /api/v1 do, except deprecated ones. */
export function rejectsUnknownParameters(routeKey: string, steps: readonly StepContract[]): boolean {
  return routeKey.includes(" /api/v1/") && !steps.some(({ deprecated }) => deprecated);
}

/**
 * Throws `invalid` `unknown_parameter` for query parameters that no step of a route reads. To ignore a misspelt filter would be to
 * return, or add up, more than the caller asked for.
 */
export function requireKnownParameters(
  { queryStringParameters = {} }: Event,
  steps: readonly StepContract[],
): void {
  const known = new Set(steps.flatMap(({ query }) => Object.keys(query?._zod.def.shape ?? {})));
  const unknown = Object.keys(queryStringParameters).filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  const names = known.size > 0 ? `Its parameters are ${[...known].join(", ")}.` : "It has none.";
  throw new Fault(
    "invalid",
    "unknown_parameter",
    `The query has parameters that this operation does not have. ${names}`,
    {
      errors: unknown.slice(0, maxListed).map((name) => ({
        parameter: name,
        code: "unknown_parameter",
        detail: `Unknown query parameter \`${name}\`.`,
      })),
    },
  );
}
