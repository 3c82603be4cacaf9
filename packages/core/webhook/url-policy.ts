import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { invalidWithCode } from "../base/invalid.ts";
import * as Config from "../platform/config/config.ts";

/** An IP address that a host name resolves to. */
export type ResolvedAddress = { address: string; family: number };

/** Resolves a host name to all of its IP addresses. Rejects with the errors of node:dns. */
export type Resolve = (hostname: string) => Promise<ResolvedAddress[]>;

/** IPv4 ranges that are not public: IANA's special-purpose registry, and metadata services of clouds outside it. */
const nonPublicIpv4 = {
  "this network": ["0.0.0.0/8"],
  private: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"],
  shared: ["100.64.0.0/10"],
  loopback: ["127.0.0.0/8"],
  "link-local": ["169.254.0.0/16"],
  "cloud platform": ["168.63.129.16/32"],
  documentation: ["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24"],
  benchmarking: ["198.18.0.0/15"],
  multicast: ["224.0.0.0/4"],
  reserved: [
    "192.0.0.0/24",
    "192.31.196.0/24",
    "192.52.193.0/24",
    "192.88.99.0/24",
    "192.175.48.0/24",
    "240.0.0.0/4",
  ],
} as const;

/** The only public IPv6 range. */
const globalUnicastIpv6 = blockList("ipv6", ["2000::/3"]);

/** Ranges inside 2000::/3 that are not public. 6to4 and Teredo addresses embed an IPv4 address. */
const nonPublicIpv6 = {
  "6to4": ["2002::/16"],
  "Teredo or another protocol": ["2001::/23"],
  documentation: ["2001:db8::/32", "3fff::/20"],
  reserved: ["2620:4f:8000::/48"],
} as const;

/** Ranges outside 2000::/3 that errors name. Errors call all other addresses there reserved. */
const namedIpv6 = {
  loopback: ["::1/128"],
  "IPv4 embedded in IPv6": ["::ffff:0:0/96", "::/96"],
  NAT64: ["64:ff9b::/96", "64:ff9b:1::/48"],
  private: ["fc00::/7"],
  "link-local": ["fe80::/10"],
  multicast: ["ff00::/8"],
} as const;

const nonPublicIpv4Lists = blockLists("ipv4", nonPublicIpv4);
const nonPublicIpv6Lists = blockLists("ipv6", nonPublicIpv6);
const namedIpv6Lists = blockLists("ipv6", namedIpv6);

/** Returns the name of the non-public range that contains an IP address, or undefined if the address is public. */
export function nonPublicRange(address: string): string | undefined {
  const family = isIP(address);
  if (family === 4) return rangeName(nonPublicIpv4Lists, address, "ipv4");
  if (family !== 6) return "not an IP address";
  const withoutZone = address.replace(/%.*$/, "");
  if (globalUnicastIpv6.check(withoutZone, "ipv6")) return rangeName(nonPublicIpv6Lists, withoutZone, "ipv6");
  return rangeName(namedIpv6Lists, withoutZone, "ipv6") ?? "reserved";
}

/**
 * Checks a URL without resolving its host name. Returns why it is not allowed, or undefined if it is. Decimal, octal and
 * hexadecimal IPv4 addresses need no special case, since the URL parser has normalized them.
 */
export function checkUrl(url: URL, allowLoopback = Config.loopbackWebhooks()): string | undefined {
  if (url.username || url.password) return "URL must not contain a username or password.";
  if (allowLoopback && isLoopbackUrl(url)) return undefined;
  if (url.protocol !== "https:") return "URL must use https.";
  if (url.port !== "") return "URL must use port 443.";
  const host = hostOf(url);
  if (!isIP(host)) return checkName(host);
  const range = nonPublicRange(host);
  return range && notPublic(host, range);
}

/**
 * Checks a host name in the form of the URL parser, which has converted it to lower-case ASCII. A name of one label, such as
 * `localhost`, stands for a host in the server's own network, with or without a dot at its end. Names under `localhost` stand
 * for the server itself (RFC 6761).
 */
function checkName(hostname: string): string | undefined {
  const labels = hostname.replace(/\.$/, "").split(".");
  if (labels.length > 1 && !labels.includes("") && labels.at(-1) !== "localhost") return undefined;
  return `${hostname} is not a public host name such as example.com.`;
}

/** Returns whether a URL is `http://127.0.0.1` or `http://localhost`, at any port. */
export function isLoopbackUrl({ protocol, hostname }: URL): boolean {
  return protocol === "http:" && (hostname === "127.0.0.1" || hostname === "localhost");
}

/**
 * Rejects a URL that webhooks must not be sent to. A host name that does not resolve yet is accepted, since every connection
 * checks again. Throws `invalid` `url_not_allowed`.
 */
export async function assertAllowed(href: string, resolve: Resolve = resolveAll): Promise<void> {
  const url = new URL(href);
  const error = checkUrl(url) ?? (isLoopbackUrl(url) ? undefined : await checkHostname(url, resolve));
  if (error) throw invalidWithCode({ pointer: "/url" }, "url_not_allowed", error);
}

/** Maximum wait for the name server when an endpoint is registered. */
const resolveTimeoutMs = 3000;

async function checkHostname(url: URL, resolve: Resolve): Promise<string | undefined> {
  if (isIP(hostOf(url))) return undefined;
  const timeout = Promise.withResolvers<ResolvedAddress[]>();
  const timer = setTimeout(() => timeout.resolve([]), resolveTimeoutMs);
  const addresses = await Promise.race([resolve(url.hostname).catch(() => []), timeout.promise]);
  clearTimeout(timer);
  return checkAddresses(url.hostname, addresses);
}

/** Returns why a host name with these addresses is not allowed, or undefined if all of them are public. */
export function checkAddresses(hostname: string, addresses: readonly ResolvedAddress[]): string | undefined {
  for (const { address } of addresses) {
    const range = nonPublicRange(address);
    if (range) return notPublic(`${hostname} (${address})`, range);
  }
  return undefined;
}

/** Resolves a host name with the resolver of the operating system. */
export const resolveAll: Resolve = (hostname) => lookup(hostname, { all: true });

function notPublic(host: string, range: string): string {
  return `${host} is not a public IP address (${range}).`;
}

/** Returns a URL's host, without the brackets of an IPv6 address. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

function blockLists(
  family: "ipv4" | "ipv6",
  table: Record<string, readonly string[]>,
): [string, BlockList][] {
  return Object.entries(table).map(([name, subnets]) => [name, blockList(family, subnets)]);
}

function blockList(family: "ipv4" | "ipv6", subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [net = "", bits] = subnet.split("/");
    list.addSubnet(net, Number(bits), family);
  }
  return list;
}

function rangeName(lists: readonly [string, BlockList][], address: string, family: "ipv4" | "ipv6") {
  return lists.find(([, list]) => list.check(address, family))?.[0];
}
