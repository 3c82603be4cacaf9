import type { Need } from "@svc/core/platform/config/config";
import { type Job, jobs } from "@svc/functions/jobs";
import { needsOf, type Route, routes } from "@svc/functions/routes";

/** One bundle: a handler file, and what the lines of routes.ts and jobs.ts that name it say about it. */
export type Unit = {
  /** Its folder under dist/: the handler's path with dashes for slashes. */
  name: string;
  /** Path under functions/ without the extension. */
  handler: string;
  needs: readonly Need[];
  sharp: boolean;
};

type Line = { handler: string; needs: readonly Need[]; sharp?: true };

/** Every bundle there is, in the order of the tables. Two routes of one handler share a bundle, so they must need the same. */
export function units(lines: readonly Line[] = allLines()): Unit[] {
  const byHandler = new Map<string, Unit>();
  for (const { handler, needs, sharp = false } of lines) {
    const unit = { name: bundleName(handler), handler, needs, sharp };
    const known = byHandler.get(handler);
    if (known && JSON.stringify(known) !== JSON.stringify(unit))
      throw new Error(
        `${handler} is named twice with different needs: it is one bundle, so they must agree.`,
      );
    byHandler.set(handler, unit);
  }
  return [...byHandler.values()];
}

/** `upload/avatar` is built into `upload-avatar`. */
export function bundleName(handler: string): string {
  return handler.replaceAll("/", "-");
}

function allLines(): Line[] {
  const lines = [...Object.values<Route>(routes), ...Object.values<Job>(jobs)];
  return lines.map((line) => ({ ...line, needs: needsOf(line) }));
}
