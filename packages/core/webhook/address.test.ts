import { expect, test } from "vitest";
import { authorize, objectionToAddress, objectionToUrl } from "./address.ts";

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
  ["168.63.129.16", "a cloud's own"],
  ["192.0.0.192", "reserved"],
  ["192.88.99.1", "reserved"],
  ["198.18.0.1", "benchmarking"],
  ["203.0.113.7", "documentation"],
  ["224.0.0.1", "multicast"],
  ["240.0.0.1", "reserved"],
  ["255.255.255.255", "reserved"],
  ["::", "an IPv4 address in IPv6 form"],
  ["::1", "loopback"],
  ["::7f00:1", "an IPv4 address in IPv6 form"],
  ["::ffff:127.0.0.1", "an IPv4 address in IPv6 form"],
  ["::ffff:8.8.8.8", "an IPv4 address in IPv6 form"],
  ["64:ff9b::a9fe:a9fe", "NAT64"],
  ["64:ff9b:1::1", "NAT64"],
  ["2002:7f00:1::", "6to4"],
  ["2001:0:4136:e378::1", "Teredo or another protocol's"],
  ["2001:db8::1", "documentation"],
  ["3fff::1", "documentation"],
  ["fc00::1", "private"],
  ["fd00:ec2::254", "private"],
  ["fe80::1", "link-local"],
  ["fe80::1%eth0", "link-local"],
  ["ff02::1", "multicast"],
  ["100::1", "reserved"],
  ["5f00::1", "reserved"],
  ["not an address", "no IP address"],
])("nothing is sent to %s: %s", (address, objection) => {
  expect(objectionToAddress(address)).toBe(objection);
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
])("%s is public", (address) => {
  expect(objectionToAddress(address)).toBeUndefined();
});

test.each([
  ["http://hooks.example.com/", /https/],
  ["ftp://hooks.example.com/", /https/],
  ["file:///etc/passwd", /https/],
  ["https://hooks.example.com:8443/", /443/],
  ["https://hooks.example.com:22/", /443/],
  ["https://user@hooks.example.com/", /credentials/],
  ["https://user:word@hooks.example.com/", /credentials/],
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
  ["https://[::ffff:10.0.0.1]/", /IPv4 address/],
  ["https://[64:ff9b::7f00:1]/", /NAT64/],
  ["https://[2002:a00:1::]/", /6to4/],
  ["https://[fd00::1]/", /private/],
  ["http://127.0.0.1:3000/", /https/],
  ["http://localhost:3000/", /https/],
])("%s is refused as it stands", (href, objection) => {
  expect(objectionToUrl(new URL(href), false)).toMatch(objection);
});

test.each(["https://hooks.example.com/a?b=c", "https://hooks.example.com:443/", "https://8.8.8.8/"])(
  "%s is not",
  (href) => {
    expect(objectionToUrl(new URL(href), false)).toBeUndefined();
  },
);

test("where loopback is allowed, it is http to 127.0.0.1 and localhost and nothing else", () => {
  for (const href of ["http://127.0.0.1/", "http://127.0.0.1:3000/x", "http://localhost:3000/"])
    expect(objectionToUrl(new URL(href), true)).toBeUndefined();
  for (const href of [
    "https://127.0.0.1/",
    "http://127.0.0.2/",
    "http://[::1]/",
    "http://10.0.0.1/",
    "http://example.com/",
    "http://localhost.example.com/",
    "http://user@localhost/",
  ])
    expect(objectionToUrl(new URL(href), true)).toBeDefined();
});

const refused = { kind: "invalid", code: "url_not_allowed", details: { errors: [{ pointer: "/url" }] } };
const standsFor =
  (...addresses: string[]) =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));

test("a name is refused when one of its addresses is not public", async () => {
  await expect(authorize("https://in.test/", standsFor("10.0.0.1"))).rejects.toMatchObject(refused);
  await expect(authorize("https://in.test/", standsFor("8.8.8.8", "::1"))).rejects.toMatchObject(refused);
  await expect(authorize("https://in.test/", standsFor("8.8.8.8", "2606:4700::1"))).resolves.toBeUndefined();
});

test("a name that stands for nothing yet is taken: each connection is judged again", async () => {
  const unknown = () => Promise.reject(Object.assign(new Error("x"), { code: "ENOTFOUND" }));
  await expect(authorize("https://in.test/", unknown)).resolves.toBeUndefined();
});
