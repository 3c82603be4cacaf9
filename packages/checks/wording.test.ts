import { describe, expect, it } from "vitest";
import { listFiles, readText } from "./sources.ts";
import { rules, violations } from "./wording.ts";

const exempt = /^packages\/checks\/wording|common-passwords|\/fixtures\//;
const files = listFiles(".ts", ".tsx", ".md", ".mjs", ".html", ".yml").filter((file) => !exempt.test(file));

describe("the wording of the repository", () => {
  it("uses none of the words that readers had to decode", () => {
    expect(files.flatMap((file) => violations(file, readText(file)))).toEqual([]);
  });

  it("reports file, line and the term to use", () => {
    expect(violations("a.ts", "const x = 1;\n// Whoever asks is made anew.")).toEqual([
      'a.ts:2 "anew": write again, regenerate instead',
      'a.ts:2 "Whoever": write the caller, the user, the client instead',
    ]);
  });

  it("has no rule that matches plain sentences", () => {
    const plain = "/** Returns the member's role. Throws `not_found` when the workspace does not exist. */";
    expect(rules.filter(({ pattern }) => pattern.test(plain))).toEqual([]);
  });
});
