import { isUtf8 } from "node:buffer";
import { MIMEType } from "node:util";
import { Fault } from "@svc/core/base/fault";
import type { Call } from "./api.ts";
import type { Codes } from "./contract.ts";

/** The largest JSON body, in bytes. Bodies carry text that people type, not files. */
export const maxBodyBytes = 262_144;

/** The codes of `bodyOf`. */
export const bodyCodes = {
  unsupported: ["unsupported_media_type", "unsupported_content_encoding"],
} as const satisfies Codes;

/** The codes of `jsonOf`. */
export const jsonCodes = {
  malformed: ["json_malformed"],
  too_large: ["body_too_large"],
  unsupported: [...bodyCodes.unsupported, "unsupported_charset"],
} as const satisfies Codes;

/** Returns the bytes of the body. Throws `unsupported` `unsupported_content_encoding` for a compressed one. */
export function bodyOf({ event, headers }: Call): Buffer {
  const encoding = event.headers["content-encoding"]?.trim().toLowerCase() ?? "";
  if (encoding !== "" && encoding !== "identity") {
    // RFC 9110, section 15.5.16: the response names the encodings that are accepted.
    headers["accept-encoding"] = "identity";
    throw new Fault(
      "unsupported",
      "unsupported_content_encoding",
      "Send the body uncompressed, without Content-Encoding.",
    );
  }
  return Buffer.from(event.body ?? "", event.isBase64Encoded ? "base64" : "utf8");
}

/** Returns the parsed JSON body, not yet validated. Throws `too_large`, `unsupported` and `malformed`. */
export function jsonOf(call: Call): unknown {
  const bytes = bodyOf(call);
  if (bytes.length > maxBodyBytes)
    throw new Fault("too_large", "body_too_large", `The body must have at most ${maxBodyBytes} bytes.`);
  const type = mediaType(call.event.headers["content-type"]);
  if (!type || !/^application\/(?:.+\+)?json$/.test(type.essence))
    throw new Fault("unsupported", "unsupported_media_type", "Send the body as application/json.", {
      accept: "application/json",
    });
  const charset = type.params.get("charset") ?? "utf-8";
  if (!/^\s*utf-?8\s*$/i.test(charset) || !wasUtf8(call.event, bytes))
    throw new Fault("unsupported", "unsupported_charset", "Send the body in UTF-8.", {
      accept: "application/json",
    });
  try {
    return JSON.parse(bytes.toString());
  } catch (cause) {
    throw new Fault("malformed", "json_malformed", "The body is not valid JSON.", { cause });
  }
}

function mediaType(header = ""): MIMEType | undefined {
  try {
    return new MIMEType(header);
  } catch {
    return undefined;
  }
}

/**
 * Returns whether the client sent the body in UTF-8. The gateway decodes text, and puts U+FFFD in the place of what is not UTF-8.
 * A client can also send that character, so Content-Length decides: a replacement has another length than what it replaces, unless
 * that is three bytes of a character of four.
 */
function wasUtf8({ headers, isBase64Encoded }: Call["event"], bytes: Buffer): boolean {
  if (isBase64Encoded) return isUtf8(bytes);
  const sent = headers["content-length"];
  return sent === undefined || Number(sent) === bytes.length || !bytes.includes("\ufffd");
}
