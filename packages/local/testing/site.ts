import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Writes a small web client into a directory, as `packages/web/build.ts` does, and returns the directory. */
export async function builtSite(directory: string): Promise<string> {
  await mkdir(join(directory, "assets"), { recursive: true });
  await writeFile(join(directory, "index.html"), "<!doctype html>the client");
  await writeFile(join(directory, "assets/app-1234.js"), "run();".repeat(1000));
  return directory;
}
