import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { crc32 } from "node:zlib";
import { throwS3Error } from "./s3-error.ts";

/** Maximum size of an object, far above what this system stores. S3 accepts 5 GB in one put. */
const maxBytes = 64 * 2 ** 20;

/**
 * Reads the object in a PUT request: removes the framing of aws-chunked and verifies length, payload hash, Content-MD5 and
 * x-amz-checksum-*. Throws S3 errors.
 */
export async function readObject(request: IncomingMessage, headers: Record<string, string>, payload: string) {
  const decodedLength = headers["x-amz-decoded-content-length"];
  if (headers["content-length"] === undefined && decodedLength === undefined)
    throwS3Error(411, "MissingContentLength", "You must provide the Content-Length HTTP header.");
  const sent = await collect(request, Number(headers["content-length"] ?? decodedLength));
  const { body, trailers } = unframe(sent, payload);
  if (decodedLength !== undefined && Number(decodedLength) !== body.length)
    throwS3Error(400, "IncompleteBody", "The length of the body differs from x-amz-decoded-content-length.");
  if (headers["content-md5"] !== undefined && headers["content-md5"] !== digest("md5", body))
    throwS3Error(400, "BadDigest", "The Content-MD5 you specified did not match what we received.");
  for (const [name, value] of Object.entries({ ...headers, ...trailers })) {
    const algorithm = /^x-amz-checksum-((?:crc|sha)\w+)$/.exec(name)?.[1];
    if (algorithm && value !== checksum(algorithm, body))
      throwS3Error(400, "BadDigest", `The ${algorithm} you specified did not match the calculated checksum.`);
  }
  return body;
}

async function collect(request: IncomingMessage, declaredBytes: number): Promise<Buffer> {
  const tooLarge = () => throwS3Error(400, "EntityTooLarge", "The object is larger than this store allows.");
  if (declaredBytes > maxBytes) tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function unframe(sent: Buffer, payload: string): { body: Buffer; trailers: Record<string, string> } {
  if (payload === "UNSIGNED-PAYLOAD") return { body: sent, trailers: {} };
  if (payload === "STREAMING-UNSIGNED-PAYLOAD-TRAILER") return decodeChunks(sent);
  if (payload.startsWith("STREAMING-"))
    throwS3Error(501, "NotImplemented", "The local bucket does not support signed chunks.");
  if (!/^[0-9a-f]{64}$/.test(payload))
    throwS3Error(
      400,
      "InvalidArgument",
      "x-amz-content-sha256 must be UNSIGNED-PAYLOAD or a valid sha256 value.",
    );
  if (payload !== createHash("sha256").update(sent).digest("hex"))
    throwS3Error(
      400,
      "XAmzContentSHA256Mismatch",
      "The x-amz-content-sha256 you specified did not match the body.",
    );
  return { body: sent, trailers: {} };
}

/** Decodes aws-chunked: repeated hexadecimal size and data, a size of 0, then trailing headers. */
function decodeChunks(sent: Buffer): { body: Buffer; trailers: Record<string, string> } {
  const parts: Buffer[] = [];
  const trailers: Record<string, string> = {};
  let position = 0;
  const line = () => {
    const end = sent.indexOf("\r\n", position);
    if (end < 0) throwS3Error(400, "IncompleteBody", "The body ended in the middle of its framing.");
    const text = sent.toString("latin1", position, end);
    position = end + 2;
    return text;
  };
  for (;;) {
    const size =
      /^[0-9a-f]{1,8}$/i.exec(line())?.[0] ?? throwS3Error(400, "InvalidRequest", "A chunk has no size.");
    const length = Number.parseInt(size, 16);
    if (length === 0) break;
    parts.push(sent.subarray(position, position + length));
    position += length;
    if (line() !== "") throwS3Error(400, "InvalidRequest", "The length of a chunk differs from its size.");
  }
  for (let text = line(); text !== ""; text = line()) {
    const colon = text.indexOf(":");
    trailers[text.slice(0, colon).toLowerCase()] = text.slice(colon + 1).trim();
  }
  return { body: Buffer.concat(parts), trailers };
}

function checksum(algorithm: string, body: Buffer): string {
  if (algorithm === "sha1" || algorithm === "sha256") return digest(algorithm, body);
  if (algorithm !== "crc32")
    throwS3Error(501, "NotImplemented", "The local bucket supports only crc32, sha1 and sha256 checksums.");
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return sum.toString("base64");
}

function digest(algorithm: string, body: Buffer): string {
  return createHash(algorithm).update(body).digest("base64");
}
