import { describe, expect, it } from "vitest";
import { centered, cutOf, isCentered, move, rotate, type Stage, zoomTo } from "./cut.ts";

const size = { width: 1200, height: 900 };
/** The photo covers a square of 300. */
const stage: Stage = { photo: { width: 400, height: 300 }, square: 300 };

describe("cutOf", () => {
  it.each([
    [size, centered, { left: 150, top: 0, side: 900, turns: 0 }],
    [{ width: 501, height: 400 }, centered, { left: 50, top: 0, side: 400, turns: 0 }],
    [size, { ...centered, zoom: 2 }, { left: 375, top: 225, side: 450, turns: 0 }],
    [size, { ...centered, x: 50 }, { left: 0, top: 0, side: 900, turns: 0 }],
    [size, { ...centered, x: -50 }, { left: 300, top: 0, side: 900, turns: 0 }],
    [size, { x: 30, y: -15, zoom: 2, turns: 0 }, { left: 330, top: 247.5, side: 450, turns: 0 }],
    [size, { ...centered, turns: 1 }, { left: 0, top: 150, side: 900, turns: 1 }],
  ])("cuts a square out of %j at %j", (photo, view, cut) => expect(cutOf(view, photo, stage)).toEqual(cut));

  it("stays within the photo when the view does not", () => {
    expect(cutOf({ x: 999, y: 999, zoom: 1, turns: 0 }, size, stage)).toMatchObject({ left: 0, top: 0 });
    expect(cutOf({ x: -999, y: -999, zoom: 1, turns: 0 }, size, stage)).toMatchObject({ left: 300, top: 0 });
  });
});

describe("move", () => {
  it("stops where the square would leave the photo, also after a turn", () => {
    expect(move(centered, 999, 999, stage)).toEqual({ ...centered, x: 50 });
    expect(move(rotate(centered), -999, -999, stage)).toEqual({ ...centered, turns: 1, y: -50 });
    expect(move({ ...centered, zoom: 2 }, 999, -999, stage)).toEqual({ x: 250, y: -150, zoom: 2, turns: 0 });
  });
});

describe("zoomTo", () => {
  it("keeps the point in the center of the square, from 1 to 5", () => {
    const moved = { x: 40, y: 20, zoom: 2, turns: 0 };
    expect(zoomTo(moved, 4, stage)).toEqual({ x: 80, y: 40, zoom: 4, turns: 0 });
    expect(zoomTo(moved, 9, stage).zoom).toBe(5);
    expect(zoomTo(moved, 0.1, stage)).toEqual({ ...centered, x: 20 });
  });
});

describe("rotate", () => {
  it("turns about the center of the square, and four times by a whole turn", () => {
    const moved = { x: 40, y: -20, zoom: 2, turns: 0 };
    expect(rotate(moved)).toEqual({ x: 20, y: 40, zoom: 2, turns: 1 });
    expect(rotate(rotate(rotate(rotate(moved))))).toEqual(moved);
    expect(isCentered(rotate(rotate(rotate(rotate(centered)))))).toBe(true);
    expect(isCentered(rotate(centered))).toBe(false);
  });
});
