import { readFileSync } from "node:fs";
import { crc32 } from "node:zlib";
import sharp, { type Sharp } from "sharp";

export type Size = { width: number; height: number };
export type Colour = { r: number; g: number; b: number };

/** The corner colours of the test images. All differ clearly, so that every rotation and reflection is detectable. */
export const corners = {
  topLeft: { r: 235, g: 235, b: 235 },
  topRight: { r: 200, g: 40, b: 40 },
  bottomLeft: { r: 40, g: 70, b: 190 },
  bottomRight: { r: 25, g: 25, b: 25 },
} as const satisfies Record<string, Colour>;

/** Creates an image of four single-coloured quarters, which compresses well. `alpha` (0 to 255) applies to the last quarter. */
export function quarters({ width, height, alpha }: Size & { alpha?: number }): Sharp {
  const pixels = Object.values(corners).flatMap(({ r, g, b }, at) =>
    alpha === undefined ? [r, g, b] : [r, g, b, at === 3 ? alpha : 255],
  );
  return sharp(Buffer.from(pixels), {
    raw: { width: 2, height: 2, channels: alpha === undefined ? 3 : 4 },
    limitInputPixels: false,
  }).resize(width, height, { fit: "fill", kernel: "nearest" });
}

/** Creates an image of one colour. */
export function plain(colour: Colour, { width, height }: Size = { width: 480, height: 440 }): Sharp {
  return sharp({ create: { width, height, channels: 3, background: colour } });
}

/** Options of a test photo. */
export type Photo = Partial<Size> & {
  /**
   * Exif orientation, 1 to 8. The stored pixels compensate for it, so that viewers show the same image for every orientation.
   */
  orientation?: number;
  format?: "jpeg" | "png" | "webp" | "avif" | "gif";
};

/** Plain text in the Exif and XMP data of each photo. */
export const secrets = ["Camera of Ada", "Held by Ada"] as const;

/** Creates an image with the metadata of a phone: orientation, GPS location, names, XMP and a Display P3 profile. */
export async function photo({
  width = 1200,
  height = 900,
  orientation = 1,
  format = "jpeg",
}: Photo = {}): Promise<Buffer> {
  const stored = quarters({ width, height });
  const png = await stored.png({ compressionLevel: 1 }).toBuffer();
  const tagged = asStored(sharp(png), orientation)
    .withExif({
      IFD0: { Model: secrets[0], Copyright: secrets[1], Orientation: String(orientation) },
      IFD3: { GPSLatitudeRef: "N", GPSLatitude: "51/1 30/1 3230/100" },
    })
    .withMetadata({ orientation })
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><!-- ${secrets[1]} --></x:xmpmeta>`);
  // GIF does not support colour profiles, so its colours are sRGB.
  return (format === "gif" ? tagged : tagged.withIccProfile("p3"))
    [format]({ quality: 90, ...(format === "avif" && { effort: 0 }) })
    .toBuffer();
}

/** Applies the inverse of the orientation. */
function asStored(image: Sharp, orientation: number): Sharp {
  const degrees = { 3: 180, 4: 180, 5: 270, 6: 270, 7: 90, 8: 90 }[orientation] ?? 0;
  return image.flop([2, 4, 5, 7].includes(orientation)).rotate(degrees);
}

/** Creates a CMYK JPEG with or without a profile. */
export function cmykJpeg(colour: Colour, { profile = true } = {}): Promise<Buffer> {
  const image = plain(colour).toColourspace("cmyk").jpeg({ quality: 100 });
  return (profile ? image.withIccProfile("cmyk") : image).toBuffer();
}

/** Creates a PNG of 16 bits per sample. The colour is given in sRGB and converted to the profile. */
export function png16(colour: Colour, profile?: "srgb" | "p3"): Promise<Buffer> {
  const image = plain(colour).toColourspace("rgb16").png();
  return (profile ? image.withIccProfile(profile) : image).toBuffer();
}

/** Creates a PNG of 8 bits per sample in Display P3. The colour is given in sRGB. */
export function p3Png(colour: Colour): Promise<Buffer> {
  return plain(colour).withIccProfile("p3").png().toBuffer();
}

export function greyPng(colour: Colour, depth: 8 | 16): Promise<Buffer> {
  return plain(colour)
    .toColourspace(depth === 8 ? "b-w" : "grey16")
    .png()
    .toBuffer();
}

/** Creates an interlaced PNG (Adam7) with alpha: 4 or 8 bytes per pixel. */
export function interlacedPng(size: Size, depth: 8 | 16 = 8): Promise<Buffer> {
  return deep(quarters({ ...size, alpha: 128 }), depth)
    .png({ progressive: true, compressionLevel: 4 })
    .toBuffer();
}

export function png(size: Size, { alpha, depth = 8 }: { alpha?: number; depth?: 8 | 16 } = {}) {
  return deep(quarters(alpha === undefined ? size : { ...size, alpha }), depth)
    .png({ compressionLevel: depth === 16 ? 4 : 1 })
    .toBuffer();
}

export function jpeg(size: Size, { progressive = false } = {}): Promise<Buffer> {
  return quarters(size).jpeg({ progressive, chromaSubsampling: "4:4:4" }).toBuffer();
}

export function webp(size: Size, { lossless = false, alpha }: { lossless?: boolean; alpha?: number } = {}) {
  return quarters(alpha === undefined ? size : { ...size, alpha })
    .webp({ effort: 0, lossless })
    .toBuffer();
}

/** Creates an AVIF with 8 bits and 4:2:0 chroma, or the deepest format: 12 bits, 4:4:4 chroma and alpha. */
export function avif(size: Size, { deepest = false } = {}): Promise<Buffer> {
  return deepest
    ? quarters({ ...size, alpha: 128 })
        .avif({ effort: 0, bitdepth: 12, chromaSubsampling: "4:4:4" })
        .toBuffer()
    : quarters(size).avif({ effort: 0, chromaSubsampling: "4:2:0" }).toBuffer();
}

export function gif(size: Size): Promise<Buffer> {
  return quarters(size).gif({ effort: 1 }).toBuffer();
}

/** Creates an animation of two frames of one colour each. */
export async function animation(format: "gif" | "webp", first: Colour, second: Colour, size?: Size) {
  const frames = await Promise.all([first, second].map((colour) => plain(colour, size).png().toBuffer()));
  return sharp(frames, { join: { animated: true } })
    [format]({ effort: 1 })
    .toBuffer();
}

/** Creates a PNG with a valid header and no pixel data. */
export function pngHeader({ width, height }: Size): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", Buffer.alloc(0)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Creates an ISO/IEC 14496-12 file type box with these brands, followed by undecodable data. */
export function ftyp(major: string, ...compatible: string[]): Buffer {
  const box = Buffer.from(`\0\0\0\0ftyp${major}\0\0\0\0${compatible.join("")}`, "latin1");
  box.writeUInt32BE(box.length);
  return Buffer.concat([box, Buffer.alloc(64)]);
}

/** Creates the start of a minimized HEIF file (ISO/IEC 23008-12, annex O) with this codec's brand. */
export function minimized(codec: "heic" | "avif"): Buffer {
  return Buffer.from(`\0\0\0\x10ftypmif3${codec}\0\0\0\x10mini${"\0".repeat(8)}`, "latin1");
}

/** Returns a HEIC photo of 64 x 48 pixels: a PNG of one colour, converted with `heif-enc -q 50` of Debian 12 (libheif 1.15). */
export function heic(): Buffer {
  return readFileSync(new URL("photo.heic", import.meta.url));
}

export function svg(): Buffer {
  return Buffer.from(
    `<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>`,
  );
}

export function tiff(): Promise<Buffer> {
  return quarters({ width: 64, height: 64 }).tiff().toBuffer();
}

export function pdf(): Buffer {
  return Buffer.from("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\nendobj\n", "latin1");
}

function deep(image: Sharp, depth: 8 | 16): Sharp {
  return depth === 16 ? image.toColourspace("rgb16") : image;
}

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
