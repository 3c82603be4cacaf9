import { readFile } from "node:fs/promises";

/** Returns the TypeScript examples of the README, in their order. */
export async function readmeExamples(): Promise<string[]> {
  const text = await readFile(new URL("../README.md", import.meta.url), "utf8");
  return [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = ""]) => code);
}
