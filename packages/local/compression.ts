import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import Negotiator from "negotiator";

/** Something to send. Contents with the same key have the same body. */
export type Content = { key: string; type: string; body: Buffer };

/** A body in the encoding that its headers name. */
export type Encoded = { body: Buffer; headers: { "content-encoding"?: Encoding } };

type Encoding = keyof typeof encoders;

/** Returns the content in an encoding that this Accept-Encoding accepts. */
export type Compressor = (accepted: string | string[] | undefined, content: Content) => Promise<Encoded>;

/** Smaller bodies hardly become smaller. The same as that of CloudFront. */
const minBytes = 1000;

/** The encodings in the order in which they are chosen between equals. */
const encoders = {
  // Higher qualities take seconds for a megabyte, and save a tenth.
  br: (body: Buffer) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body: Buffer) => promisify(gzip)(body, { level: constants.Z_BEST_COMPRESSION }),
};
const preferred = Object.keys(encoders);

/** Returns whether a compressed body of this type would be smaller. */
export function isCompressible({ type, body }: Pick<Content, "type" | "body">): boolean {
  return body.length >= minBytes && /^(?:text\/|application\/json|image\/svg\+xml)/.test(type);
}

/** Compresses each content once per encoding, outside the main thread, and keeps the result. */
export function compressor(): Compressor {
  const kept = new Map<string, Promise<Buffer>>();
  return async (accepted, content) => {
    const encoding = isCompressible(content) ? chosen(accepted) : undefined;
    if (encoding === undefined) return { body: content.body, headers: {} };
    const key = `${encoding} ${content.key}`;
    const compressed = kept.get(key) ?? encoders[encoding](content.body);
    kept.set(key, compressed);
    return { body: await compressed, headers: { "content-encoding": encoding } };
  };
}

/** Returns the best encoding that the client accepts, or undefined for none (RFC 9110, section 12.5.3). */
function chosen(accepted: string | string[] | undefined): Encoding | undefined {
  if (accepted === undefined) return undefined;
  // The types of the package lack the option of its version 1.
  const negotiator = new Negotiator({ headers: { "accept-encoding": String(accepted) } }) as unknown as {
    encoding(available: readonly string[], options: { preferred: readonly string[] }): string | undefined;
  };
  const encoding = negotiator.encoding([...preferred, "identity"], { preferred });
  return encoding === undefined || encoding === "identity" ? undefined : (encoding as Encoding);
}
