import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const folder = (path: string) => new URL(path, import.meta.url);
const sources = readdirSync(folder("."))
  .filter((name) => name.endsWith(".tsx"))
  .map((name) => readFileSync(folder(name), "utf8"))
  .join("\n");

/** Parts of other components, which the page shows with these. */
const parts = ["pick-popover.tsx", "toast-region.tsx"];

describe("the design page", () => {
  const components = readdirSync(folder("../src/ui")).filter(
    (name) => name.endsWith(".tsx") && !parts.includes(name),
  );
  it.each(components)("shows the components of %s", (name) => {
    expect(sources).toContain(`/src/ui/${name}"`);
  });
});
