import { expect, test } from "vitest";
import { Headers, mask, maskSecrets, restoreMasked } from "./headers.ts";

test.each([
  ...["webhook-id", "webhook-timestamp", "webhook-signature", "Webhook-Signature", "webhook-anything"],
  ...["host", "Host", "content-type", "Content-Length", "content-encoding"],
  ...["connection", "keep-alive", "te", "trailer", "transfer-encoding", "Upgrade"],
  ...["proxy-authorization", "proxy-connection", "expect", "via", "forwarded", "x-forwarded-for"],
  ...["", "a b", "a:b", "a\r\nhost", "ä", ":authority"],
])("Headers rejects the name %j", (name) => {
  expect(Headers.safeParse({ [name]: "x" }).success).toBe(false);
});

test.each(["a\r\nb: c", "a\nb", "\u0000", "ä", "x".repeat(1025)])("Headers rejects the value %j", (value) => {
  expect(Headers.safeParse({ "x-a": value }).success).toBe(false);
});

test("Headers accepts up to 20 headers with other names", () => {
  const own = { Authorization: "Bearer a", "X-Team": "a b", "x-hostname": "", "X-Webhook": "1" };
  expect(Headers.parse(own)).toEqual(own);
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`x-${n}`, ""]));
  expect([20, 21].map((count) => Headers.safeParse(many(count)).success)).toEqual([true, false]);
});

test("maskSecrets hides secret values, and restoreMasked keeps them when they are sent back masked", () => {
  const own = {
    Authorization: "Bearer a",
    "X-Api-Key": "b",
    Cookie: "c",
    "x-hub-signature": "d",
    "X-Team": "e",
  };
  const seen = maskSecrets(own);
  const hidden = { Authorization: mask, "X-Api-Key": mask, Cookie: mask, "x-hub-signature": mask };
  expect(seen).toEqual({ ...hidden, "X-Team": "e" });
  expect(restoreMasked(own, { ...seen, "X-Team": "f" })).toEqual({ ...own, "X-Team": "f" });
  expect(restoreMasked(own, { Authorization: "Bearer z" })).toEqual({ Authorization: "Bearer z" });
});
