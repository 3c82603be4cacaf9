import { expect, test } from "vitest";
import { matcher } from "./match.ts";

const match = matcher([
  "GET /pets/{id}",
  "ANY /{proxy+}",
  "GET /pets/dog",
  "GET /pets/{proxy+}",
  "DELETE /pets/{id}/toys/{toyId}",
  "ANY /pets/dog",
  "GET /",
  "$default",
]);

test.each([
  ["GET", "/pets/dog", "GET /pets/dog", {}],
  ["PUT", "/pets/dog", "ANY /pets/dog", {}],
  ["GET", "/pets/cat", "GET /pets/{id}", { id: "cat" }],
  ["GET", "/pets/cat/1", "GET /pets/{proxy+}", { proxy: "cat/1" }],
  ["DELETE", "/pets/cat/toys/ball", "DELETE /pets/{id}/toys/{toyId}", { id: "cat", toyId: "ball" }],
  ["DELETE", "/pets/cat", "ANY /{proxy+}", { proxy: "pets/cat" }],
  ["GET", "/", "GET /", {}],
  ["POST", "/", "$default", {}],
] as const)("matcher sends %s %s to %s", (method, path, routeKey, pathParameters) => {
  expect(match(method, path)).toEqual({ routeKey, pathParameters });
});

test("matcher decodes each segment separately, so an encoded slash does not split it and a plus stays", () => {
  const one = matcher(["GET /files/{name}", "$default"]);
  expect(one("GET", "/files/a%2Fb+c%20%C3%A9")).toEqual({
    routeKey: "GET /files/{name}",
    pathParameters: { name: "a/b+c é" },
  });
  expect(one("GET", "/%66iles/x")?.routeKey).toBe("GET /files/{name}");
});

test("matcher falls back to $default for a trailing slash, an empty parameter or another method", () => {
  const one = matcher(["GET /team/{id}", "GET /team/{id}/members", "$default"]);
  for (const path of ["/team/", "/team/a/", "/team//members", "/team", "/team/a/members/"])
    expect(one("GET", path)?.routeKey, path).toBe("$default");
  expect(one("HEAD", "/team/a")?.routeKey).toBe("$default");
});

test("matcher returns undefined when no route matches and there is no $default", () => {
  expect(matcher(["GET /a"])("GET", "/b")).toBeUndefined();
});

test("matcher throws URIError for a path that is not UTF-8", () => {
  expect(() => match("GET", "/pets/%E0%A4")).toThrow(URIError);
});
