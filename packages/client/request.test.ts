import { describe, expect, it } from "vitest";
import { encodeBody, etags, fillPath, queryString } from "./request.ts";

describe("fillPath", () => {
  it("encodes each value, so that it stays one segment of the path", () => {
    expect(fillPath("/team/{id}/members/{userId}", { id: "a/b?c#d", userId: "ü" })).toBe(
      "/team/a%2Fb%3Fc%23d/members/%C3%BC",
    );
  });

  it.each(["", ".", "..", undefined])("rejects %j, which would lead to another path", (id) => {
    expect(() => fillPath("/api/v1/projects/{id}", { id })).toThrow(TypeError);
  });
});

describe("queryString", () => {
  it("leaves out parameters without a value, and joins lists with commas", () => {
    const parameters = { a: 1, b: undefined, c: null, d: false, e: ["x", "y"], f: "1 & 2", g: "" };
    expect(queryString(parameters)).toBe("?a=1&d=false&e=x%2Cy&f=1+%26+2&g=");
  });

  it("is empty without parameters", () => {
    expect(queryString()).toBe("");
    expect(queryString({ a: undefined })).toBe("");
  });
});

describe("etags", () => {
  it.each([
    ["ver_1", '"ver_1"'],
    ['"ver_1"', '"ver_1"'],
    ["*", "*"],
    [["ver_1", '"ver_2"'], '"ver_1", "ver_2"'],
  ])("writes %j as %s", (versions, header) => {
    expect(etags(versions)).toBe(header);
  });
});

describe("encodeBody", () => {
  it("encodes JSON, and leaves out undefined members", () => {
    expect(encodeBody({ name: "x", client: undefined, budget: null })).toBe('{"name":"x","budget":null}');
  });

  it("encodes a body with a file as a form", () => {
    const file = new File(["x"], "me.png", { type: "image/png" });
    const form = encodeBody({ avatar: file, note: "1", left: undefined }) as FormData;
    expect([...form.keys()]).toEqual(["avatar", "note"]);
    expect((form.get("avatar") as File).name).toBe("me.png");
  });

  it("encodes no body as none", () => {
    expect(encodeBody(undefined)).toBeUndefined();
  });
});
