import { describe, expect, it } from "vitest";
import { discardUrl, imageUrl, refetchMs, stableUrl } from "./avatar.ts";

describe("imageUrl", () => {
  it.each([
    "",
    "objstore:avatars/usr_1/1.webp",
    "avatars/usr_1/1.webp",
    "viktor.png",
    "javascript:alert(1)",
    "data:image/png;base64,AAAA",
    "//cdn.example/x.webp",
    "https://",
  ])("does not use %j as an image URL", (value) => expect(imageUrl(value)).toBeUndefined());

  it("returns a signed URL unchanged", () => {
    const url = "https://bucket.example/avatars/usr_1/1.webp?X-Amz-Signature=ab";
    expect(imageUrl(url)).toBe(url);
  });
});

it("stableUrl keeps the first URL of a picture for half a day, unless the URL was discarded", () => {
  const url = (key: string, signature: number) => `https://b.example/${key}?s=${signature}`;
  expect(stableUrl(url("a", 1), 0)).toBe(url("a", 1));
  expect(stableUrl(url("a", 2), refetchMs / 2 - 1)).toBe(url("a", 1));
  expect(stableUrl(url("b", 2), 0)).toBe(url("b", 2));
  expect(stableUrl(url("a", 1), refetchMs / 2)).toBe(url("a", 1));
  expect(stableUrl(url("a", 3), refetchMs / 2)).toBe(url("a", 3));
  discardUrl(url("a", 3));
  expect(stableUrl(url("a", 4), refetchMs / 2)).toBe(url("a", 4));
});
