import { expect, test } from "vitest";
import { fromResult, gatewayReply } from "./result.ts";

const json = ["content-type", "application/json"];

test.each([
  ["Hello from Lambda!", "Hello from Lambda!"],
  [{ message: "hi" }, '{"message":"hi"}'],
  [[1, 2], "[1,2]"],
  [42, "42"],
  [null, "null"],
])("fromResult returns a 200 with the value %j as its body", (result, body) => {
  expect(fromResult(result)).toEqual({ status: 200, headers: [json], body: Buffer.from(body) });
});

test("fromResult uses status, headers, cookies and body of a complete result", () => {
  const answer = fromResult({
    statusCode: 201,
    headers: { "Content-Type": "text/html", "X-Count": 3, "X-Flag": true, "X-None": null },
    cookies: ["a=1; Path=/", "b=2"],
    body: "<p>é",
  });
  expect(answer).toEqual({
    status: 201,
    headers: [
      ["content-type", "text/html"],
      ["x-count", "3"],
      ["x-flag", "true"],
      ["set-cookie", "a=1; Path=/"],
      ["set-cookie", "b=2"],
    ],
    body: Buffer.from("<p>é"),
  });
});

test("fromResult decodes a base64 body", () => {
  const bytes = Buffer.from([0, 255, 10, 128]);
  const result = { statusCode: 200, body: bytes.toString("base64"), isBase64Encoded: true };
  expect(fromResult(result).body).toEqual(bytes);
});

test("fromResult adds text/plain only to a body without a content type", () => {
  expect(fromResult({ statusCode: 400, body: "no" }).headers).toEqual([
    ["content-type", "text/plain;charset=UTF-8"],
  ]);
  expect(fromResult({ statusCode: 202 })).toEqual({ status: 202, headers: [], body: Buffer.alloc(0) });
  expect(fromResult({ statusCode: 204, body: "dropped" }).body).toHaveLength(0);
});

test("fromResult ignores framing headers and multiValueHeaders", () => {
  const { headers } = fromResult({
    statusCode: 200,
    headers: { "Content-Length": "999", "transfer-encoding": "chunked", Connection: "close", etag: '"1"' },
    multiValueHeaders: { vary: ["Origin"] },
  });
  expect(headers).toEqual([["etag", '"1"']]);
});

test.each([
  ["a status that is a string", { statusCode: "200" }],
  ["a status below 200", { statusCode: 99 }],
  ["an informational status", { statusCode: 101 }],
  ["a body that is an object", { statusCode: 200, body: { a: 1 } }],
  ["a header with several values", { statusCode: 200, headers: { vary: ["a", "b"] } }],
  ["headers that are an array", { statusCode: 200, headers: ["a"] }],
  ["a header value with a line break", { statusCode: 200, headers: { location: "/a\r\nset-cookie: b=1" } }],
  ["an invalid header name", { statusCode: 200, headers: { "a b": "c" } }],
  ["cookies that are not an array", { statusCode: 200, cookies: "a=1" }],
  ["a cookie with a line break", { statusCode: 200, cookies: ["a=1\nb: c"] }],
  ["a body that is not valid base64", { statusCode: 200, body: "not base64!", isBase64Encoded: true }],
])("fromResult throws on %s", (_, result) => {
  expect(() => fromResult(result)).toThrow();
});

test("gatewayReply returns the message as JSON", () => {
  const { status, headers, body } = gatewayReply(503, "Service Unavailable");
  expect([status, headers, body.toString()]).toEqual([503, [json], '{"message":"Service Unavailable"}']);
});
