import { execFileSync } from "node:child_process";
import { bundleName } from "../packages/bundle/units.ts";

/** Builds the functions and the web client, so that every deploy uses the current sources. */
export function build(): void {
  execFileSync("npm", ["run", "build"], {
    cwd: $cli.paths.root,
    stdio: ["ignore", "inherit", "inherit"],
  });
}

/** Returns the folder of a handler's bundle. */
export function folder(handler: string): string {
  return `dist/${bundleName(handler)}`;
}
