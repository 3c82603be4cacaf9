import { defineConfig } from "vitest/config";

const elsewhere = ["**/node_modules/**", "**/*.infra.test.ts"];
const inBrowser = ["packages/web/journeys/*.test.ts", "packages/client/*.browser.test.ts"];
const environment = "packages/core/testing/environment.ts";
/** Tests that start processes or assert memory limits. They are too heavy for `npm run test:unit`. */
const onProcesses = ["{functions,packages}/**/*.process.test.ts"];
const onDatabase = ["{functions,packages}/**/*.db.test.ts", "packages/local/journeys/*.test.ts"];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          isolate: false,
          maxWorkers: 2,
          include: ["{functions,packages,stacks}/**/*.test.ts"],
          exclude: [...elsewhere, ...onDatabase, ...onProcesses, ...inBrowser],
          setupFiles: [environment],
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: "process",
          maxWorkers: 2,
          include: onProcesses,
          exclude: elsewhere,
          setupFiles: [environment],
          testTimeout: 60_000,
        },
      },
      {
        // Each worker has one migrated database, which is truncated before each file: on PostgreSQL if TEST_DATABASE_URL is
        // set, otherwise on PGlite.
        test: {
          name: "database",
          include: onDatabase,
          exclude: elsewhere,
          isolate: false,
          maxWorkers: 2,
          globalSetup: ["packages/core/testing/setup-database.ts"],
          setupFiles: [environment, "packages/core/testing/database.ts"],
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        // These tests use the built client in Chromium. Each file starts its own local server.
        test: {
          name: "browser",
          include: inBrowser,
          isolate: false,
          // Pages wait for the network more than they compute, so more than one file per core runs at once.
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
          globalSetup: ["packages/core/testing/setup-database.ts", "packages/web/testing/setup-browser.ts"],
          setupFiles: [environment, "packages/core/testing/database.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 15_000 } },
        },
      },
    ],
  },
});
