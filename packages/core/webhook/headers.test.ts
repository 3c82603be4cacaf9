import { expect, test } from "vitest";
import { Headers, masked, shown, updated } from "./headers.ts";

test.each([
  ...["webhook-id", "webhook-timestamp", "webhook-signature", "Webhook-Signature", "webhook-anything"],
  ...["host", "Host", "content-type", "Content-Length", "content-encoding"],
  ...["connection", "keep-alive", "te", "trailer", "transfer-encoding", "Upgrade"],
  ...["proxy-authorization", "proxy-connection", "expect", "via", "forwarded", "x-forwarded-for"],
  ...["", "a b", "a:b", "a\r\nhost", "ä", ":authority"],
])("%j is nobody's own header", (name) => {
  expect(Headers.safeParse({ [name]: "x" }).success).toBe(false);
});

test.each(["a\r\nb: c", "a\nb", "\u0000", "ä", "x".repeat(1025)])("%j is no value", (value) => {
  expect(Headers.safeParse({ "x-a": value }).success).toBe(false);
});

test("others are taken, 20 at most", () => {
  const own = { Authorization: "Bearer a", "X-Team": "a b", "x-hostname": "", "X-Webhook": "1" };
  expect(Headers.parse(own)).toEqual(own);
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`x-${n}`, ""]));
  expect([20, 21].map((count) => Headers.safeParse(many(count)).success)).toEqual([true, false]);
});

test("what opens something is shown masked, and sent back so stays as it was", () => {
  const own = {
    Authorization: "Bearer a",
    "X-Api-Key": "b",
    Cookie: "c",
    "x-hub-signature": "d",
    "X-Team": "e",
  };
  const seen = shown(own);
  const hidden = { Authorization: masked, "X-Api-Key": masked, Cookie: masked, "x-hub-signature": masked };
  expect(seen).toEqual({ ...hidden, "X-Team": "e" });
  expect(updated(own, { ...seen, "X-Team": "f" })).toEqual({ ...own, "X-Team": "f" });
  expect(updated(own, { Authorization: "Bearer z" })).toEqual({ Authorization: "Bearer z" });
});
