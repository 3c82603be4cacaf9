import type { Kind } from "@svc/core/base/fault";
import type { Codes } from "../http/contract.ts";
import { internalError, statuses } from "../http/faults.ts";
import type { Components } from "./components.ts";
import { errorHeaders, headersMember } from "./headers.ts";

const titles = new Map<number, string>([[500, "Internal Server Error"], ...Object.values(statuses)]);

/** The error responses of all operations, and the components that they refer to. */
export type Problems = {
  /** Returns the error responses of an operation that gives these codes, by status. */
  responses: (codes: readonly Codes[]) => [status: string, response: object][];
  shared: Record<string, object>;
  schemas: Record<string, object>;
};

/**
 * Describes problem documents (RFC 9457). For each status, the set of codes that most operations give becomes a shared response;
 * any other set is stated where it is given.
 */
export function problems(operations: readonly (readonly Codes[])[], named: Components): Problems {
  const sets = operations.flatMap((codes) => [...byStatus(codes)]);
  const mostCommon = new Map<number, string>();
  for (const [status] of sets) {
    const counts = new Map<string, number>();
    for (const [other, codes] of sets)
      if (other === status) counts.set(codes.join(), (counts.get(codes.join()) ?? 0) + 1);
    const [[codes = ""] = []] = [...counts].sort(([, a], [, b]) => b - a);
    mostCommon.set(status, codes);
  }
  return {
    responses: (codes) =>
      [...byStatus(codes)].map(([status, list]) => [
        String(status),
        list.join() === mostCommon.get(status)
          ? { $ref: `#/components/responses/${nameOf(status)}` }
          : response(status, list, named),
      ]),
    shared: Object.fromEntries(
      [...mostCommon]
        .sort(([a], [b]) => a - b)
        .map(([status, codes]) => [nameOf(status), response(status, codes.split(","), named)]),
    ),
    schemas: { Problem: problem, Violation: violation },
  };
}

/** Returns the codes by status, in ascending order. A 500 is always possible. */
function byStatus(all: readonly Codes[]): [number, string[]][] {
  const found = new Map<number, Set<string>>([[500, new Set([internalError])]]);
  for (const codes of all)
    for (const [kind, list] of Object.entries(codes)) {
      const [status] = statuses[kind as Kind];
      found.set(status, new Set([...(found.get(status) ?? []), ...list]));
    }
  return [...found]
    .map(([status, codes]): [number, string[]] => [status, [...codes].sort()])
    .sort(([a], [b]) => a - b);
}

function nameOf(status: number): string {
  return (titles.get(status) ?? "").replaceAll(" ", "");
}

function response(status: number, codes: readonly string[], named: Components): object {
  return {
    description: `${titles.get(status)}: ${codes.map((code) => `\`${code}\``).join(", ")}.`,
    ...headersMember(errorHeaders(status), named),
    content: {
      "application/problem+json": {
        schema: {
          allOf: [{ $ref: "#/components/schemas/Problem" }],
          properties: { code: { type: "string", enum: codes } },
        },
      },
    },
  };
}

const problem = {
  type: "object",
  description: "A problem document (RFC 9457). Switch on `code`, which is stable; show `detail` to people.",
  required: ["type", "title", "status", "detail", "instance", "code", "requestId"],
  properties: {
    type: { type: "string" },
    title: { type: "string" },
    status: { type: "integer", format: "int32", minimum: 400, maximum: 599 },
    detail: { type: "string" },
    instance: { type: "string" },
    code: { type: "string" },
    requestId: { type: "string" },
    requiredPlan: { type: "string" },
    current: {
      description: "After `changed_meanwhile`: the current resource, or null if it does not exist.",
    },
    errors: { type: "array", items: { $ref: "#/components/schemas/Violation" } },
  },
};

const violation = {
  type: "object",
  description: "One reason why a request was rejected, and the part of it that is wrong.",
  required: ["code", "detail"],
  properties: {
    pointer: { type: "string", description: "A JSON pointer into the body (RFC 6901)." },
    parameter: { type: "string", description: "The name of the parameter." },
    code: { type: "string" },
    detail: { type: "string" },
  },
};
