import { describe, expect, it } from "vitest";
import { lockedPackages, readByHand, violations } from "./licences.ts";
import { listFiles, readText } from "./sources.ts";

describe("licences of the dependencies", () => {
  it.each(listFiles("package-lock.json"))("are all allowed in %s", (file) => {
    const packages = lockedPackages(JSON.parse(readText(file)));
    expect(packages.length).toBeGreaterThan(1);
    expect(violations(packages)).toEqual([]);
  });

  it.each([
    ["GPL-3.0-only", 1],
    ["AGPL-3.0-or-later", 1],
    ["LGPL-3.0-or-later", 1],
    ["SSPL-1.0", 1],
    ["SEE LICENSE IN README.md", 1],
    [undefined, 1],
    ["MIT", 0],
    ["(MIT OR GPL-3.0-only)", 0],
    ["MIT AND GPL-3.0-only", 1],
  ])("reports %s as %i violations", (licence, count) => {
    expect(violations([{ name: "example", licence }])).toHaveLength(count);
  });

  it("allows the LGPL only for the dynamically linked libvips", () => {
    expect(violations([{ name: "@img/sharp-libvips-linux-x64", licence: "LGPL-3.0-or-later" }])).toEqual([]);
  });

  it("keeps no exception for a package that is no longer installed", () => {
    const names = new Set(
      listFiles("package-lock.json").flatMap((file) =>
        lockedPackages(JSON.parse(readText(file))).map(({ name }) => name),
      ),
    );
    expect(Object.keys(readByHand).filter((name) => !names.has(name))).toEqual([]);
  });
});
