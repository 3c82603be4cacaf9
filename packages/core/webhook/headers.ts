import * as z from "zod/mini";

/** What stands instead of a secret. */
export const masked = "[masked]";

/** Ours to set: what signs and describes the message, what HTTP itself is made of (RFC 9110, section 7.6.1), and Host. */
const reserved =
  /^(?:webhook-.*|host|content-.*|transfer-encoding|connection|keep-alive|proxy-.*|te|trailer|upgrade|expect|user-agent|accept-encoding|date|via|forwarded|x-forwarded-.*)$/i;

const secretName = /auth|cookie|token|secret|password|key|signature/i;

const Name = z.string().check(
  z.maxLength(64),
  z.regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, "Not the name of a header."),
  z.refine((name) => !reserved.test(name), "This header cannot be set."),
);

/** Headers of the caller's own on each request to their endpoint. */
export const Headers = z
  .record(
    Name,
    z
      .string()
      .check(z.maxLength(1024), z.regex(/^[\x20-\x7e]*$/, "Visible ASCII characters and blanks only.")),
  )
  .check(z.refine((headers) => Object.keys(headers).length <= 20, "At most 20 headers."));
export type Headers = z.infer<typeof Headers>;

/** What may be shown of headers: a value whose name says that it opens something is not. */
export function shown(headers: Headers): Headers {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, secretName.test(name) ? masked : value]),
  );
}

/** What the caller means who sends back what they were shown: a masked value stays as it was. */
export function updated(before: Headers, after: Headers): Headers {
  return Object.fromEntries(
    Object.entries(after).map(([name, value]) => [name, value === masked ? (before[name] ?? value) : value]),
  );
}
