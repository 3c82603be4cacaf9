import { defineConfig } from "vitest/config";

/** What `npm run check` judges besides types and style: the built bundles, and the infrastructure. */
export default defineConfig({
  test: {
    reporters: ["verbose"],
    projects: [
      {
        test: {
          name: "bundles",
          include: ["packages/bundle/*.check.ts"],
          testTimeout: 30_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "infra",
          include: ["stacks/**/*.check.ts"],
          testTimeout: 120_000,
          hookTimeout: 240_000,
        },
      },
    ],
  },
});
