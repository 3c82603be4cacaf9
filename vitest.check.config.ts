import { defineConfig } from "vitest/config";

const environment = "packages/core/testing/environment.ts";

/** The checks of the built bundles, of the infrastructure and of the built client, which are part of `npm run check`, and of report files in other programs. */
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
          // Evaluations end themselves and say why; see stacks/check/evaluate.ts.
          hookTimeout: 0,
        },
      },
      {
        test: {
          name: "client",
          include: ["packages/client/*.check.ts"],
          testTimeout: 60_000,
          // Installs Node 20 the first time.
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          name: "openapi",
          include: ["packages/openapi/*.check.ts"],
          testTimeout: 60_000,
          // Installs the tools the first time.
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          name: "documents",
          include: ["functions/**/*.check.ts"],
          globalSetup: ["packages/core/testing/setup-database.ts"],
          setupFiles: [environment, "packages/core/testing/database.ts"],
          // LibreOffice writes its profile when it first starts.
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
