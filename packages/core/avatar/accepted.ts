/**
 * Accepted image formats, by signature, and their size limits. This file has no dependencies, so that the web client can
 * reject the same files with the same messages before uploading them.
 */

/** The accepted image formats. For animations, only the first frame is used. */
export type Type = "jpeg" | "png" | "webp" | "gif" | "avif";

/** The accepted media types, in the notation of an Accept header. */
export const accept = "image/jpeg, image/png, image/webp, image/gif, image/avif";

/** Maximum size of an uploaded file. With base64 and multipart overhead it fits into the 6 MB of a Lambda event. */
export const maxBytes = 4_500_000;

/** Maximum number of pixels of an image. */
const maxPixels = 50_000_000;

/**
 * Maximum number of pixels for formats whose decoder holds several copies of the whole image. 4032 x 3024 pixels, the most common
 * sensor of phones, are 12.2 million.
 */
const maxPixelsSlowFormats: Partial<Record<Type, number>> = { avif: 12_500_000, gif: 12_000_000 };

/** Maximum size in bytes (width x height x channels x bytes per sample) of an interlaced or progressive image. */
export const maxInterlacedBytes = 128 * 1024 * 1024;

/** Returns the maximum number of pixels of an image in this format. */
export function maxPixelsOf(type: Type): number {
  return maxPixelsSlowFormats[type] ?? maxPixels;
}

/** Returns the message for a file over `maxBytes`. */
export function tooLarge(bytes: number): string {
  const [found, limit] = [bytes, maxBytes].map((value) => value.toLocaleString("en"));
  return `The file has ${found} bytes. The maximum is ${limit} (${maxBytes / 1e6} MB).`;
}

export const empty = "The file is empty.";
export const undecodable =
  "The image is damaged, incomplete or too slow to decode. Save it as JPEG and upload it again.";

/** Number of bytes at the start of a file that `detectType` reads. */
export const headBytes = 1024;

const signatures: readonly (readonly [start: string, type: Type])[] = [
  ["\xff\xd8\xff", "jpeg"],
  ["\x89PNG\r\n\x1a\n", "png"],
  ["GIF87a", "gif"],
  ["GIF89a", "gif"],
];

const rejected: readonly (readonly [start: string, name: string])[] = [
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
const heifBrands = [
  "heic",
  "heix",
  "heim",
  "heis",
  "hevc",
  "hevx",
  "hevm",
  "hevs",
  "mif1",
  "mif2",
  "mif3",
  "msf1",
];

/** The format of a file, or the error message if the file is rejected. `heif` is true for photos in HEIC or HEIF. */
export type Detected = { type: Type } | { error: string; heif?: true };

/** Detects the format of a file by the signature in its first bytes. File name and content type are ignored. */
export function detectType(bytes: Uint8Array): Detected {
  const head = String.fromCharCode(...bytes.subarray(0, headBytes));
  const known = signatures.find(([start]) => head.startsWith(start));
  if (known) return { type: known[1] };
  if (head.startsWith("RIFF") && head.startsWith("WEBP", 8)) return { type: "webp" };
  if (head.startsWith("ftyp", 4)) return detectByBrands(fileType(head));
  return notAccepted(rejected.find(([start]) => head.startsWith(start))?.[1] ?? textFormat(head));
}

function notAccepted(name: string): { error: string } {
  return { error: `${name} files are not accepted. Upload a JPEG, PNG, WebP, GIF or AVIF image.` };
}

/** The file type box of a file, and whether the low-overhead header `mini` follows it. */
type FileType = { brands: string[]; minimized: boolean };

/**
 * Reads the brands in the file type box (ISO/IEC 14496-12, section 4.3): the major one, the minor version, which is a brand in
 * minimized files (ISO/IEC 23008-12, annex O), and the compatible ones.
 */
function fileType(head: string): FileType {
  const length = [0, 1, 2, 3].reduce((value, at) => value * 256 + head.charCodeAt(at), 0);
  const end = Math.min(length, head.length);
  const brands = [];
  for (let at = 8; at + 4 <= end; at += 4) brands.push(head.slice(at, at + 4));
  return { brands, minimized: head.startsWith("mini", length + 4) };
}

function detectByBrands({ brands, minimized }: FileType): Detected {
  const isAvif = brands.some((brand) => avifBrands.includes(brand));
  // libvips reads no minimized files, and most browsers neither.
  if (isAvif && minimized) return { ...notAccepted("Minimized AVIF"), heif: true };
  if (isAvif) return { type: "avif" };
  if (!brands.some((brand) => heifBrands.includes(brand))) return notAccepted("Video");
  return {
    heif: true,
    error:
      "HEIC images are not accepted. Convert the photo to JPEG and upload that. (To take JPEG photos with an iPhone, choose Settings > Camera > Formats > Most Compatible.)",
  };
}

/** Returns the name of a text format, or "These" for unknown binary data, with which the error message begins. */
function textFormat(head: string): string {
  if (/^(?:\xef\xbb\xbf)?\s*<(?:.*<)?svg[\s>]/is.test(head)) return "SVG";
  return /^[\t\n\f\r\x20-\x7e\x80-\xff]+$/.test(head) ? "Text" : "These";
}
