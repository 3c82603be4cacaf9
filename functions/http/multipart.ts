import { randomUUID } from "node:crypto";
import formParser from "@middy/http-multipart-body-parser";
import { Fault } from "@svc/core/base/fault";

/** The largest number of parts of a body. The forms of the web client stay far below it. */
export const maxParts = 60;

/** The largest size of the headers of one part, in bytes. */
export const maxHeaderBytes = 16_384;

/** A part of a form. Text fields have no file name. */
export type FormPart = { filename?: string; mimetype: string; content: Buffer };

/** A part as it is in the body. The names of its headers are in lower case. */
type RawPart = { headers: ReadonlyMap<string, string>; content: Buffer };

/** Text fields are read like files, because the parser would overwrite a file with a text field of the same name. */
const parser = formParser({
  charset: "latin1",
  busboy: { isPartAFile: () => true, limits: { fieldNameSize: maxHeaderBytes } },
});

/**
 * Parses a multipart/form-data body (RFC 7578). Skips parts that are not form data. Throws `malformed`
 * `multipart_malformed`.
 *
 * Scans the body before the parser reads it. The parser is made for streams: it never finishes once it has skipped a large
 * part, and a part that is cut off ends the process. So it gets a new body, of complete parts that it does not skip.
 */
export async function parseForm(body: Buffer, contentType: string): Promise<FormPart[]> {
  const parts = scan(body, boundaryOf(contentType)).flatMap(rewritten);
  if (parts.length === 0) return [];
  const boundary = randomUUID();
  const event = {
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
    body: [...parts.map((part) => `--${boundary}\r\n${part}\r\n`), `--${boundary}--\r\n`].join(""),
    isBase64Encoded: false,
  };
  const request = { event } as unknown as { event: { body: Record<string, FormPart | FormPart[]> } };
  try {
    await parser.before?.(request as never);
  } catch (cause) {
    throw malformed("A part of the multipart body has no name or a malformed header.", cause);
  }
  return Object.values(request.event.body).flat();
}

/** Returns the boundary of a Content-Type: 1 to 70 printable characters (RFC 2046, section 5.1.1). */
function boundaryOf(contentType: string): string {
  const [, quoted, token] = /;\s*boundary=(?:"([^"\\]*)"|([^\s;"\\]*))/i.exec(contentType) ?? [];
  const boundary = quoted ?? token ?? "";
  if (!/^[\x20-\x7e]{0,69}[\x21-\x7e]$/.test(boundary))
    throw malformed("The Content-Type must have a boundary of 1 to 70 characters.");
  return boundary;
}

/** Splits a body at its boundaries (RFC 2046, section 5.1.1). Stops at the first violation, which bounds the cost. */
function scan(given: Buffer, boundary: string): RawPart[] {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  // At the start of the body, a boundary has no line break in front of it.
  const body = Buffer.concat([delimiter.subarray(0, 2), given]);
  const parts: RawPart[] = [];
  let at = body.indexOf(delimiter);
  while (at !== -1) {
    const start = at + delimiter.length;
    if (body.toString("latin1", start, start + 2) === "--") return parts;
    if (parts.length === maxParts) throw malformed(`The multipart body has more than ${maxParts} parts.`);
    at = body.indexOf(delimiter, start);
    if (at !== -1) parts.push(rawPart(body.subarray(start, at)));
  }
  throw malformed("The multipart body does not end with the boundary of its Content-Type.");
}

/** Parses the bytes between two boundaries: optional blanks, the headers, an empty line and the content. */
function rawPart(bytes: Buffer): RawPart {
  const emptyLine = bytes.subarray(0, maxHeaderBytes + 4).indexOf("\r\n\r\n");
  const headerEnd = emptyLine === -1 ? bytes.length : emptyLine;
  if (headerEnd > maxHeaderBytes)
    throw malformed(`A part of the multipart body has more than ${maxHeaderBytes} bytes of headers.`);
  const head = bytes.toString("latin1", 0, headerEnd);
  const [blanks = "", ...lines] = head.replace(/\r\n[ \t]+/g, " ").split("\r\n");
  if (!/^[ \t]*$/.test(blanks))
    throw malformed("A boundary of the multipart body is followed by other text.");
  const headers = new Map<string, string>();
  for (const line of lines.filter(Boolean)) {
    const [name, value] = header(line);
    if (!headers.has(name)) headers.set(name, value);
  }
  return { headers, content: bytes.subarray(headerEnd + 4) };
}

function header(line: string): [name: string, value: string] {
  const colon = line.indexOf(":");
  const name = line.slice(0, Math.max(colon, 0)).trimEnd().toLowerCase();
  if (!/^[\x21-\x7e]+$/.test(name) || /[\r\n]/.test(line))
    throw malformed("A part of the multipart body has a malformed header.");
  return [name, line.slice(colon + 1).trim()];
}

/** Writes a part with the two headers that the parser needs. Returns nothing for a part that is not form data. */
function rewritten({ headers, content }: RawPart): string[] {
  const [, parameters] = /^form-data[ \t]*($|;.*)/i.exec(headers.get("content-disposition") ?? "") ?? [];
  if (parameters === undefined) return [];
  // The parser decodes extended parameters (RFC 8187), and skips a part for a line break in them.
  if (parameters.includes("*") && /%0[ad]/i.test(parameters))
    throw malformed("A file name of the multipart body contains a line break.");
  const type = headers.get("content-type") ?? "text/plain";
  const lines = [`Content-Disposition: form-data${parameters}`, `Content-Type: ${type}`];
  return [`${lines.join("\r\n")}\r\n\r\n${content.toString("latin1")}`];
}

function malformed(detail: string, cause?: unknown): Fault {
  return new Fault("malformed", "multipart_malformed", detail, { cause });
}
