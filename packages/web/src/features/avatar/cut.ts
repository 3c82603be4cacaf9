import type { Size } from "./reduce.ts";

/** How a photo lies under the square: its offset from the center in CSS pixels, its zoom and its quarter turns clockwise. */
export type View = { x: number; y: number; zoom: number; turns: number };

/** The view that cuts out the center square. */
export const centered: View = { x: 0, y: 0, zoom: 1, turns: 0 };

/** Tells whether a view cuts out the center square. */
export function isCentered({ x, y, zoom, turns }: View): boolean {
  return x === 0 && y === 0 && zoom === 1 && turns === 0;
}

export const maxZoom = 5;

/** The rendered size of the photo at zoom 1 and the side of the square, in CSS pixels. */
export type Stage = { photo: Size; square: number };

/** The square to cut out, in pixels of the photo after its turns. */
export type Cut = { left: number; top: number; side: number; turns: number };

/** Moves the photo, but not so far that the square leaves it. */
export function move(view: View, x: number, y: number, { photo, square }: Stage): View {
  const { width, height } = turned(photo, view.turns);
  const limit = (length: number) => Math.max(0, (length * view.zoom - square) / 2);
  return {
    ...view,
    x: clamp(view.x + x, 0 - limit(width), limit(width)),
    y: clamp(view.y + y, 0 - limit(height), limit(height)),
  };
}

/** Zooms about the center of the square. */
export function zoomTo(view: View, requested: number, stage: Stage): View {
  const zoom = clamp(requested, 1, maxZoom);
  const factor = zoom / view.zoom;
  return move({ ...view, zoom, x: view.x * factor, y: view.y * factor }, 0, 0, stage);
}

/** Turns the photo clockwise by a quarter about the center of the square. */
export function rotate({ x, y, zoom, turns }: View): View {
  return { x: 0 - y, y: x, zoom, turns: (turns + 1) % 4 };
}

/** Returns the square that a view cuts out of a photo. */
export function cutOf(view: View, size: Size, stage: Stage): Cut {
  const { width, height } = turned(size, view.turns);
  const shown = turned(stage.photo, view.turns);
  const side = Math.min(width, height) / view.zoom;
  const start = (length: number, offset: number, shownLength: number) => {
    const centeredStart = (length - side) / 2;
    // The API rounds down too.
    if (offset === 0) return view.zoom === 1 ? Math.floor(centeredStart) : centeredStart;
    return clamp(centeredStart - (offset * length) / (shownLength * view.zoom), 0, length - side);
  };
  return {
    left: start(width, view.x, shown.width),
    top: start(height, view.y, shown.height),
    side,
    turns: view.turns,
  };
}

/** Draws a cut over a whole square canvas. */
export function drawCut(
  bitmap: ImageBitmap,
  { left, top, side, turns }: Cut,
  canvas: HTMLCanvasElement,
): void {
  const context = canvas.getContext("2d");
  if (!context) return;
  const { width, height } = turned(bitmap, turns);
  const scale = canvas.width / side;
  context.reset();
  context.imageSmoothingQuality = "high";
  context.scale(scale, scale);
  context.translate(width / 2 - left, height / 2 - top);
  context.rotate((turns * Math.PI) / 2);
  context.drawImage(bitmap, -bitmap.width / 2, -bitmap.height / 2);
}

function turned({ width, height }: Size, turns: number): Size {
  return turns % 2 === 0 ? { width, height } : { width: height, height: width };
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
