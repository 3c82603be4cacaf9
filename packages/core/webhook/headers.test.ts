import { expect, test } from "vitest";
import { apply, Headers, mask, masked, maskedForLog, newValues } from "./headers.ts";

test.each([
  ...["webhook-id", "webhook-timestamp", "webhook-signature", "Webhook-Signature", "webhook-anything"],
  ...["traceparent", "Tracestate"],
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

test("Headers rejects a masked value, which would be stored as the value", () => {
  expect(Headers.safeParse({ "x-a": mask }).success).toBe(false);
});

test("apply sets values, removes headers that are null, and keeps those that are absent or masked", () => {
  const stored = { Authorization: "Bearer a", "X-Team": "b", "X-Old": "c", "X-Kept": "d" };
  expect(apply(stored, { Authorization: mask, "x-team": "e", "x-old": null, "X-New": "f" })).toEqual({
    Authorization: "Bearer a",
    "x-team": "e",
    "X-Kept": "d",
    "X-New": "f",
  });
  expect(apply(stored, {})).toEqual(stored);
});

test("apply rejects a masked value without a stored one, and the 21st header", () => {
  const full = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`x-${n}`, "a"]));
  const fault = (pointer: string) =>
    expect.objectContaining({ details: { errors: [expect.objectContaining({ pointer })] } });
  expect(() => apply({}, { "X-A": mask })).toThrow(fault("/headers/X-A"));
  expect(() => apply(full, { "X-A": "a" })).toThrow(fault("/headers"));
  expect(apply(full, { "X-A": "a", "x-0": null })).toMatchObject({ "X-A": "a" });
});

test("newValues returns the headers whose value the client has sent", () => {
  const changes = { "x-a": "1", "X-B": mask };
  const applied = apply({ "X-A": "0", "X-B": "2", "X-C": "3" }, changes);
  expect(newValues(applied, changes)).toEqual({ "x-a": "1" });
});

test("masked and maskedForLog hide every value of a custom header and the signature", () => {
  const own = { Authorization: "Bearer a", "X-Team": "e" };
  expect(masked(own)).toEqual({ Authorization: mask, "X-Team": mask });
  const request = { ...own, "webhook-id": "evt_1", "webhook-signature": "v1,abc v1,def" };
  expect(maskedForLog(request)).toEqual({
    ...masked(own),
    "webhook-id": "evt_1",
    "webhook-signature": `v1,${mask} v1,${mask}`,
  });
});
