import { describe, expect, it } from "vitest";
import * as Sealed from "./sealed.ts";

const key = (id: string, fill: number) => ({ id, secret: new Uint8Array(32).fill(fill) });
const keys = [key("new", 1), key("old", 2)];

describe("seal and open", () => {
  it("decrypts its own output, which differs each time and does not contain the text", () => {
    const [one, two] = [Sealed.seal("sëcret", "totp.usr_1", keys), Sealed.seal("sëcret", "totp.usr_1", keys)];
    expect(one).not.toBe(two);
    expect(Buffer.from(one.split(".")[1] ?? "", "base64url").toString()).not.toContain("cret");
    expect(Sealed.open(one, "totp.usr_1", keys)).toBe("sëcret");
    expect(Sealed.open(Sealed.seal("", "x", keys), "x", keys)).toBe("");
  });

  it("encrypts with the first key and decrypts with every configured key", () => {
    const before = Sealed.seal("a", "x", keys.slice(1));
    expect(before).toMatch(/^old\./);
    expect(Sealed.open(before, "x", keys)).toBe("a");
    expect(Sealed.seal("a", "x", keys)).toMatch(/^new\./);
    expect(() => Sealed.open(before, "x", keys.slice(0, 1))).toThrow('"old"');
  });

  it("rejects another context, another key with the same id, and any changed bit", () => {
    const sealed = Sealed.seal("a secret", "totp.usr_1", keys);
    expect(() => Sealed.open(sealed, "totp.usr_2", keys)).toThrow();
    expect(() => Sealed.open(sealed, "totp.usr_1", [key("new", 3)])).toThrow();
    expect(() => Sealed.open(sealed.replace("new", "old"), "totp.usr_1", keys)).toThrow();
    const bytes = Buffer.from(sealed.slice(4), "base64url");
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => Sealed.open(`new.${changed.toString("base64url")}`, "totp.usr_1", keys)).toThrow();
    }
  });
});
