import { expect, test } from "vitest";
import { isBinary, type Received, toEvent } from "./event.ts";

const at = new Date("2020-03-12T19:03:58.390Z");

function event(received: Partial<Received> = {}, pathParameters: Record<string, string> = {}) {
  const whole: Received = {
    method: "POST",
    path: "/my/path",
    query: "",
    protocol: "HTTP/1.1",
    headers: { host: ["api.test:4000"], "user-agent": ["agent"] },
    body: Buffer.alloc(0),
    sourceIp: "127.0.0.1",
    ...received,
  };
  return toEvent(whole, { routeKey: "POST /my/{x}", pathParameters }, { requestId: "JKJaXmPLvHcESHA=", at });
}

test("toEvent describes the source, time and route of a request", () => {
  expect(event({ path: "/my/p%C3%A5th" }, { x: "påth" })).toMatchObject({
    version: "2.0",
    routeKey: "POST /my/{x}",
    rawPath: "/my/påth",
    pathParameters: { x: "påth" },
    requestContext: {
      domainName: "api.test:4000",
      domainPrefix: "api",
      http: {
        method: "POST",
        path: "/my/påth",
        protocol: "HTTP/1.1",
        sourceIp: "127.0.0.1",
        userAgent: "agent",
      },
      requestId: "JKJaXmPLvHcESHA=",
      routeKey: "POST /my/{x}",
      stage: "$default",
      time: "12/Mar/2020:19:03:58 +0000",
      timeEpoch: 1584039838390,
    },
  });
});

test("toEvent omits missing parts", () => {
  const bare = event();
  for (const name of ["body", "cookies", "queryStringParameters", "pathParameters"])
    expect(bare).not.toHaveProperty(name);
  expect(bare).toMatchObject({ rawQueryString: "", isBase64Encoded: false });
});

test("toEvent joins repeated headers and query parameters by commas", () => {
  const { headers, rawQueryString, queryStringParameters } = event({
    query: "a=1&a=2%2C3&b=x+y%26z&c&__proto__=p",
    headers: { accept: ["text/html", "text/plain;q=0.5"], host: ["h"] },
  });
  expect(headers.accept).toBe("text/html,text/plain;q=0.5");
  expect(rawQueryString).toBe("a=1&a=2%2C3&b=x+y%26z&c&__proto__=p");
  expect(Object.entries(queryStringParameters ?? {})).toEqual([
    ["a", "1,2,3"],
    ["b", "x y&z"],
    ["c", ""],
    ["__proto__", "p"],
  ]);
});

test("toEvent moves cookies from the headers to a list", () => {
  const built = event({ headers: { cookie: ["a=1; b=2;c=3", "d=x=y"], host: ["h"] } });
  expect(built.cookies).toEqual(["a=1", "b=2", "c=3", "d=x=y"]);
  expect(built.headers).not.toHaveProperty("cookie");
});

test("toEvent removes hop-by-hop headers and adds x-forwarded headers", () => {
  const { headers } = event({
    headers: {
      host: ["localhost:4000"],
      connection: ["keep-alive"],
      "transfer-encoding": ["chunked"],
      expect: ["100-continue"],
      "x-forwarded-for": ["203.0.113.9"],
    },
    body: Buffer.from("abc"),
  });
  expect(headers).toEqual({
    host: "localhost:4000",
    "content-length": "3",
    "x-forwarded-for": "203.0.113.9, 127.0.0.1",
    "x-forwarded-port": "4000",
    "x-forwarded-proto": "http",
  });
});

test.each([
  ["application/json", false],
  ["Application/JSON; charset=utf-8", false],
  ["text/csv", false],
  ["application/xml", false],
  ["application/javascript", false],
  ["application/x-www-form-urlencoded", true],
  ["multipart/form-data; boundary=text/plain", true],
  ["image/svg+xml", true],
  ["application/octet-stream", true],
  ["application/jsonlines", true],
  [undefined, true],
])("isBinary for the content type %s is %s", (type, base64) => {
  const body = Buffer.from('{"é":1}');
  const built = event({ body, headers: { ...(type && { "content-type": [type] }) } });
  expect(built.isBase64Encoded).toBe(base64);
  expect(Buffer.from(built.body ?? "", base64 ? "base64" : "utf8")).toEqual(body);
});

test("isBinary is true for a compressed body of any type", () => {
  expect(isBinary({ "content-type": ["application/json"], "content-encoding": ["gzip"] })).toBe(true);
});
