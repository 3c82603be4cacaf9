/**
 * Which pictures are taken: told from the first bytes, and up to which size. This needs nothing else, so that the web client
 * refuses the same files with the same words before it sends them.
 */

/** The kinds of picture that are taken. Of an animation the first frame counts. */
export type Type = "jpeg" | "png" | "webp" | "gif" | "avif";

/** The media types of what is taken, in the notation of an Accept header. */
export const accept = "image/jpeg, image/png, image/webp, image/gif, image/avif";

/** Most bytes of an uploaded file: with base64 and the multipart frame this fits into the 6 MB of a Lambda event. */
export const maxBytes = 4_500_000;

/** Most pixels of a picture. */
const maxPixels = 50_000_000;

/** Most pixels where the decoder holds the whole picture several times over. */
const maxPixelsSlowFormats = 12_000_000;

const slow: readonly Type[] = ["avif", "gif"];

/** Most pixels of a picture of this kind. */
export function maxPixelsOf(type: Type): number {
  return slow.includes(type) ? maxPixelsSlowFormats : maxPixels;
}

export const empty = "The file is empty.";
export const tooLarge = `A picture may have ${maxBytes} bytes at most.`;
export const undecodable = "The picture is damaged, cut off or too slow to decode. Save it again as JPEG.";

/** How many bytes of a file tell what it is. */
export const headBytes = 1024;

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
 * What a file that begins with these bytes is, by its signature, or in words why it is not taken. A name or a content type
 * is never asked.
 */
export function judge(bytes: Uint8Array): { type: Type } | { refusal: string } {
  const head = String.fromCharCode(...bytes.subarray(0, headBytes));
  const known = signatures.find(([start]) => head.startsWith(start));
  if (known) return { type: known[1] };
  if (head.startsWith("RIFF") && head.startsWith("WEBP", 8)) return { type: "webp" };
  if (head.startsWith("ftyp", 4)) return ofBrands(brands(head));
  return refusal(refused.find(([start]) => head.startsWith(start))?.[1] ?? textual(head));
}

function refusal(name: string): { refusal: string } {
  return { refusal: `${name} files are not taken. Upload a JPEG, PNG, WebP, GIF or AVIF picture.` };
}

/** The major and the compatible brands of the file type box (ISO/IEC 14496-12, section 4.3). */
function brands(head: string): string[] {
  const length = [0, 1, 2, 3].reduce((value, at) => value * 256 + head.charCodeAt(at), 0);
  const end = Math.min(length, head.length);
  const found = [head.slice(8, 12)];
  for (let at = 16; at + 4 <= end; at += 4) found.push(head.slice(at, at + 4));
  return found;
}

function ofBrands(found: readonly string[]): { type: Type } | { refusal: string } {
  if (found.some((brand) => avifBrands.includes(brand))) return { type: "avif" };
  if (!found.some((brand) => heifBrands.includes(brand))) return refusal("Video");
  return {
    refusal:
      "HEIC pictures are not taken. Export or convert the photo to JPEG and upload that. (An iPhone takes JPEG photos with Settings, Camera, Formats, Most Compatible.)",
  };
}

function textual(head: string): string {
  if (/^(?:\xef\xbb\xbf)?\s*<(?:.*<)?svg[\s>]/is.test(head)) return "SVG";
  return /^[\t\n\f\r\x20-\x7e\x80-\xff]+$/.test(head) ? "Text" : "These";
}
