import { expect, test } from "vitest";
import { open, seal } from "./sealed.ts";

const key = (id: string, fill: number) => ({ id, secret: Buffer.alloc(32, fill) });
const [old, fresh] = [key("old", 1), key("new", 2)];

test("what is sealed opens in its context, and is another text each time", () => {
  const sealed = seal("whsec_ä", "a:1", [fresh]);
  expect(sealed).toMatch(/^v1\.new\.[\w-]{16}\.[\w-]+$/);
  expect(sealed).not.toContain("whsec");
  expect(open(sealed, "a:1", [fresh])).toBe("whsec_ä");
  expect(seal("whsec_ä", "a:1", [fresh])).not.toBe(sealed);
});

test("keys rotate: the first seals, all open", () => {
  const sealed = seal("x", "a", [old]);
  expect(open(sealed, "a", [fresh, old])).toBe("x");
  expect(seal("x", "a", [fresh, old])).toMatch(/^v1\.new\./);
  expect(() => open(sealed, "a", [fresh])).toThrow("ENCRYPTION_KEYS");
});

test("in another context, with another key of the same name, or altered anywhere, it does not open", () => {
  const sealed = seal("secret", "a:1", [old]);
  expect(() => open(sealed, "a:2", [old])).toThrow();
  expect(() => open(sealed, "a:1", [key("old", 3)])).toThrow();
  for (const at of [7, 25, sealed.length - 2]) {
    const other = sealed[at] === "A" ? "B" : "A";
    expect(() => open(sealed.slice(0, at) + other + sealed.slice(at + 1), "a:1", [old])).toThrow();
  }
  for (const nothing of ["", "v1", "v2.old.AAAA.AAAA", "v1.old..", `${sealed}.x`])
    expect(() => open(nothing, "a:1", [old])).toThrow();
});
