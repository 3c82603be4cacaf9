import {
  detectType,
  empty,
  headBytes,
  maxBytes,
  maxInterlacedBytes,
  maxPixelsOf,
  type Type,
  undecodable,
} from "@svc/core/avatar/accepted";
import { Problem } from "../../base/api.ts";
import { number } from "../../base/format.ts";
import { messages } from "./messages.ts";
import { type Reduced, reduceElement, type Size } from "./reduce.ts";
import type { Answer, Task } from "./reduce-worker.ts";

/** An opened image file. Release it with `closePhoto`. */
export type Photo = {
  /** The file, if the API accepts it as it is. Larger files and other formats are sent as they are cut out. */
  original: Blob | undefined;
  /** The first frame, upright, reduced to at most `cutSide` along the shorter side. */
  bitmap: ImageBitmap;
  /** URL of a copy to show on the page. */
  url: string;
};

/** Largest size of a file that can be opened, in bytes. */
const maxFileBytes = 50_000_000;

/** Largest number of pixels that can be opened. A decoded pixel takes 4 bytes. */
const maxFilePixels = 200_000_000;

/** Largest length of the shorter side of an opened photo: five times the side of an avatar, for a zoom of 5. */
const cutSide = 2000;

/** Largest number of pixels of an opened photo. Safari draws no larger images. */
const maxCutPixels = 16_000_000;

/** Channels times bytes per sample, at most: JPEG has up to four channels (CMYK), PNG has up to four of 16 bits. */
const bytesPerPixel: Partial<Record<Type, number>> = { jpeg: 4, png: 8 };

/**
 * Opens a selected file. Throws a `Problem`, with the API's message where the API would reject the file too: unsupported types
 * (detected from the first bytes), empty files, damaged files and files over 50 MB or 200 megapixels. HEIC is opened where the
 * browser can decode it. Throws the signal's reason when aborted.
 */
export async function openPhoto(file: Blob, signal: AbortSignal): Promise<Photo> {
  if (file.size === 0) throw rejected("image_invalid", empty);
  if (file.size > maxFileBytes)
    throw rejected("file_too_large", messages.tooLarge(megabytes(file.size), megabytes(maxFileBytes)));
  const detected = detectType(new Uint8Array(await file.slice(0, headBytes).arrayBuffer()));
  if ("error" in detected && !detected.heif) throw rejected("image_type_not_supported", detected.error);
  const unreadable =
    "error" in detected
      ? rejected("image_type_not_supported", detected.error)
      : rejected("image_invalid", undecodable);
  const address = URL.createObjectURL(file);
  try {
    const image = await load(address);
    signal.throwIfAborted();
    if (!image) throw unreadable;
    const { naturalWidth: width, naturalHeight: height } = image;
    if (width * height > maxFilePixels)
      throw rejected(
        "image_dimensions_exceeded",
        messages.tooManyPixels(number(width), number(height), number(maxFilePixels / 1e6)),
      );
    const size = reducedSize({ width, height });
    // Workers cannot decode some images that pages show, such as incomplete ones.
    const reduced =
      (await reduceInWorker(file, size, signal)) ?? (await reduceElement(image, size).catch(() => undefined));
    if (!reduced) throw unreadable;
    return {
      original: "type" in detected && fitsApi(file, detected.type, width * height) ? file : undefined,
      bitmap: reduced.bitmap,
      url: URL.createObjectURL(reduced.shown),
    };
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Releases the memory of a photo. */
export function closePhoto({ bitmap, url }: Photo): void {
  bitmap.close();
  URL.revokeObjectURL(url);
}

/** Returns the size to which an image is reduced. Keeps its proportions and enlarges nothing. */
export function reducedSize({ width, height }: Size): Size {
  const scale = Math.min(1, cutSide / Math.min(width, height), Math.sqrt(maxCutPixels / (width * height)));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/**
 * Tells whether a file is within the limits of the API. Whether it is interlaced or progressive is unknown here, so the limit of
 * those applies to each JPEG and PNG.
 */
export function fitsApi({ size }: { size: number }, type: Type, pixels: number): boolean {
  return (
    size <= maxBytes &&
    pixels <= maxPixelsOf(type) &&
    pixels * (bytesPerPixel[type] ?? 0) <= maxInterlacedBytes
  );
}

/** Loads an image, which reads its dimensions without decoding it. Undefined if the browser cannot. */
function load(url: string): Promise<HTMLImageElement | undefined> {
  const image = new Image();
  const { promise, resolve } = Promise.withResolvers<HTMLImageElement | undefined>();
  image.onload = () => resolve(image);
  image.onerror = () => resolve(undefined);
  image.src = url;
  return promise;
}

async function reduceInWorker(file: Blob, size: Size, signal: AbortSignal): Promise<Reduced | undefined> {
  const worker = new Worker(new URL("./reduce-worker.ts", import.meta.url), { type: "module" });
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort);
  worker.onmessage = ({ data }: MessageEvent<Answer>) => resolve(data);
  worker.onerror = () => resolve(undefined);
  try {
    worker.postMessage({ file, size } satisfies Task);
    return await promise;
  } finally {
    signal.removeEventListener("abort", abort);
    worker.terminate();
  }
}

function megabytes(bytes: number): string {
  return number(Math.ceil(bytes / 1e5) / 10);
}

function rejected(code: string, detail: string): Problem {
  return new Problem(0, { code, detail });
}
