import { expect, test } from "vitest";
import { masked } from "./log.ts";

const line = (value: unknown) => JSON.stringify(value, masked);

test.each(["password", "token", "authorization", "cookie", "signedUrl", "deviceToken", "secret"])(
  "the value of %s is masked",
  (name) => {
    expect(line({ [name]: "s3cr3t" })).not.toContain("s3cr3t");
  },
);

test("tokens, signatures and secrets are masked inside longer texts", () => {
  const text =
    "GET https://s3.test/k?X-Amz-Credential=AKIA%2F1&X-Amz-Signature=abcdef&x=1 eyJhbGciOi.eyJzdWIi.c2lnbmF0 svc_pat_abc whsec_def";
  const shown = line({ message: text });
  for (const secret of ["AKIA", "abcdef", "eyJ", "svc_pat_abc", "whsec_def"])
    expect(shown).not.toContain(secret);
  expect(shown).toContain("x=1");
});

test("what is no secret stays", () => {
  expect(JSON.parse(line({ route: "GET /a", status: 200, tokens: 3 }))).toEqual({
    route: "GET /a",
    status: 200,
    tokens: 3,
  });
});
