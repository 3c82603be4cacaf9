import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The root of the repository, with a trailing slash. */
export const root = fileURLToPath(new URL("../../", import.meta.url));

/** Files of the working tree that git tracks or would track, relative to the root, with one of these endings. */
export function listFiles(...endings: string[]): string[] {
  const output = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  const deleted = new Set(
    execFileSync("git", ["ls-files", "--deleted"], { cwd: root, encoding: "utf8" }).split("\n"),
  );
  return output.split("\n").filter((file) => endings.some((end) => file.endsWith(end)) && !deleted.has(file));
}

export function readText(file: string): string {
  return readFileSync(root + file, "utf8");
}
