import type { Need } from "@svc/core/platform/config/config";
import { type Job, jobs } from "@svc/functions/jobs";
import { needsOf, type Route, routes } from "@svc/functions/routes";

/** A bundle to build: a handler file with the settings of its lines in routes.ts and jobs.ts. */
export type Unit = {
  /** Folder under dist/: the path of the handler with dashes instead of slashes. */
  name: string;
  /** Path under functions/ without extension. */
  handler: string;
  needs: readonly Need[];
  sharp: boolean;
};

type Line = { handler: string; needs: readonly Need[]; sharp?: true };

/** Returns all bundles in the order of the tables. Lines with the same handler share a bundle, so their needs must be equal. */
export function units(lines: readonly Line[] = allLines()): Unit[] {
  const byHandler = new Map<string, Unit>();
  for (const { handler, needs, sharp = false } of lines) {
    const unit = { name: bundleName(handler), handler, needs, sharp };
    const known = byHandler.get(handler);
    if (known && JSON.stringify(known) !== JSON.stringify(unit))
      throw new Error(
        `${handler} is listed twice with different needs. Both lines share one bundle, so they must be equal.`,
      );
    byHandler.set(handler, unit);
  }
  return [...byHandler.values()];
}

/** Returns the folder name of a handler: `upload-avatar` for `upload/avatar`. */
export function bundleName(handler: string): string {
  return handler.replaceAll("/", "-");
}

function allLines(): Line[] {
  const lines = [...Object.values<Route>(routes), ...Object.values<Job>(jobs)];
  return lines.map((line) => ({ ...line, needs: needsOf(line) }));
}
