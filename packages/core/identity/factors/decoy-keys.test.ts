import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { authenticator } from "../../testing/authenticator.ts";
import { Assertion, algorithms, verify } from "./assertion.ts";
import { decoyKeys } from "./decoy-keys.ts";

describe("decoyKeys", () => {
  it("has one key of each accepted algorithm", async () => {
    const found = (await decoyKeys()).map(({ algorithm }) => algorithm);
    expect(found.sort()).toEqual([...algorithms].sort());
  });

  it.each([
    ["ES256", -7, undefined],
    ["EdDSA", -8, randomBytes(64)],
    ["RS256", -257, Buffer.concat([Buffer.of(0), randomBytes(255)])],
  ])("completes the verification of a signature with %s and rejects it", async (_, algorithm, signature) => {
    const { publicKey } = (await decoyKeys()).find((key) => key.algorithm === algorithm) ?? {};
    const { response, ...rest } = authenticator().assert({ challenge: "AAAA" });
    const signed = signature ? { ...response, signature: signature.toString("base64url") } : response;
    const assertion = Assertion.parse({ ...rest, response: signed });
    // Any other failure would throw, and take less time than a wrong signature.
    expect(await verify(publicKey ?? new Uint8Array(), assertion, "AAAA")).toBeUndefined();
  });
});
