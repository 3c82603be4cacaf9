import { defineConfig } from "vitest/config";

/** The checks of the built bundles and of the infrastructure, which are part of `npm run check`. */
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
          hookTimeout: 600_000,
        },
      },
    ],
  },
});
