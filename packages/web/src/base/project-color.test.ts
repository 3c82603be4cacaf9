import { expect, test } from "vitest";
import { projectColor } from "./project-color.ts";

test.each([
  "#2f7fe6",
  "#0c91ad",
  "#10998a",
  "#3f9b3f",
  "#b87d10",
  "#dd6526",
  "#df4651",
  "#cf49a0",
  "#8a5fdc",
  "#767c8d",
])("projectColor keeps %s, a color of the picker", (color) => {
  expect(projectColor(color)).toBe(color);
});

test.each([
  "#000000",
  "#ffffff",
  "#ffff00",
  "#0000ff",
  "#2563eb",
  "#0f172a",
  "#fde68a",
  "#7c3aed",
  "#64748b",
])("projectColor shows %s with a contrast of 3:1 against the surfaces of both schemes", (color) => {
  const shown = projectColor(color);
  expect(shown).toMatch(/^#[\da-f]{6}$/);
  for (const surface of ["#ffffff", "#f6f6f8", "#16161b", "#1f1f26"])
    expect(contrast(shown, surface), `${shown} on ${surface}`).toBeGreaterThanOrEqual(3);
});

test("projectColor shows gray for a value that is no color", () => {
  expect(projectColor("red; x")).toBe("var(--project-slate)");
});

function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
