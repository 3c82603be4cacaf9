import * as z from "zod/mini";

/** An IP address in a response. */
export const IpAddress = z.string().check(
  z.meta({
    description: "An IPv4 or IPv6 address.",
    anyOf: [
      { type: "string", format: "ipv4" },
      { type: "string", format: "ipv6" },
    ],
  }),
);
