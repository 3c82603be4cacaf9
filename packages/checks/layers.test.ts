import { describe, expect, it } from "vitest";
import { againstOrder, folderCycles, type Import, importsOf, layers } from "./layers.ts";
import { listFiles, readText } from "./sources.ts";

const core = "packages/core/";
const exempt = (file: string) => /\.test\.ts$|\/testing\//.test(file);
const imports = listFiles(".ts")
  .filter((file) => file.startsWith(core) && !exempt(file))
  .flatMap((file) => importsOf(file.slice(core.length), readText(file)));

describe("the layers of packages/core", () => {
  it("has imports to check", () => {
    expect(imports.length).toBeGreaterThan(500);
  });

  it("lists every top folder but testing/", () => {
    const folders = new Set(
      listFiles(".ts")
        .filter((file) => file.startsWith(core))
        .map((file) => file.slice(core.length).split("/")[0] ?? ""),
    );
    folders.delete("testing");
    expect([...folders].sort()).toEqual([...layers].sort());
  });

  it("has no import from a lower folder to a higher one", () => {
    expect(againstOrder(imports)).toEqual([]);
  });

  it("has no folders that import each other in a circle", () => {
    expect(folderCycles(imports)).toEqual([]);
  });

  it("imports nothing from the packages above core", () => {
    const above = listFiles(".ts")
      .filter((file) => file.startsWith(core) && !exempt(file))
      .filter((file) => /"@svc\/(?:functions|web|local|bundle)\//.test(readText(file)));
    expect(above).toEqual([]);
  });

  it("gives every capability of the web client the name of a folder of core", () => {
    const source = "packages/web/src/features/";
    const features = new Set(
      listFiles(".ts", ".tsx", ".css")
        .filter((file) => file.startsWith(source))
        .map((file) => file.slice(source.length).split("/")[0] ?? ""),
    );
    const extra = [...features].filter((name) => !(layers as readonly string[]).includes(name));
    expect(extra).toEqual(["developers"]);
  });
});

describe("the check itself", () => {
  it.each([
    ['import * as Report from "../../report/report.ts";', "a value"],
    ['import type { Row } from "../../report/report.ts";', "a type"],
    ['export { list } from "../../report/report.ts";', "a re-export"],
    ['const report = await import("../../report/report.ts");', "a dynamic import"],
    ['import {\n  list,\n} from "../../report/report.ts";', "an import over several lines"],
  ])("names file and line of %j (%s)", (statement) => {
    const source = `import "./first.ts";\n${statement}\n`;
    const line = source.trimEnd().split("\n").length;
    expect(againstOrder(importsOf("tracking/projects/project.ts", source))).toEqual([
      `packages/core/tracking/projects/project.ts:${line} imports report/report.ts, which is not below it`,
    ]);
  });

  it("refuses a folder that is not in the list", () => {
    const [found] = importsOf("report/report.ts", 'import "../extras/extra.ts";');
    expect(againstOrder([found as Import])).toHaveLength(1);
  });

  it("finds a circle of folders and leaves out what merely leads to it", () => {
    const edge = (file: string, target: string): Import => ({
      file: `${file}/x.ts`,
      line: 1,
      target: `${target}/y.ts`,
    });
    expect(folderCycles([edge("a", "b"), edge("b", "c"), edge("c", "b"), edge("c", "d")])).toEqual([
      ["b", "c"],
    ]);
  });
});
