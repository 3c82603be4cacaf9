import { Fault } from "../base/fault.ts";
import { accept, detectType, maxInterlacedBytes, maxPixelsOf, type Type } from "./accepted.ts";

/** Returns the format of an image. Throws `unsupported` `image_type_not_supported`, naming the detected format. */
export function typeOf(bytes: Uint8Array): Type {
  const detected = detectType(bytes);
  if ("type" in detected) return detected.type;
  throw new Fault("unsupported", "image_type_not_supported", detected.error, { accept });
}

/**
 * Returns the file as libvips recognizes it. libvips looks at the major brand of an AVIF file only, and knows no `avis`, the one of
 * animations, although their first frame is an image like any other.
 */
export function forDecoder(type: Type, bytes: Buffer): Buffer {
  if (type !== "avif" || knownMajorBrands.includes(bytes.toString("latin1", 8, 12))) return bytes;
  const copy = Buffer.from(bytes);
  copy.write("avif", 8, "latin1");
  return copy;
}

const knownMajorBrands = ["avif", "mif1", "msf1"];

/**
 * Returns whether the file contains its end marker. JPEG and PNG are decoded only down to the last row of the cropped square,
 * so a file truncated below it would decode without an error. The other decoders read the whole first frame.
 */
export function isComplete(type: Type, bytes: Buffer): boolean {
  if (type === "png") return bytes.includes("IEND", 8, "latin1");
  return type !== "jpeg" || hasEndOfImage(bytes);
}

export type Dimensions = {
  width: number;
  height: number;
  channels: number;
  bytesPerSample: number;
  /** True for interlaced PNG and progressive JPEG, which must be decoded completely before any row is final. */
  interlaced: boolean;
};

/** Rejects an image that would need too much memory to decode. Throws `invalid` `image_dimensions_exceeded`. */
export function checkDimensions(
  type: Type,
  { width, height, channels, bytesPerSample, interlaced }: Dimensions,
): void {
  const pixels = width * height;
  const limit = maxPixelsOf(type);
  if (pixels > limit)
    throw exceeded(
      `The image has ${width} x ${height} pixels (${roundedUp(pixels / 1e6)} million). The maximum for ${type.toUpperCase()} is ${limit / 1e6} million. Make it smaller.`,
    );
  const bytes = pixels * channels * bytesPerSample;
  if (interlaced && bytes > maxInterlacedBytes)
    throw exceeded(
      `The image is interlaced or progressive and has ${width} x ${height} pixels, ${roundedUp(bytes / mebi)} MiB when decoded. The maximum is ${maxInterlacedBytes / mebi} MiB. Make it smaller, or save it without interlacing.`,
    );
}

const mebi = 1024 * 1024;

/** Rounds up to one decimal, so that a value over a limit never looks like the limit. */
function roundedUp(value: number): number {
  return Math.ceil(value * 10) / 10;
}

function exceeded(message: string): Fault {
  return new Fault("invalid", "image_dimensions_exceeded", message);
}

/**
 * Finds the end-of-image marker (ITU-T T.81, annex B) after the headers. Skips the headers by their lengths, since an
 * embedded thumbnail contains an end-of-image marker too. Skips stray bytes before a marker, as libjpeg and browsers do.
 */
function hasEndOfImage(bytes: Buffer): boolean {
  let at = 2;
  for (;;) {
    at = bytes.indexOf(0xff, at);
    // Any number of fill bytes may precede a marker.
    while (bytes[at] === 0xff) at++;
    const marker = bytes[at];
    if (marker === undefined || at + 3 > bytes.length) return false;
    at += standsAlone(marker) ? 1 : 1 + bytes.readUInt16BE(at + 1);
    // Searching from the end takes microseconds in a complete file.
    if (marker === 0xda) return bytes.lastIndexOf("\xff\xd9", undefined, "latin1") >= at;
  }
}

/** Returns whether a marker has no length: an escaped byte 0xFF, TEM, RST0 to RST7 or SOI. */
function standsAlone(marker: number): boolean {
  return marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8);
}
