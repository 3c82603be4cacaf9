import { expect, test } from "vitest";
import { Email, key } from "./email-address.ts";

test.each([
  ["Ada@Example.COM", "ada@example.com"],
  [" ada@example.com ", "ada@example.com"],
  // Full-width letters are compared as the letters that they look like.
  ["ａｄａ@example.com", "ada@example.com"],
])("key: %j is compared as %s", (email, compared) => {
  expect(key(email)).toBe(compared);
});

test("Email trims an address and keeps its case", () => {
  expect(Email.parse(" Ada@example.com ")).toBe("Ada@example.com");
});
