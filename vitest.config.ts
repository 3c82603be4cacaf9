import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        // Everything that needs no database: isolated files, in parallel.
        test: {
          name: "plain",
          include: ["{functions,packages,stacks}/**/*.test.ts"],
          exclude: ["**/*.db.test.ts", "**/journeys/**", "**/node_modules/**", "packages/bench/**"],
        },
      },
    ],
  },
});
