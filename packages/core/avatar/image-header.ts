import { Fault } from "../fault.ts";

/** The kinds of picture that are taken. Of an animation the first frame counts. */
export type Type = "jpeg" | "png" | "webp" | "gif" | "avif";

/** The media types of what is taken, in the notation of an Accept header. */
export const accept = "image/jpeg, image/png, image/webp, image/gif, image/avif";

/** Most pixels of a picture. */
export const maxPixels = 50_000_000;

/** Most pixels where the decoder holds the whole picture several times over. */
export const maxPixelsSlowFormats = 12_000_000;

/** Most bytes (width x height x channels x bytes per sample) of a picture whose every row comes in several passes. */
export const maxInterlacedBytes = 128 * 1024 * 1024;

const slow: readonly Type[] = ["avif", "gif"];

const signatures: readonly (readonly [start: string, type: Type])[] = [
  ["\xff\xd8\xff", "jpeg"],
  ["\x89PNG\r\n\x1a\n", "png"],
  ["GIF87a", "gif"],
  ["GIF89a", "gif"],
];

const refused: readonly (readonly [start: string, name: string])[] = [
  ["II*\0", "TIFF"],
  ["MM\0*", "TIFF"],
  ["II+\0", "TIFF"],
  ["MM\0+", "TIFF"],
  ["%PDF", "PDF"],
  ["BM", "BMP"],
  ["\0\0\x01\0", "ICO"],
  ["8BPS", "Photoshop"],
  ["\xff\x0a", "JPEG XL"],
  ["\0\0\0\x0cJXL ", "JPEG XL"],
  ["\0\0\0\x0cjP  ", "JPEG 2000"],
  ["\xff\x4f\xff\x51", "JPEG 2000"],
  ["\x1aE\xdf\xa3", "Video"],
  ["PK\x03\x04", "ZIP"],
];

const avifBrands = ["avif", "avis"];
const heifBrands = ["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "mif1", "mif2", "msf1"];

/**
 * What these bytes are, by their signature; a name or a content type is never asked. Throws 415
 * `image_type_not_supported` with the name of what came instead.
 */
export function typeOf(bytes: Buffer): Type {
  const head = bytes.toString("latin1", 0, 1024);
  const known = signatures.find(([start]) => head.startsWith(start));
  if (known) return known[1];
  if (head.startsWith("RIFF") && head.startsWith("WEBP", 8)) return "webp";
  if (head.startsWith("ftyp", 4)) return ofBrands(brands(bytes, head));
  throw unsupported(refused.find(([start]) => head.startsWith(start))?.[1] ?? textual(head));
}

/**
 * Whether the end of the file is there. JPEG and PNG are decoded row by row and no further than the square reaches, so
 * a file cut off below it would pass; the decoders of the other types read all of the first frame anyway.
 */
export function isWhole(type: Type, bytes: Buffer): boolean {
  if (type === "png") return bytes.includes("IEND", 8, "latin1");
  return type !== "jpeg" || hasEndOfImage(bytes);
}

export type Extent = {
  width: number;
  height: number;
  channels: number;
  bytesPerSample: number;
  /** Interlaced PNG, progressive JPEG: the last pixel of a row is known only when the file ends. */
  interlaced: boolean;
};

/** Refuses a picture that would take too much memory to decode: 422 `image_dimensions_exceeded`. */
export function admit(type: Type, { width, height, channels, bytesPerSample, interlaced }: Extent): void {
  const pixels = width * height;
  const limit = slow.includes(type) ? maxPixelsSlowFormats : maxPixels;
  if (pixels > limit)
    throw exceeded(
      `The picture has ${width} x ${height} pixels. At most ${limit / 1e6} million are taken for ${type.toUpperCase()}: make it smaller.`,
    );
  if (interlaced && pixels * channels * bytesPerSample > maxInterlacedBytes)
    throw exceeded(
      `An interlaced or progressive picture of ${width} x ${height} pixels is too large: make it smaller, or save it without interlacing.`,
    );
}

function exceeded(message: string): Fault {
  return new Fault("invalid", "image_dimensions_exceeded", message);
}

function unsupported(name: string): Fault {
  return new Fault(
    "unsupported",
    "image_type_not_supported",
    `${name} files are not taken. Upload a JPEG, PNG, WebP, GIF or AVIF picture.`,
    { accept },
  );
}

/** The major and the compatible brands of the file type box (ISO/IEC 14496-12, section 4.3). */
function brands(bytes: Buffer, head: string): string[] {
  const end = Math.min(bytes.length >= 4 ? bytes.readUInt32BE(0) : 0, head.length);
  const found = [head.slice(8, 12)];
  for (let at = 16; at + 4 <= end; at += 4) found.push(head.slice(at, at + 4));
  return found;
}

function ofBrands(found: readonly string[]): Type {
  if (found.some((brand) => avifBrands.includes(brand))) return "avif";
  if (!found.some((brand) => heifBrands.includes(brand))) throw unsupported("Video");
  throw new Fault(
    "unsupported",
    "image_type_not_supported",
    "HEIC pictures are not taken. Export or convert the photo to JPEG and upload that. (An iPhone takes JPEG photos with Settings, Camera, Formats, Most Compatible.)",
    { accept },
  );
}

function textual(head: string): string {
  if (/^(?:\xef\xbb\xbf)?\s*<(?:.*<)?svg[\s>]/is.test(head)) return "SVG";
  return /^[\t\n\f\r\x20-\x7e\x80-\xff]+$/.test(head) ? "Text" : "These";
}

/**
 * Finds the end-of-image marker (ITU-T T.81, annex B) behind the headers, which are passed over by their lengths since
 * the thumbnail in one of them has an end as well.
 */
function hasEndOfImage(bytes: Buffer): boolean {
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1];
    if (marker === 0xff) at++;
    else at += 2 + bytes.readUInt16BE(at + 2);
    if (marker === 0xda) return bytes.includes("\xff\xd9", at, "latin1");
  }
  return false;
}
