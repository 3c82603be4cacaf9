import * as z from "zod/mini";

/** Shown instead of a secret value. */
export const mask = "[masked]";

/**
 * Headers that only the system may set: those that sign and describe the message, Host, and the hop-by-hop headers of HTTP
 * (RFC 9110, section 7.6.1).
 */
const reserved =
  /^(?:webhook-.*|host|content-.*|transfer-encoding|connection|keep-alive|proxy-.*|te|trailer|upgrade|expect|user-agent|accept-encoding|date|via|forwarded|x-forwarded-.*)$/i;

const secretName = /auth|cookie|token|secret|password|key|signature/i;

const Name = z.string().check(
  z.maxLength(64),
  z.regex(
    /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/,
    "Header names may contain only letters, digits and !#$%&'*+.^_`|~-.",
  ),
  z.refine((name) => !reserved.test(name), "This header cannot be set."),
);

/** Custom headers that every request to an endpoint carries. */
export const Headers = z
  .record(
    Name,
    z
      .string()
      .check(
        z.maxLength(1024),
        z.regex(/^[\x20-\x7e]*$/, "Header values may contain only visible ASCII characters and spaces."),
      ),
  )
  .check(z.refine((headers) => Object.keys(headers).length <= 20, "A webhook can have at most 20 headers."));
export type Headers = z.infer<typeof Headers>;

/** Masks the values of headers whose name suggests a secret. */
export function maskSecrets(headers: Headers): Headers {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, secretName.test(name) ? mask : value]),
  );
}

/** Restores the stored value of every header that the client sent back masked. */
export function restoreMasked(before: Headers, after: Headers): Headers {
  return Object.fromEntries(
    Object.entries(after).map(([name, value]) => [name, value === mask ? (before[name] ?? value) : value]),
  );
}
