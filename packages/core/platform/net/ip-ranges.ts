import { BlockList, isIP, isIPv4 } from "node:net";

/** An address or a network in its one spelling: IPv6 as RFC 5952 writes it, an IPv4-mapped address as IPv4. */
export type Network = { address: string; prefix: number; family: "ipv4" | "ipv6" };

/** The one spelling of an address: `::ffff:192.0.2.1` is 192.0.2.1. What is no address stays as it is. */
export function plain(address: string): string {
  if (isIPv4(address) || isIP(address) !== 6 || address.includes("%")) return address;
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical) ?? [];
  if (high === undefined || low === undefined) return canonical;
  const bits = Number.parseInt(high, 16) * 65_536 + Number.parseInt(low, 16);
  return [bits >>> 24, (bits >>> 16) & 255, (bits >>> 8) & 255, bits & 255].join(".");
}

/**
 * An address or CIDR range; undefined for what is neither. A prefix of 0 is none, since it would let everybody in, and so
 * is one of an IPv4-mapped range that reaches beyond the mapped addresses.
 */
export function parse(text: string): Network | undefined {
  const [, typed = "", length] = /^([0-9a-fA-F.:]+)(?:\/([1-9]\d{0,2}))?$/.exec(text) ?? [];
  const typedFamily = isIP(typed);
  if (typedFamily === 0) return undefined;
  const address = plain(typed);
  const family = isIPv4(address) ? "ipv4" : "ipv6";
  const bits = family === "ipv4" ? 32 : 128;
  const mapped = family === "ipv4" && typedFamily === 6 ? 96 : 0;
  const prefix = length === undefined ? bits : Number(length) - mapped;
  return prefix >= 1 && prefix <= bits ? { address, prefix, family } : undefined;
}

/** How a network is stored and shown: `192.0.2.0/24`, and a single address without a prefix. */
export function spelled({ address, prefix, family }: Network): string {
  return prefix === (family === "ipv4" ? 32 : 128) ? address : `${address}/${prefix}`;
}

/** Whether an address is in one of these networks. What is no address, and an entry that is no network, is in none. */
export function includes(networks: readonly string[], address: string): boolean {
  const ip = plain(address);
  if (isIP(ip) === 0) return false;
  const family = isIPv4(ip) ? "ipv4" : "ipv6";
  return blocks(networks)[family].check(ip, family);
}

type Blocks = Record<Network["family"], BlockList>;

/** Lists by all that is in them, since each call reads its list anew and building one takes longer than asking it. */
const built = new Map<string, Blocks>();
const maxBuilt = 100;

/** One for each family: to node, ::/1 holds every IPv4 address too, as an IPv4-mapped one. */
function blocks(networks: readonly string[]): Blocks {
  const key = networks.join("\n");
  const known = built.get(key);
  if (known) return known;
  const fresh = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const { address, prefix, family } of networks.flatMap((network) => parse(network) ?? []))
    fresh[family].addSubnet(address, prefix, family);
  if (built.size >= maxBuilt) built.clear();
  built.set(key, fresh);
  return fresh;
}
