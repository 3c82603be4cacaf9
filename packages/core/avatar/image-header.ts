import { Fault } from "../base/fault.ts";
import { accept, judge, maxPixelsOf, type Type } from "./accepted.ts";

/** Most bytes (width x height x channels x bytes per sample) of a picture whose every row comes in several passes. */
export const maxInterlacedBytes = 128 * 1024 * 1024;

/** What these bytes are. Throws 415 `image_type_not_supported` with the name of what came instead. */
export function typeOf(bytes: Uint8Array): Type {
  const verdict = judge(bytes);
  if ("type" in verdict) return verdict.type;
  throw new Fault("unsupported", "image_type_not_supported", verdict.refusal, { accept });
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
export function authorize(type: Type, { width, height, channels, bytesPerSample, interlaced }: Extent): void {
  const pixels = width * height;
  const limit = maxPixelsOf(type);
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
