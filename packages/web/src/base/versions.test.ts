import { describe, expect, it } from "vitest";
import { Problem } from "./api.ts";
import { currentIn, differences, type Part, rebased } from "./versions.ts";

type Entry = { version: string; description: string; tags: string[]; startedAt: string; endedAt: string };

const seen: Entry = { version: "1", description: "Loom", tags: ["a"], startedAt: "9", endedAt: "10" };
const parts: Part<Entry>[] = [
  { label: "Description", names: ["description"], show: ({ description }) => description },
  { label: "Tags", names: ["tags"], show: ({ tags }) => tags.join(", ") },
  {
    label: "Time",
    names: ["startedAt", "endedAt"],
    show: ({ startedAt, endedAt }) => `${startedAt}–${endedAt}`,
  },
];

describe("currentIn", () => {
  it("returns the current resource of a 412 and of nothing else", () => {
    expect(currentIn(new Problem(412, { code: "changed_meanwhile", current: seen }))).toEqual(seen);
    expect(currentIn(new Problem(412, { code: "changed_meanwhile", current: null }))).toBeUndefined();
    expect(currentIn(new Problem(409, { code: "project_archived", current: seen }))).toBeUndefined();
    expect(currentIn(new Error("offline"))).toBeUndefined();
  });
});

describe("differences", () => {
  const current = { ...seen, version: "2", description: "Engine", tags: ["a", "b"] };
  it("compares parts as people read them, and leaves out those that stayed the same", () =>
    expect(differences(parts, seen, { description: "Mill", tags: ["a"] }, current)).toEqual([
      { label: "Description", seen: "Loom", mine: "Mill", theirs: "Engine" },
      { label: "Tags", seen: "a", mine: "a", theirs: "a, b" },
    ]));
  it("is empty if only something that no part shows has changed", () =>
    expect(differences(parts, seen, {}, { ...seen, version: "2" })).toEqual([]));
});

describe("rebased", () => {
  it("keeps what the user changed and takes the rest from the current version", () => {
    const current = { ...seen, version: "2", description: "Engine", tags: ["b"] };
    const changes = { description: "Mill", tags: ["a"] };
    expect(rebased(parts, seen, changes, current)).toEqual({ description: "Mill", tags: ["b"] });
  });
  it("keeps the fields of one part together", () => {
    const current = { ...seen, version: "2", startedAt: "8", endedAt: "11" };
    const changes = { startedAt: "9", endedAt: "12" };
    expect(rebased(parts, seen, changes, current)).toEqual(changes);
    expect(rebased(parts, seen, { startedAt: "9", endedAt: "10" }, current)).toEqual({
      startedAt: "8",
      endedAt: "11",
    });
  });
  it("adds no field that the request did not have", () =>
    expect(rebased(parts, seen, { tags: ["c"] }, { ...seen, description: "Engine" })).toEqual({
      tags: ["c"],
    }));
});
