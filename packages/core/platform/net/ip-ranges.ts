import { BlockList, isIP, isIPv4 } from "node:net";

/** An IP address or network in canonical form: IPv6 as in RFC 5952, IPv4-mapped addresses as IPv4. */
export type Network = { address: string; prefix: number; family: "ipv4" | "ipv6" };

/** Returns the canonical form of an IP address: `::ffff:192.0.2.1` becomes 192.0.2.1. Other text is returned unchanged. */
export function canonicalIp(address: string): string {
  if (isIPv4(address) || isIP(address) !== 6 || address.includes("%")) return address;
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical) ?? [];
  if (high === undefined || low === undefined) return canonical;
  const bits = Number.parseInt(high, 16) * 65_536 + Number.parseInt(low, 16);
  return [bits >>> 24, (bits >>> 16) & 255, (bits >>> 8) & 255, bits & 255].join(".");
}

/**
 * Parses an IP address or CIDR range, and returns undefined for other text. Rejects a prefix of 0, which would allow every
 * address, and IPv4-mapped ranges that extend beyond the mapped addresses.
 */
export function parseNetwork(text: string): Network | undefined {
  const [, typed = "", length] = /^([0-9a-fA-F.:]+)(?:\/([1-9]\d{0,2}))?$/.exec(text) ?? [];
  const typedFamily = isIP(typed);
  if (typedFamily === 0) return undefined;
  const address = canonicalIp(typed);
  const family = isIPv4(address) ? "ipv4" : "ipv6";
  const bits = family === "ipv4" ? 32 : 128;
  const mapped = family === "ipv4" && typedFamily === 6 ? 96 : 0;
  const prefix = length === undefined ? bits : Number(length) - mapped;
  return prefix >= 1 && prefix <= bits ? { address, prefix, family } : undefined;
}

/** Formats a network for storage and display: `192.0.2.0/24`, and a single address without a prefix. */
export function formatNetwork({ address, prefix, family }: Network): string {
  return prefix === (family === "ipv4" ? 32 : 128) ? address : `${address}/${prefix}`;
}

/** Returns whether an address is in one of the networks. Text that is not an address, and invalid networks, never match. */
export function includesIp(networks: readonly string[], address: string): boolean {
  const ip = canonicalIp(address);
  if (isIP(ip) === 0) return false;
  const family = isIPv4(ip) ? "ipv4" : "ipv6";
  return blocks(networks)[family].check(ip, family);
}

type Blocks = Record<Network["family"], BlockList>;

/** Built lists by their entries, because building a list takes longer than checking an address. */
const cache = new Map<string, Blocks>();
const maxCached = 100;

/** Has one list per family, because in Node ::/1 also contains every IPv4 address in its mapped form. */
function blocks(networks: readonly string[]): Blocks {
  const key = networks.join("\n");
  const cached = cache.get(key);
  if (cached) return cached;
  const fresh = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const { address, prefix, family } of networks.flatMap((network) => parseNetwork(network) ?? []))
    fresh[family].addSubnet(address, prefix, family);
  if (cache.size >= maxCached) cache.clear();
  cache.set(key, fresh);
  return fresh;
}
