import { accept, maxBytes, tooLarge } from "@svc/core/avatar/accepted";
import { Fault } from "@svc/core/base/fault";
import type { Call, Step } from "./api.ts";
import { bodyCodes, bodyOf } from "./body.ts";
import { type FormPart, parseForm } from "./multipart.ts";

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
            properties: {
              avatar: { description: "The image file.", contentMediaType: "application/octet-stream" },
            },
            required: ["avatar"],
          },
          encoding: { avatar: { contentType: accept } },
        },
      },
      codes: {
        malformed: ["multipart_malformed", "file_missing", "too_many_files"],
        too_large: ["file_too_large"],
        ...bodyCodes,
      },
    },
    async before(call) {
      const type = call.event.headers["content-type"] ?? "";
      if (!/^multipart\/form-data\s*(?:;|$)/i.test(type))
        throw new Fault("unsupported", "unsupported_media_type", "Send the image as multipart/form-data.", {
          accept: "multipart/form-data",
        });
      return { file: onlyFile(await parseForm(bodyOf(call), type)) };
    },
  };
}

/** Returns the content of the only file. */
function onlyFile(parts: readonly FormPart[]): Buffer {
  const files = parts.filter(isFile);
  if (files.length > 1) throw new Fault("malformed", "too_many_files", "Send one image at a time.");
  const [file] = files;
  if (!file)
    throw new Fault(
      "malformed",
      "file_missing",
      "A file is required. Send the image as a part named avatar.",
    );
  const bytes = file.content.length;
  if (bytes > maxBytes) throw new Fault("too_large", "file_too_large", tooLarge(bytes));
  return file.content;
}

/** Returns whether a part is a file. A file input that was left empty sends a part without a name and content, which is none. */
function isFile({ filename, mimetype, content }: FormPart): boolean {
  if (filename) return true;
  return content.length > 0 && (filename === "" || mimetype === "application/octet-stream");
}
