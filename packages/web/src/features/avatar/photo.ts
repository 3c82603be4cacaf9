import {
  detectType,
  empty,
  headBytes,
  maxBytes,
  maxPixelsOf,
  tooLarge,
  undecodable,
} from "@svc/core/avatar/accepted";
import { Problem } from "../../base/api.ts";

/** An image file that the user selected. */
export type Photo = {
  file: Blob;
  bitmap: ImageBitmap;
  /** True when the file exceeds the API's limits and has to be reduced before the upload. */
  oversized: boolean;
};

/** Side length in pixels of a reduced photo. Even uncompressed, it is below the limit. */
const reducedSide = 1024;

/**
 * Opens a selected file. Throws a `Problem` with the API's own message for files that the API would reject: unsupported types
 * (detected from the first bytes), empty files and damaged files.
 */
export async function openPhoto(file: Blob): Promise<Photo> {
  if (file.size === 0) throw rejected("image_invalid", empty);
  const detected = detectType(new Uint8Array(await file.slice(0, headBytes).arrayBuffer()));
  if ("error" in detected) throw rejected("image_type_not_supported", detected.error);
  const bitmap = await createImageBitmap(file).catch(() => {
    // Browsers may also fail to decode a very large photo.
    throw file.size > maxBytes
      ? rejected("file_too_large", tooLarge)
      : rejected("image_invalid", undecodable);
  });
  const oversized = file.size > maxBytes || bitmap.width * bitmap.height > maxPixelsOf(detected.type);
  return { file, bitmap, oversized };
}

/** Draws the centered square of the photo, as the API crops it. */
export function drawSquare(bitmap: ImageBitmap, canvas: HTMLCanvasElement, side: number): void {
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

/** Returns the file to upload: the original, or a reduced square. Throws a `Problem` when the browser cannot create that. */
export async function uploadBlob({ file, bitmap, oversized }: Photo): Promise<Blob> {
  if (!oversized) return file;
  const canvas = document.createElement("canvas");
  drawSquare(bitmap, canvas, reducedSide);
  const { promise, resolve } = Promise.withResolvers<Blob | null>();
  // Browsers that cannot encode WebP return a PNG, which the API accepts too.
  canvas.toBlob(resolve, "image/webp", 0.92);
  const reduced = await promise;
  if (!reduced) throw rejected("file_too_large", tooLarge);
  return reduced;
}

function rejected(code: string, detail: string): Problem {
  return new Problem(0, { code, detail });
}
