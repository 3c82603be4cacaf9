import { describe, expect, it } from "vitest";
import { maskSecrets, replace } from "./log.ts";
import * as Trace from "./trace.ts";

const line = (value: unknown) => JSON.stringify(value, maskSecrets);

describe("maskSecrets", () => {
  it.each(["password", "token", "authorization", "cookie", "signedUrl", "deviceToken", "secret"])(
    "masks the value of %s",
    (name) => {
      expect(line({ [name]: "s3cr3t" })).not.toContain("s3cr3t");
    },
  );

  it("masks tokens, signatures and secrets inside longer text", () => {
    const text =
      "GET https://s3.test/k?X-Amz-Credential=AKIA%2F1&X-Amz-Signature=abcdef&x=1 eyJhbGciOi.eyJzdWIi.c2lnbmF0 svc_pat_abc whsec_def";
    const shown = line({ message: text });
    for (const secret of ["AKIA", "abcdef", "eyJ", "svc_pat_abc", "whsec_def"])
      expect(shown).not.toContain(secret);
    expect(shown).toContain("x=1");
  });

  it("keeps values that are not secrets", () => {
    expect(JSON.parse(line({ route: "GET /a", status: 200, tokens: 3 }))).toEqual({
      route: "GET /a",
      status: 200,
      tokens: 3,
    });
  });
});

describe("replace", () => {
  it("adds the id of the running trace to the line, and masks secrets", () => {
    const trace = Trace.next();
    const written = () => JSON.parse(JSON.stringify({ message: "request", error: { code: "1" } }, replace));
    expect(Trace.run(trace, written)).toEqual({
      message: "request",
      error: { code: "[masked]" },
      traceId: Trace.idOf(trace),
    });
    expect(written()).not.toHaveProperty("traceId");
  });
});
