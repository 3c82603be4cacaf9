import {
  empty,
  headBytes,
  judge,
  maxBytes,
  maxPixelsOf,
  tooLarge,
  undecodable,
} from "@svc/core/avatar/accepted";
import { Problem } from "../../base/api.ts";

/** A picture that a person chose, before it is sent. */
export type Photo = {
  file: Blob;
  bitmap: ImageBitmap;
  /** The server would refuse it as it is: it is sent smaller. */
  oversized: boolean;
};

/** Pixels of each side of what is sent in place of a photo over the limit: uncompressed even, it would be within it. */
export const shrunkSide = 1024;

/**
 * Open what somebody chose. Throws a Problem with the words of the server for what the server would refuse: other kinds of file
 * by their first bytes, the empty and the damaged.
 */
export async function open(file: Blob): Promise<Photo> {
  if (file.size === 0) throw refused("image_invalid", empty);
  const verdict = judge(new Uint8Array(await file.slice(0, headBytes).arrayBuffer()));
  if ("refusal" in verdict) throw refused("image_type_not_supported", verdict.refusal);
  const bitmap = await createImageBitmap(file).catch(() => {
    // A photo can be so large that the browser cannot open it either.
    throw file.size > maxBytes ? refused("file_too_large", tooLarge) : refused("image_invalid", undecodable);
  });
  const oversized = file.size > maxBytes || bitmap.width * bitmap.height > maxPixelsOf(verdict.type);
  return { file, bitmap, oversized };
}

/** Draw the square in the middle, which is what the server keeps. */
export function draw(bitmap: ImageBitmap, canvas: HTMLCanvasElement, side: number): void {
  const { width, height } = bitmap;
  const shorter = Math.min(width, height);
  canvas.width = side;
  canvas.height = side;
  const context = canvas.getContext("2d");
  if (!context) return;
  context.imageSmoothingQuality = "high";
  context.drawImage(
    bitmap,
    (width - shorter) / 2,
    (height - shorter) / 2,
    shorter,
    shorter,
    0,
    0,
    side,
    side,
  );
}

/** What is sent: the file as it is, or its square in the middle, smaller. Throws a Problem when the browser cannot make that. */
export async function toSend({ file, bitmap, oversized }: Photo): Promise<Blob> {
  if (!oversized) return file;
  const canvas = document.createElement("canvas");
  draw(bitmap, canvas, shrunkSide);
  const { promise, resolve } = Promise.withResolvers<Blob | null>();
  // Browsers that cannot write WebP give a PNG, which the server takes as well.
  canvas.toBlob(resolve, "image/webp", 0.92);
  const smaller = await promise;
  if (!smaller) throw refused("file_too_large", tooLarge);
  return smaller;
}

function refused(code: string, detail: string): Problem {
  return new Problem(0, { code, detail });
}
