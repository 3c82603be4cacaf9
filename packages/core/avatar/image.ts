// TEMPORARY by the lead, so that others can run: helper-1's image.ts replaces this file.
import { Fault } from "../fault.ts";

export const maxBytes = 4_500_000;
export const effort = 3;

export async function optimise(bytes: Uint8Array) {
  if (bytes.length > maxBytes) throw new Fault("too_large", "file_too_large", "Too large.");
  if (bytes.length === 0) throw new Fault("invalid", "image_invalid", "Empty.");
  const head = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  if (!/^(\xff\xd8|\x89PNG|GIF8|RIFF)/.test(head) && !head.includes("ftypavif"))
    throw new Fault("unsupported", "image_type_not_supported", "Not supported.");
  const { default: sharp } = await import("sharp");
  const buffer = await sharp(bytes)
    .autoOrient()
    .resize(400, 400, { fit: "cover" })
    .webp({ quality: 80, effort })
    .toBuffer();
  return {
    buffer,
    contentType: "image/webp" as const,
    ext: ".webp" as const,
    originalSize: bytes.length,
    optimizedSize: buffer.length,
  };
}
