import * as z from "zod/mini";
import { invalid } from "../base/invalid.ts";

/** Shown instead of a value that is never returned. */
export const mask = "[masked]";

/**
 * Headers that only the system may set: those that sign, describe and trace the message, Host, and the hop-by-hop headers of HTTP
 * (RFC 9110, section 7.6.1).
 */
const reserved =
  /^(?:webhook-.*|traceparent|tracestate|host|content-.*|transfer-encoding|connection|keep-alive|proxy-.*|te|trailer|upgrade|expect|user-agent|accept-encoding|date|via|forwarded|x-forwarded-.*)$/i;

const Name = z.string().check(
  z.maxLength(64),
  z.regex(
    /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/,
    "Header names may contain only letters, digits and !#$%&'*+.^_`|~-.",
  ),
  z.refine((name) => !reserved.test(name), "This header cannot be set."),
);

const Value = z
  .string()
  .check(
    z.maxLength(1024),
    z.regex(/^[\x20-\x7e]*$/, "Header values may contain only visible ASCII characters and spaces."),
  );

const maxHeaders = 20;
const tooMany = `A webhook can have at most ${maxHeaders} headers.`;

/** Custom headers that every request to an endpoint carries. */
export const Headers = z
  .record(Name, Value.check(z.refine((value) => value !== mask, "Enter the header's value.")))
  .check(z.refine((headers) => Object.keys(headers).length <= maxHeaders, tooMany));
export type Headers = z.infer<typeof Headers>;

/** Changes of custom headers: a value sets a header, and null removes it. Headers that are absent or masked are unchanged. */
export const Changes = z.record(Name, z.nullable(Value));
export type Changes = z.infer<typeof Changes>;

/**
 * Applies changes to the stored headers. Names match regardless of case. Throws `invalid` `invalid_input` for a masked value
 * without a stored one, and for too many headers.
 */
export function apply(stored: Headers, changes: Changes): Headers {
  const byName = new Map(Object.entries(stored).map((header) => [header[0].toLowerCase(), header]));
  for (const [name, value] of Object.entries(changes)) {
    const key = name.toLowerCase();
    if (value === null) byName.delete(key);
    else if (value !== mask) byName.set(key, [name, value]);
    else if (!byName.has(key))
      throw invalid({ pointer: `/headers/${name}` }, "invalid", "Enter the header's value.");
  }
  if (byName.size > maxHeaders) throw invalid({ pointer: "/headers" }, "invalid", tooMany);
  return Object.fromEntries(byName.values());
}

/** Returns those of the applied headers whose value is in the changes. The others have a stored value. */
export function newValues(applied: Headers, changes: Changes): Headers {
  return Object.fromEntries(Object.entries(applied).filter(([name, value]) => changes[name] === value));
}

/** Returns the names of the headers, each with a mask instead of its value. */
export function masked(headers: Headers): Headers {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, mask]));
}

/** The headers that the system sets and the delivery log shows. */
const logged = [
  "content-type",
  "user-agent",
  "accept-encoding",
  "webhook-id",
  "webhook-timestamp",
  "traceparent",
];

/** Masks the signature and the values of custom headers in the headers of a request, for the delivery log. */
export function maskedForLog(headers: Headers): Headers {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      if (name === "webhook-signature") return [name, value.replace(/v1,\S+/g, `v1,${mask}`)];
      return [name, logged.includes(name) ? value : mask];
    }),
  );
}
