import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./bundle.ts";
import { sbom } from "./sbom.ts";

const json = async (file: string) => JSON.parse(await readFile(join(root, file), "utf8"));

describe("sbom", () => {
  it("lists every package of the lock file with its version and the hash of its archive", async () => {
    const bill = JSON.parse(await sbom());
    expect([bill.bomFormat, bill.metadata.component.name]).toEqual(["CycloneDX", "svc"]);
    const { packages } = await json("package-lock.json");
    const locked = Object.entries<{ version: string; link?: boolean; integrity?: string }>(packages)
      .filter(([path, { link }]) => path.includes("node_modules/") && !link)
      .map(([path, { version }]) => `${path.split("node_modules/").at(-1)}@${version}`);
    const components: { "bom-ref": string; purl: string; hashes?: object[] }[] = bill.components;
    const listed = components.filter(({ hashes }) => hashes).map((component) => component["bom-ref"]);
    expect(new Set(listed)).toEqual(new Set(locked));
  });

  it("is the same for the same lock file", async () => {
    expect(await sbom()).toBe(await sbom());
  });
});
