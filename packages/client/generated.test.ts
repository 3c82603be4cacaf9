import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { generate } from "./generate.ts";
import { idempotentPaths } from "./generated.ts";

it("generated.ts is up to date", async () => {
  const source = await generate();
  expect(await readFile(new URL("generated.ts", import.meta.url), "utf8")).toBe(source);
  for (const part of ['| "invalid_input"\n', "avatar: Blob;", "export type TimeEntry ="])
    expect(source).toContain(part);
  expect([...idempotentPaths]).toContain("/api/v1/projects");
});
