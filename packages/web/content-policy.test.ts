import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { libraryStyles } from "./content-policy.ts";

const library = fileURLToPath(new URL("../private/", import.meta.resolve("react-aria/usePress")));

/** Returns the text of the style element that a module of React Aria adds, with the names of its constants filled in. */
function styleIn(module: string): string {
  const source = readFileSync(library + module, "utf8");
  const [, text = ""] = /style\.textContent = `([^`]*)`\.trim\(\)/.exec(source) ?? [];
  return text
    .replace(/\$\{([\w$]+)\}/g, (_, name) => source.split(`const ${name} = '`)[1]?.split("'")[0] ?? "")
    .trim();
}

describe("libraryStyles", () => {
  it.each(["interactions/usePress.mjs", "overlays/usePreventScroll.mjs"])(
    "allows the style element of %s",
    (module) => {
      const style = styleIn(module);
      expect(style).toContain("@layer {");
      const hash = createHash("sha256").update(style).digest("base64");
      expect(libraryStyles).toContain(`'sha256-${hash}'`);
    },
  );
});
