import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { Fault } from "../base/fault.ts";
import * as Config from "../platform/config/config.ts";

/** What a name stands for. */
export type Address = { address: string; family: number };

/** All addresses of a host name. Throws what node:dns throws. */
export type Resolve = (hostname: string) => Promise<Address[]>;

/** IPv4 that is not the public internet: IANA's special-purpose registry, and what clouds answer on beside it. */
const closed4 = {
  "this network": ["0.0.0.0/8"],
  private: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"],
  shared: ["100.64.0.0/10"],
  loopback: ["127.0.0.0/8"],
  "link-local": ["169.254.0.0/16"],
  "a cloud's own": ["168.63.129.16/32"],
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

/** Of IPv6 only 2000::/3 is open, and not these in it: two of them carry an IPv4 address inside. */
const open6 = list("ipv6", ["2000::/3"]);
const closed6 = {
  "6to4": ["2002::/16"],
  "Teredo or another protocol's": ["2001::/23"],
  documentation: ["2001:db8::/32", "3fff::/20"],
  reserved: ["2620:4f:8000::/48"],
} as const;

/** What stands outside 2000::/3, for the sake of a reason that says it. */
const named6 = {
  loopback: ["::1/128"],
  "an IPv4 address in IPv6 form": ["::ffff:0:0/96", "::/96"],
  NAT64: ["64:ff9b::/96", "64:ff9b:1::/48"],
  private: ["fc00::/7"],
  "link-local": ["fe80::/10"],
  multicast: ["ff00::/8"],
} as const;

const lists4 = lists("ipv4", closed4);
const lists6 = lists("ipv6", closed6);
const listsNamed6 = lists("ipv6", named6);

/** Why nothing may be sent to this IP address, in a word or two; undefined for one of the public internet. */
export function objectionToAddress(address: string): string | undefined {
  const family = isIP(address);
  if (family === 4) return named(lists4, address, "ipv4");
  if (family !== 6) return "no IP address";
  const plain = address.replace(/%.*$/, "");
  if (open6.check(plain, "ipv6")) return named(lists6, plain, "ipv6");
  return named(listsNamed6, plain, "ipv6") ?? "reserved";
}

/**
 * Why nothing may be sent to this URL, as far as it can be told without asking anybody; undefined when nothing is wrong. The
 * URL parser has made plain addresses of decimal, octal and hexadecimal ones by then.
 */
export function objectionToUrl(url: URL, loopback = Config.loopbackWebhooks()): string | undefined {
  if (url.username || url.password) return "A URL must not carry credentials.";
  if (loopback && isLoopbackUrl(url)) return undefined;
  if (url.protocol !== "https:") return "Only https is taken.";
  if (url.port !== "") return "Only port 443 is taken.";
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const objection = isIP(host) ? objectionToAddress(host) : undefined;
  return objection && refusal(host, objection);
}

/** `http://127.0.0.1` and `http://localhost`, at any port. */
export function isLoopbackUrl({ protocol, hostname }: URL): boolean {
  return protocol === "http:" && (hostname === "127.0.0.1" || hostname === "localhost");
}

/**
 * Refuses a URL that nothing may be sent to, by what can be known now: 422 `url_not_allowed`. A name that does not resolve
 * yet is taken, since every connection is judged again.
 */
export async function authorize(href: string, resolve: Resolve = resolveAll): Promise<void> {
  const url = new URL(href);
  const objection =
    objectionToUrl(url) ?? (isLoopbackUrl(url) ? undefined : await objectionToName(url, resolve));
  if (objection)
    throw new Fault("invalid", "url_not_allowed", objection, {
      errors: [{ pointer: "/url", code: "url_not_allowed", detail: objection }],
    });
}

/** How long a registration waits for the name server. */
const patienceMs = 3000;

async function objectionToName({ hostname }: URL, resolve: Resolve): Promise<string | undefined> {
  if (isIP(hostname.replace(/^\[(.*)\]$/, "$1"))) return undefined;
  const late = Promise.withResolvers<Address[]>();
  const timer = setTimeout(() => late.resolve([]), patienceMs);
  const addresses = await Promise.race([resolve(hostname).catch(() => []), late.promise]);
  clearTimeout(timer);
  return objectionToAddresses(hostname, addresses);
}

/** Why a name that stands for these addresses is refused: one that is not public is enough. */
export function objectionToAddresses(hostname: string, addresses: readonly Address[]): string | undefined {
  for (const { address } of addresses) {
    const objection = objectionToAddress(address);
    if (objection) return refusal(`${hostname} (${address})`, objection);
  }
  return undefined;
}

/** The system's resolver, all addresses. */
export const resolveAll: Resolve = (hostname) => lookup(hostname, { all: true });

function refusal(what: string, objection: string): string {
  return `${what} is not a public address (${objection}).`;
}

function lists(family: "ipv4" | "ipv6", table: Record<string, readonly string[]>): [string, BlockList][] {
  return Object.entries(table).map(([name, subnets]) => [name, list(family, subnets)]);
}

function list(family: "ipv4" | "ipv6", subnets: readonly string[]): BlockList {
  const made = new BlockList();
  for (const subnet of subnets) {
    const [net = "", bits] = subnet.split("/");
    made.addSubnet(net, Number(bits), family);
  }
  return made;
}

function named(table: readonly [string, BlockList][], address: string, family: "ipv4" | "ipv6") {
  return table.find(([, addresses]) => addresses.check(address, family))?.[0];
}
