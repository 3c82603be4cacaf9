import parser from "@middy/http-multipart-body-parser";
import { maxBytes } from "@svc/core/avatar/image";
import { Fault } from "@svc/core/fault";
import type { Call, Step } from "./api.ts";

type Part = { filename: string | undefined; content: Buffer };

/** More parts than any form has: the parser stops there. */
const limits = { files: 2, fields: 50, parts: 60, fieldSize: 65_536, fileSize: maxBytes };

// Its own check of the content type refuses legal boundaries (RFC 2046, section 5.1.1), so ours comes first.
const parse = parser({ disableContentTypeCheck: true, busboy: { limits } });

/** The one file of a multipart/form-data body, in memory. Text fields are passed over, and so is its name. Adds `file`. */
export function picture(): Step<Call, { file: Buffer }> {
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
    before: async ({ event }) => ({ file: onlyFile(await partsOf(event)) }),
  };
}

async function partsOf(event: Call["event"]): Promise<Record<string, unknown>> {
  const type = event.headers["content-type"] ?? "";
  if (!/^multipart\/form-data\s*(?:;|$)/i.test(type))
    throw new Fault("unsupported", "unsupported_media_type", "Send the picture as multipart/form-data.", {
      accept: "multipart/form-data",
    });
  // The parser writes its result over the body; a replay and the log still need the event as it came.
  const request = { event: { ...event } };
  try {
    await parse.before?.(request as never);
  } catch (cause) {
    if ((cause as { statusCode?: number }).statusCode === 413)
      throw new Fault("too_large", "file_too_large", `A picture may have ${maxBytes} bytes at most.`, {
        cause,
      });
    throw new Fault(
      "malformed",
      "multipart_malformed",
      "The multipart body cannot be read: is its boundary right?",
      { cause },
    );
  }
  return request.event.body as unknown as Record<string, unknown>;
}

function onlyFile(fields: Record<string, unknown>): Buffer {
  const files = Object.values(fields).flat().filter(isFile);
  if (files.length > 1) throw new Fault("malformed", "too_many_files", "Send one picture at a time.");
  const [file] = files;
  if (!file)
    throw new Fault(
      "malformed",
      "file_missing",
      "Send the picture as a file part, for example named avatar.",
    );
  return file.content;
}

/** A form whose file was left empty sends a part without a name and without content. */
function isFile(value: unknown): value is Part {
  if (typeof value !== "object" || value === null || !("content" in value)) return false;
  const { filename, content } = value as Part;
  return Boolean(filename) || content.length > 0;
}
