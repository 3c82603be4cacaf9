import { writeFile } from "node:fs/promises";
import { current } from "./current.ts";

/** Removes what promises nothing to a client's code. A field named "description" has a schema as its value, and stays. */
function withoutProse(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutProse);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(
    ([key, inner]) =>
      !["example", "examples"].includes(key) &&
      !(key === "tags" && Array.isArray(inner)) &&
      !(["description", "summary", "title"].includes(key) && typeof inner === "string"),
  );
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutProse(inner)]));
}

/** `npm run openapi:released`: records the document of a release, with which `breaking.test.ts` compares later ones. */
await writeFile(
  new URL("released.json", import.meta.url),
  `${JSON.stringify(withoutProse(await current()))}\n`,
);
