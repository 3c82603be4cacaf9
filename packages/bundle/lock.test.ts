import { expect, test } from "vitest";
import { extractLock, type Lock, packagesOf } from "./lock.ts";

const lock: Lock = {
  lockfileVersion: 3,
  packages: {
    "": {},
    "packages/core": { dependencies: { image: "2.0.0" } },
    "node_modules/image": {
      version: "2.0.0",
      dependencies: { colour: "^1.0.0" },
      optionalDependencies: { native: "2.0.0" },
    },
    "node_modules/image/node_modules/colour": { version: "1.1.0", dependencies: { image: "*" } },
    "node_modules/colour": { version: "0.9.0" },
    "node_modules/native": { version: "2.0.0" },
    "node_modules/other": { version: "1.0.0" },
  },
};

test("extractLock keeps the dependencies of the package with their paths and versions", () => {
  const { packages } = extractLock(lock, "image");
  expect(Object.keys(packages)).toEqual([
    "",
    "node_modules/image",
    "node_modules/image/node_modules/colour",
    "node_modules/native",
  ]);
  expect(packages[""]?.dependencies).toEqual({ image: "2.0.0" });
});

test("extractLock throws for a package that the lock file does not contain", () => {
  expect(() => extractLock(lock, "absent")).toThrow("package-lock.json does not contain absent.");
});

test("packagesOf returns direct and transitive dependencies of a folder", () => {
  expect(packagesOf(lock, ["packages/core"])).toEqual(new Set(["image", "colour", "native"]));
});
