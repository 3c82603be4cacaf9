import { expect, test } from "vitest";
import { canonicalIp, formatNetwork, includesIp, parseNetwork } from "./ip-ranges.ts";

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["192.0.2.0/24", "192.0.2.0/24"],
  ["192.0.2.1/32", "192.0.2.1"],
  ["2001:DB8:0:0::1", "2001:db8::1"],
  ["2001:db8::/32", "2001:db8::/32"],
  ["2001:db8::1/128", "2001:db8::1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["::ffff:c000:201", "192.0.2.1"],
  ["::ffff:192.0.2.0/120", "192.0.2.0/24"],
  ["0:0:0:0:0:ffff:192.0.2.0/97", "192.0.2.0/1"],
])("parseNetwork and formatNetwork turn %s into %s", (text, expected) => {
  const network = parseNetwork(text);
  expect(network && formatNetwork(network)).toBe(expected);
});

test.each([
  "",
  "office",
  "192.0.2.256",
  "192.0.2",
  "192.0.2.01",
  "0x7f.0.0.1",
  "2130706433",
  "192.0.2.0/33",
  "192.0.2.0/024",
  "192.0.2.0/-1",
  "192.0.2.0/",
  "192.0.2.0/24/24",
  "0.0.0.0/0",
  "::/0",
  "2001:db8::/129",
  "fe80::1%eth0",
  "::ffff:0.0.0.0/96",
  "::ffff:192.0.2.1/95",
  "::ffff:192.0.2.1/8",
  "192.0.2.0/24 ",
  "192.0.2.1\n",
])("parseNetwork rejects %j", (text) => {
  expect(parseNetwork(text)).toBeUndefined();
});

test.each([
  [["192.0.2.0/24"], "192.0.2.255", true],
  [["192.0.2.0/24"], "192.0.3.0", false],
  [["192.0.2.0/24"], "::ffff:192.0.2.7", true],
  [["192.0.2.0/24"], "::ffff:c000:207", true],
  [["::ffff:192.0.2.7"], "192.0.2.7", true],
  [["192.0.2.7"], "192.0.2.8", false],
  [["2001:db8::/32"], "2001:db8:ffff::1", true],
  [["2001:db8::/32"], "2001:DB8::1", true],
  [["2001:db8::/32"], "2001:db9::1", false],
  // A wide range of one family does not contain addresses of the other.
  [["::/1"], "192.0.2.1", false],
  [["::/1"], "::ffff:192.0.2.1", false],
  [["128.0.0.0/1"], "2001:db8::1", false],
  [["198.51.100.1", "192.0.2.0/31"], "192.0.2.1", true],
  [[], "192.0.2.1", false],
  [["192.0.2.0/24"], "", false],
  [["192.0.2.0/24"], "192.0.2.1, 10.0.0.1", false],
  [["nonsense"], "192.0.2.1", false],
])("includesIp(%j, %j) is %s", (networks, address, expected) => {
  expect(includesIp(networks, address)).toBe(expected);
});

test("canonicalIp returns one form per address and other text unchanged", () => {
  expect(["::FFFF:10.0.0.1", "2001:0db8::0001", "10.0.0.1", "unknown"].map(canonicalIp)).toEqual([
    "10.0.0.1",
    "2001:db8::1",
    "10.0.0.1",
    "unknown",
  ]);
});
