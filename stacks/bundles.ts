import { execFileSync } from "node:child_process";
import { bundleName } from "../packages/bundle/units.ts";

/** Build what is deployed, so that no deploy sends yesterday's functions. */
export function build(): void {
  execFileSync("npm", ["run", "build"], {
    cwd: $cli.paths.root,
    stdio: ["ignore", "inherit", "inherit"],
  });
}

/** The folder that a handler was built into. */
export function folder(handler: string): string {
  return `dist/${bundleName(handler)}`;
}
