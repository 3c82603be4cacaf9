import { Busboy } from "@fastify/busboy";
import { maxBytes, tooLarge } from "@svc/core/avatar/accepted";
import { Fault } from "@svc/core/base/fault";
import type { Call, Step } from "./api.ts";

/** The limits of the parser. Every form of the web client stays far below them. */
const limits = { fields: 50, parts: 60, fieldSize: 65_536, headerPairs: 50, fileSize: maxBytes };

type File = { name: string; content: Buffer; truncated: boolean };

/**
 * Reads the only file of a multipart/form-data body into memory, regardless of the name of its part. Ignores text fields.
 * Adds `file`.
 */
export function imageUpload(): Step<Call, { file: Buffer }> {
  return {
    contract: {
      content: {
        "multipart/form-data": {
          schema: {
            type: "object",
            properties: { avatar: { type: "string", contentMediaType: "image/*" } },
            required: ["avatar"],
          },
        },
      },
      codes: {
        malformed: ["multipart_malformed", "file_missing", "too_many_files"],
        too_large: ["file_too_large"],
        unsupported: ["unsupported_media_type"],
      },
    },
    async before({ event: { headers, body = "", isBase64Encoded } }) {
      const type = headers["content-type"] ?? "";
      if (!/^multipart\/form-data\s*(?:;|$)/i.test(type))
        throw new Fault("unsupported", "unsupported_media_type", "Send the image as multipart/form-data.", {
          accept: "multipart/form-data",
        });
      return { file: onlyFile(await filesOf(Buffer.from(body, isBase64Encoded ? "base64" : "utf8"), type)) };
    },
  };
}

/** Parses a body (RFC 7578). Each stream needs its own error listener: an unhandled error event would end the process. */
function filesOf(body: Buffer, type: string): Promise<File[]> {
  const { promise, resolve, reject } = Promise.withResolvers<File[]>();
  const malformed = (cause: unknown) =>
    reject(
      new Fault(
        "malformed",
        "multipart_malformed",
        "The multipart body cannot be parsed. Check that it matches the boundary of its Content-Type.",
        { cause },
      ),
    );
  const files: File[] = [];
  try {
    const parser = new Busboy({ headers: { "content-type": type }, limits });
    parser.on("file", (_part, stream, name) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () =>
        files.push({ name: name ?? "", content: Buffer.concat(chunks), truncated: stream.truncated }),
      );
      stream.on("error", malformed);
    });
    parser.on("finish", () => resolve(files));
    parser.on("error", malformed);
    parser.end(body);
  } catch (cause) {
    malformed(cause);
  }
  return promise;
}

/** Returns the content of the only file. A file input left empty sends a part without name and content, which is skipped. */
function onlyFile(parts: readonly File[]): Buffer {
  const files = parts.filter(({ name, content }) => name !== "" || content.length > 0);
  if (files.length > 1) throw new Fault("malformed", "too_many_files", "Send one image at a time.");
  const [file] = files;
  if (!file)
    throw new Fault(
      "malformed",
      "file_missing",
      "A file is required. Send the image as a part named avatar.",
    );
  if (file.truncated) throw new Fault("too_large", "file_too_large", tooLarge);
  return file.content;
}
