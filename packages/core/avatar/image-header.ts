import { Fault } from "../base/fault.ts";
import { accept, detectType, maxPixelsOf, type Type } from "./accepted.ts";

/** Maximum size in bytes (width x height x channels x bytes per sample) of an interlaced or progressive image. */
export const maxInterlacedBytes = 128 * 1024 * 1024;

/** Returns the format of an image. Throws `unsupported` `image_type_not_supported`, naming the detected format. */
export function typeOf(bytes: Uint8Array): Type {
  const detected = detectType(bytes);
  if ("type" in detected) return detected.type;
  throw new Fault("unsupported", "image_type_not_supported", detected.error, { accept });
}

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
      `The image has ${width} x ${height} pixels. The maximum for ${type.toUpperCase()} is ${limit / 1e6} million. Make it smaller.`,
    );
  if (interlaced && pixels * channels * bytesPerSample > maxInterlacedBytes)
    throw exceeded(
      `An interlaced or progressive image of ${width} x ${height} pixels is too large. Make it smaller, or save it without interlacing.`,
    );
}

function exceeded(message: string): Fault {
  return new Fault("invalid", "image_dimensions_exceeded", message);
}

/**
 * Finds the end-of-image marker (ITU-T T.81, annex B) after the headers. Skips the headers by their lengths, since an
 * embedded thumbnail contains an end-of-image marker too.
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
