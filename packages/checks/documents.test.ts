import { existsSync } from "node:fs";
import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { listFiles, readText, root } from "./sources.ts";

const documents = listFiles(".md");
const scripts = Object.keys(JSON.parse(readText("package.json")).scripts);

/** Relative links of a Markdown text, images included. */
function links(text: string): string[] {
  return [...text.matchAll(/\]\(([^)\s]+)(?:\s"[^"]*")?\)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
}

/** The anchors that GitHub gives the headings of a Markdown text. */
function anchors(text: string): Set<string> {
  const headings = text.replace(/```[\s\S]*?```/g, "").matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, "")
        .trim()
        .replaceAll(" ", "-"),
    ),
  );
}

/** Names of files and folders of this repository in backticks: those that begin with one of its top folders. */
function namedFiles(text: string): string[] {
  const top = /`((?:functions|packages|stacks|docs|\.ci|\.github)\/[\w./@-]*)`/g;
  return [...text.matchAll(top)].map(([, file = ""]) => file);
}

/** Names of npm scripts in commands. */
function namedScripts(text: string): string[] {
  const inRun = [...text.matchAll(/npm run (?:-s )?([a-z][\w:-]*)/g)].map(([, name = ""]) => name);
  const short = [...text.matchAll(/npm (start|test)\b/g)].map(([, name = ""]) => name);
  return [...inRun, ...short];
}

/** Tests named in a text: their file in backticks, then their name in quotes. */
function namedTests(text: string): { file: string; name: string }[] {
  const named = text.matchAll(/`([^`\s]+\.(?:test|check)\.tsx?)` "([^"]+)"/g);
  return [...named].map(([, file = "", name = ""]) => ({ file, name }));
}

/** Whether a file calls a function such as `it` or `it.each(…)` with this name as the first argument. */
function hasTest(file: string, name: string): boolean {
  const literal = JSON.stringify(name).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return existsSync(root + file) && new RegExp(`\\(\\s*${literal},`).test(readText(file));
}

describe.each(documents)("%s", (document) => {
  const text = readText(document);

  it("links only to files and headings that exist", () => {
    const broken = links(text).filter((link) => {
      const [path = "", anchor] = link.split("#");
      const target = path ? posix.join(posix.dirname(document), path) : document;
      if (!existsSync(root + target)) return true;
      return anchor !== undefined && target.endsWith(".md") && !anchors(readText(target)).has(anchor);
    });
    expect(broken).toEqual([]);
  });

  it("names only files that exist", () => {
    expect(namedFiles(text).filter((file) => !existsSync(root + file))).toEqual([]);
  });

  it("names only tests that exist", () => {
    expect(namedTests(text).filter(({ file, name }) => !hasTest(file, name))).toEqual([]);
  });

  it("names only npm scripts that exist", () => {
    expect(namedScripts(text).filter((name) => !scripts.includes(name))).toEqual([]);
  });
});

describe("docs/asvs.md", () => {
  /** The number of requirements of levels 1 and 2 in each section of ASVS 5.0.0, numbered from 1. */
  const sections = {
    ...{ "6.1": 3, "6.2": 12, "6.3": 4, "6.4": 4, "6.5": 5, "6.6": 3, "6.8": 4 },
    ...{ "7.1": 3, "7.2": 4, "7.3": 2, "7.4": 5, "7.5": 2, "7.6": 2 },
    ...{ "8.1": 2, "8.2": 3, "8.3": 1, "8.4": 1 },
  };
  const text = readText("docs/asvs.md");
  const rows = [...text.matchAll(/^\| (\d+\.\d+\.\d+) \|[^|]+\| ([^|]+) \| (.*)\|$/gm)].map(
    ([, id = "", result = "", evidence = ""]) => ({ id, result, evidence }),
  );

  it("has one row for each requirement of levels 1 and 2", () => {
    const required = Object.entries(sections).flatMap(([section, count]) =>
      Array.from({ length: count }, (_, at) => `${section}.${at + 1}`),
    );
    expect(rows.map(({ id }) => id)).toEqual(required);
  });

  it("counts its results correctly", () => {
    const count = (wanted: string) => rows.filter(({ result }) => result === wanted).length;
    expect(text).toContain(
      `Of ${rows.length} requirements, ${count("Met")} are met, ${count("Partly")} partly and ${count("Not met")} is not met. ${count("Not used")} concern`,
    );
  });

  it("names a test, a document or a file for each requirement that is met", () => {
    const shown = rows.filter(({ result }) => result === "Met" || result === "Partly");
    expect(shown.filter(({ evidence }) => !/`[^`]+\.ts`|\]\(/.test(evidence))).toEqual([]);
  });
});
