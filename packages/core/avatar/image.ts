import type { Metadata, OutputInfo, Sharp } from "sharp";
import { Fault } from "../base/fault.ts";
import * as Accepted from "./accepted.ts";
import * as Header from "./image-header.ts";
import * as ThumbHash from "./thumb-hash.ts";

/** The small version of an avatar. */
export type Small = {
  /** A WebP of 96 x 96 pixels. */
  buffer: Buffer;
  /** ThumbHash of the picture, about 25 bytes. */
  thumbHash: Uint8Array;
};

export type Optimised = {
  buffer: Buffer;
  contentType: "image/webp";
  ext: ".webp";
  /** Size of the uploaded file in bytes. */
  originalSize: number;
  /** Size of `buffer` in bytes. It can exceed `originalSize` for tiny images. */
  optimizedSize: number;
  small: Small;
};

/** Width and height of the result in pixels. */
export const side = 400;

/** Width and height of the small version in pixels. Lists show avatars at 32 to 48, which is 96 on dense displays. */
export const smallSide = 96;

/** WebP quality of both sizes, from 0 to 100. */
export const quality = 80;

/**
 * WebP effort of both sizes, from 0 to 6. Measured on 25 photos of phones and cameras, 1 takes two thirds of the time of 2 at
 * 400 pixels, with the same quality (SSIM 0.975 and 0.976) and 8 % more bytes. At 96 pixels both take the same time, so there
 * the smaller result counts.
 */
export const effort = { large: 1, small: 2 } as const;

/** Time limit for decoding, well within the 30 seconds of an API call. */
export const timeoutSeconds = 10;

// By default, libvips writes images of over 100 MB to temporary files. Uploads must never touch the disk, and those within
// the limits fit into memory. libvips reads this variable on first use, so it is set before sharp is imported.
process.env.VIPS_DISC_THRESHOLD = "1000g";

/** The steps from a file to the pixels of the square. Orientation comes after resizing, so that few pixels are held in memory. */
const steps = [cropToSquare, orient, convertToSrgb] as const;

/**
 * Converts an image to a 400 x 400 WebP and its small version: the centre square, upright, in sRGB, with alpha and without
 * metadata. Decodes the file once for both. Processes one image at a time, so a process never decodes two at once. Throws
 * `too_large` `file_too_large`, `unsupported` `image_type_not_supported`, `invalid` `image_invalid` (empty, truncated or undecodable) and, before decoding any pixel,
 * `invalid` `image_dimensions_exceeded`.
 */
export async function optimise(bytes: Uint8Array): Promise<Optimised> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.length > Accepted.maxBytes)
    throw new Fault("too_large", "file_too_large", Accepted.tooLarge(file.length));
  if (file.length === 0) throw invalid(Accepted.empty);
  const type = Header.typeOf(file);
  const image = await open(Header.forDecoder(type, file));
  const header = await image.metadata().catch(undecodable);
  Header.checkDimensions(type, {
    width: header.width,
    height: header.height,
    channels: header.channels,
    bytesPerSample: header.depth === "ushort" ? 2 : 1,
    interlaced: header.isProgressive,
  });
  if (!Header.isComplete(type, file)) undecodable();
  const pipeline = steps.reduce((result, step) => step(result, header), image);
  const [buffer, small] = await runExclusively(async () => {
    const square = await pixelsOf(pipeline).catch(undecodable);
    return Promise.all([encode(await fromPixels(square), effort.large), smallOf(square)]);
  });
  return {
    buffer,
    contentType: "image/webp",
    ext: ".webp",
    originalSize: file.length,
    optimizedSize: buffer.length,
    small,
  };
}

/** Makes the small version of a stored avatar. Throws `invalid` `image_invalid`. */
export async function reduce(avatar: Uint8Array): Promise<Small> {
  const image = await open(Buffer.from(avatar.buffer, avatar.byteOffset, avatar.byteLength));
  return runExclusively(async () => smallOf(await pixelsOf(image).catch(undecodable)));
}

async function open(file: Buffer): Promise<Sharp> {
  const { default: sharp } = await import("sharp");
  sharp.cache(false);
  sharp.concurrency(1);
  // `checkDimensions` enforces stricter pixel limits with a specific error.
  return sharp(file, { failOn: "error", limitInputPixels: false }).timeout({ seconds: timeoutSeconds });
}

/**
 * Crops the image to its centre square and resizes it. Where the decoder can shrink on load, resizing crops too. Otherwise the
 * image is cropped first, or a strip of 1 x 10,000 pixels would be enlarged to 400 x 4,000,000.
 */
function cropToSquare(image: Sharp, { format, width, height }: Metadata): Sharp {
  const shorter = Math.min(width, height);
  const shrinksOnLoad = (format === "jpeg" || format === "webp") && shorter >= 3 * side;
  const cropped = shrinksOnLoad
    ? image
    : image.extract({
        left: Math.floor((width - shorter) / 2),
        top: Math.floor((height - shorter) / 2),
        width: shorter,
        height: shorter,
      });
  return cropped.resize(side, side, { fit: "cover", position: "centre" });
}

/**
 * Makes the image upright by its Exif orientation tag (CIPA DC-008, section 4.6.5.1.6): first mirrors it, then rotates it
 * clockwise.
 */
function orient(image: Sharp, { orientation = 1 }: Metadata): Sharp {
  const mirrored = [2, 4, 5, 7].includes(orientation);
  const degrees = { 3: 180, 4: 180, 5: 270, 6: 90, 7: 90, 8: 270 }[orientation] ?? 0;
  return image.flop(mirrored).rotate(degrees);
}

/**
 * Converts the image to sRGB. sharp does so by itself for every profile, except that 16-bit images with a profile end up in
 * Display P3.
 */
function convertToSrgb(image: Sharp, { space, hasProfile }: Metadata): Sharp {
  return space === "rgb16" && hasProfile ? image.withIccProfile("srgb", { attach: false }) : image;
}

/** Decoded pixels, 8 bits for each of red, green, blue and, with four channels, alpha. */
type Pixels = { data: Buffer; info: OutputInfo };

function pixelsOf(image: Sharp): Promise<Pixels> {
  return image.raw().toBuffer({ resolveWithObject: true });
}

async function fromPixels({ data, info: { width, height, channels } }: Pixels): Promise<Sharp> {
  const { default: sharp } = await import("sharp");
  return sharp(data, { raw: { width, height, channels } });
}

function encode(image: Sharp, level: number): Promise<Buffer> {
  return image.webp({ quality, effort: level }).toBuffer();
}

async function smallOf(square: Pixels): Promise<Small> {
  const [buffer, thumbHash] = await Promise.all([
    encode((await fromPixels(square)).resize(smallSide, smallSide), effort.small),
    thumbHashOf(square),
  ]);
  return { buffer, thumbHash };
}

async function thumbHashOf(square: Pixels): Promise<Uint8Array> {
  const coarse = (await fromPixels(square)).resize(ThumbHash.side, ThumbHash.side).blur(ThumbHash.blur);
  return ThumbHash.encode((await pixelsOf(coarse.ensureAlpha())).data);
}

let queue: Promise<unknown> = Promise.resolve();

/** Runs `work` after all earlier work has finished. Decoding takes up to 300 MiB and a whole core. */
function runExclusively<T>(work: () => Promise<T>): Promise<T> {
  const result = queue.then(work);
  queue = result.then(
    () => undefined,
    () => undefined,
  );
  return result;
}

function undecodable(cause?: unknown): never {
  throw invalid(Accepted.undecodable, cause);
}

function invalid(message: string, cause?: unknown): Fault {
  return new Fault("invalid", "image_invalid", message, { cause });
}
