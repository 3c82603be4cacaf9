import { expect, test } from "vitest";
import { assertAllowed, checkUrl, nonPublicRange } from "./url-policy.ts";

test.each([
  ["0.0.0.0", "this network"],
  ["10.0.0.1", "private"],
  ["172.16.0.1", "private"],
  ["172.31.255.255", "private"],
  ["192.168.1.1", "private"],
  ["100.64.0.1", "shared"],
  ["100.100.100.200", "shared"],
  ["127.0.0.1", "loopback"],
  ["127.255.255.254", "loopback"],
  ["169.254.169.254", "link-local"],
  ["168.63.129.16", "cloud platform"],
  ["192.0.0.192", "reserved"],
  ["192.88.99.1", "reserved"],
  ["198.18.0.1", "benchmarking"],
  ["203.0.113.7", "documentation"],
  ["224.0.0.1", "multicast"],
  ["240.0.0.1", "reserved"],
  ["255.255.255.255", "reserved"],
  ["::", "IPv4 embedded in IPv6"],
  ["::1", "loopback"],
  ["::7f00:1", "IPv4 embedded in IPv6"],
  ["::ffff:127.0.0.1", "IPv4 embedded in IPv6"],
  ["::ffff:8.8.8.8", "IPv4 embedded in IPv6"],
  ["64:ff9b::a9fe:a9fe", "NAT64"],
  ["64:ff9b:1::1", "NAT64"],
  ["2002:7f00:1::", "6to4"],
  ["2001:0:4136:e378::1", "Teredo or another protocol"],
  ["2001:db8::1", "documentation"],
  ["3fff::1", "documentation"],
  ["fc00::1", "private"],
  ["fd00:ec2::254", "private"],
  ["fe80::1", "link-local"],
  ["fe80::1%eth0", "link-local"],
  ["ff02::1", "multicast"],
  ["100::1", "reserved"],
  ["5f00::1", "reserved"],
  ["not an address", "not an IP address"],
])("nonPublicRange classifies %s as %s", (address, range) => {
  expect(nonPublicRange(address)).toBe(range);
});

test.each([
  "8.8.8.8",
  "1.1.1.1",
  "172.15.255.255",
  "172.32.0.1",
  "100.128.0.1",
  "192.167.255.255",
  "223.255.255.255",
  "2606:4700:4700::1111",
  "2a00:1450:4001::200e",
])("nonPublicRange returns undefined for the public address %s", (address) => {
  expect(nonPublicRange(address)).toBeUndefined();
});

test.each([
  ["http://hooks.example.com/", /https/],
  ["ftp://hooks.example.com/", /https/],
  ["file:///etc/passwd", /https/],
  ["https://hooks.example.com:8443/", /443/],
  ["https://hooks.example.com:22/", /443/],
  ["https://user@hooks.example.com/", /username/],
  ["https://user:word@hooks.example.com/", /password/],
  ["https://:secret@hooks.example.com/", /password/],
  ["https://127.0.0.1/", /loopback/],
  ["https://127.1/", /loopback/],
  ["https://2130706433/", /loopback/],
  ["https://017700000001/", /loopback/],
  ["https://0x7f000001/", /loopback/],
  ["https://0x7f.0.0.1/", /loopback/],
  ["https://0251.0376.0251.0376/", /link-local/],
  ["https://１２７.０.０.１/", /loopback/],
  ["https://127.0.0.1./", /loopback/],
  ["https://169.254.169.254/latest/meta-data/", /link-local/],
  ["https://[::1]/", /loopback/],
  ["https://[::ffff:10.0.0.1]/", /IPv4 embedded/],
  ["https://[64:ff9b::7f00:1]/", /NAT64/],
  ["https://[2002:a00:1::]/", /6to4/],
  ["https://[fd00::1]/", /private/],
  ["http://127.0.0.1:3000/", /https/],
  ["http://localhost:3000/", /https/],
  ["https://localhost/", /not a public host name/],
  ["https://localhost./", /not a public host name/],
  ["https://localhost../", /not a public host name/],
  ["https://LocalHost./", /not a public host name/],
  ["https://ｌｏｃａｌｈｏｓｔ。/", /not a public host name/],
  ["https://metadata/", /not a public host name/],
  ["https://intranet./", /not a public host name/],
  ["https://b\u00fccher/", /not a public host name/],
  ["https://api.localhost/", /not a public host name/],
  ["https://api.localhost./", /not a public host name/],
  ["https://hooks..example.com/", /not a public host name/],
])("checkUrl rejects %s", (href, error) => {
  expect(checkUrl(new URL(href), false)).toMatch(error);
});

test.each([
  "https://hooks.example.com/a?b=c",
  "https://hooks.example.com:443/",
  "https://hooks.example.com./",
  "https://b\u00fccher.example/",
  "https://localhost.example.com/",
  "https://8.8.8.8/",
])("checkUrl accepts %s", (href) => {
  expect(checkUrl(new URL(href), false)).toBeUndefined();
});

test("checkUrl accepts only http to 127.0.0.1 and localhost as loopback, and only where loopback is allowed", () => {
  for (const href of ["http://127.0.0.1/", "http://127.0.0.1:3000/x", "http://localhost:3000/"])
    expect(checkUrl(new URL(href), true)).toBeUndefined();
  for (const href of [
    "https://127.0.0.1/",
    "http://127.0.0.2/",
    "http://[::1]/",
    "http://10.0.0.1/",
    "http://example.com/",
    "http://localhost.example.com/",
    "http://user@localhost/",
  ])
    expect(checkUrl(new URL(href), true)).toBeDefined();
});

const notAllowed = { kind: "invalid", code: "url_not_allowed", details: { errors: [{ pointer: "/url" }] } };
const resolvesTo =
  (...addresses: string[]) =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));

test("assertAllowed rejects a host name if any of its addresses is not public", async () => {
  await expect(assertAllowed("https://in.test/", resolvesTo("10.0.0.1"))).rejects.toMatchObject(notAllowed);
  await expect(assertAllowed("https://in.test/", resolvesTo("8.8.8.8", "::1"))).rejects.toMatchObject(
    notAllowed,
  );
  await expect(
    assertAllowed("https://in.test/", resolvesTo("8.8.8.8", "2606:4700::1")),
  ).resolves.toBeUndefined();
});

test("assertAllowed accepts a host name that does not resolve yet, but no name of one label", async () => {
  const unknown = () => Promise.reject(Object.assign(new Error("x"), { code: "ENOTFOUND" }));
  await expect(assertAllowed("https://in.test/", unknown)).resolves.toBeUndefined();
  await expect(assertAllowed("https://localhost./", unknown)).rejects.toMatchObject(notAllowed);
  await expect(assertAllowed("https://intranet/", unknown)).rejects.toMatchObject(notAllowed);
});
