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

  it("names only npm scripts that exist", () => {
    expect(namedScripts(text).filter((name) => !scripts.includes(name))).toEqual([]);
  });
});
