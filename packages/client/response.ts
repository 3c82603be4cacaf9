import { Problem, type ProblemBody } from "./problem.ts";
import { parseRetryAfter } from "./retry.ts";

/** A successful response. `data` is undefined for responses without a body. */
export type Answer<T> = { data: T; status: number; headers: Headers };

/** Reads a response: JSON, or text if `accept` is another media type. Returns a problem if it is not a success. */
export async function readResponse(
  response: Response,
  accept: string,
  idempotencyKey: string | undefined,
): Promise<Answer<unknown> | Problem> {
  const { status, headers } = response;
  const text = await response.text();
  const context = {
    idempotencyKey,
    retryAfterSeconds: parseRetryAfter(headers.get("retry-after"), Date.now()),
  };
  if (!response.ok && status !== 304) return new Problem(status, parseObject(text), context);
  if (text === "") return { data: undefined, status, headers };
  if (accept !== "application/json") return { data: text, status, headers };
  try {
    return { data: JSON.parse(text), status, headers };
  } catch (cause) {
    // For example the sign-in page of a network.
    return new Problem(status, unexpected, { ...context, cause });
  }
}

const unexpected = {
  code: "unexpected_response",
  detail: "The response is not one of this API. Check your connection and try again.",
};

function parseObject(text: string): ProblemBody {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as ProblemBody) : {};
  } catch {
    return {};
  }
}

/** Returns the query parameters that lead from a page of a list to the next one, or undefined on the last page. */
export function nextPage({ data, headers }: Answer<unknown>): Record<string, string | number> | undefined {
  const { nextCursor, page, perPage, totalPages } = (data as { meta?: Meta } | undefined)?.meta ?? {};
  if (nextCursor) return { cursor: nextCursor };
  if (page !== undefined && totalPages !== undefined && page < totalPages)
    return { page: page + 1, ...(perPage !== undefined && { per_page: perPage }) };
  // The parts of a file are linked (RFC 8288). Only the query is taken from the URL, so that no other path or host is called.
  const [, query] = /<[^>?]*\?([^>]*)>; rel="next"/.exec(headers.get("link") ?? "") ?? [];
  return query === undefined ? undefined : Object.fromEntries(new URLSearchParams(query));
}

type Meta = { nextCursor?: string | null; page?: number; perPage?: number; totalPages?: number };
