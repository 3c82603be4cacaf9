import { expect, test } from "vitest";
import { cut, type Lock, packagesOf } from "./lock.ts";

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

test("a cut keeps what the package reaches, at the place and in the version that the lock says", () => {
  const { packages } = cut(lock, "image");
  expect(Object.keys(packages)).toEqual([
    "",
    "node_modules/image",
    "node_modules/image/node_modules/colour",
    "node_modules/native",
  ]);
  expect(packages[""]?.dependencies).toEqual({ image: "2.0.0" });
});

test("a package that the lock does not name cannot be cut out", () => {
  expect(() => cut(lock, "absent")).toThrow("package-lock.json does not name absent.");
});

test("a folder's packages are those that it depends on, at any depth", () => {
  expect(packagesOf(lock, ["packages/core"])).toEqual(new Set(["image", "colour", "native"]));
});
