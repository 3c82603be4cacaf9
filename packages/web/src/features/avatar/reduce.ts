/** A decoded photo of moderate size. */
export type Reduced = {
  /** The first frame, upright. */
  bitmap: ImageBitmap;
  /** A compressed copy with a shorter side of at most `shownSide`, to show on the page. */
  shown: Blob;
};

export type Size = { width: number; height: number };

/** Largest length of the shorter side of `shown`, in pixels. */
const shownSide = 800;

/**
 * Decodes an image file and reduces it to a size, with the decoder of the browser. Call it in a worker: decoding a photo of 48
 * megapixels takes over a second. Rejects when the browser cannot decode the whole image.
 */
export async function reduceFile(file: Blob, { width, height }: Size): Promise<Reduced> {
  return withCopy(
    await createImageBitmap(file, { resizeWidth: width, resizeHeight: height, resizeQuality: "high" }),
  );
}

/** Reduces a loaded image to a size. Unlike `reduceFile`, accepts what image elements show of a damaged file. */
export async function reduceElement(image: HTMLImageElement, size: Size): Promise<Reduced> {
  return withCopy(draw(image, size).transferToImageBitmap());
}

async function withCopy(bitmap: ImageBitmap): Promise<Reduced> {
  const scale = Math.min(1, shownSide / Math.min(bitmap.width, bitmap.height));
  const length = (full: number) => Math.max(1, Math.round(full * scale));
  const copy = draw(bitmap, { width: length(bitmap.width), height: length(bitmap.height) });
  // Browsers that cannot encode WebP return a PNG. Both have an alpha channel.
  return { bitmap, shown: await copy.convertToBlob({ type: "image/webp", quality: 0.9 }) };
}

function draw(image: CanvasImageSource, { width, height }: Size): OffscreenCanvas {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("The browser has no 2D canvas.");
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, width, height);
  return canvas;
}
