import { DsqlSigner } from "@aws-sdk/dsql-signer";
import { describe, expect, it, vi } from "vitest";
import { dsqlToken } from "./dsql-token.ts";

const role = {
  accessKeyId: "ASIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  sessionToken: "IQoJb3JpZ2luX2VjE/pretend+session=token==",
};
const owner = { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: role.secretAccessKey };
const endpoint = "abcdefghijklmnopqrstuvwxyz.dsql.eu-central-1.on.aws";

function parts(token: string) {
  const { host, pathname, searchParams } = new URL(`https://${token}`);
  return { host, pathname, query: Object.fromEntries(searchParams) };
}

describe("dsqlToken", () => {
  for (const [holder, credentials] of Object.entries({ role, owner }))
    for (const admin of [false, true])
      it(`returns the token of AWS's signer with the ${holder}'s credentials${admin ? " as admin" : ""}`, async () => {
        vi.useFakeTimers({ now: new Date("2026-11-21T23:59:59Z"), toFake: ["Date"] });
        try {
          const signer = new DsqlSigner({ hostname: endpoint, region: "eu-central-1", credentials });
          const token = admin ? signer.getDbConnectAdminAuthToken() : signer.getDbConnectAuthToken();
          expect(parts(dsqlToken({ endpoint, admin }, credentials))).toEqual(parts(await token));
        } finally {
          vi.useRealTimers();
        }
      });

  it("reads the credentials of the environment for each token", () => {
    vi.stubEnv("AWS_ACCESS_KEY_ID", role.accessKeyId);
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", role.secretAccessKey);
    vi.stubEnv("AWS_SESSION_TOKEN", role.sessionToken);
    try {
      const at = new Date("2026-11-21T12:00:00Z");
      expect(dsqlToken({ endpoint, admin: false }, undefined, at)).toBe(
        dsqlToken({ endpoint, admin: false }, role, at),
      );
      vi.stubEnv("AWS_SECRET_ACCESS_KEY", undefined);
      expect(() => dsqlToken({ endpoint, admin: false }, undefined, at)).toThrow("AWS_SECRET_ACCESS_KEY");
    } finally {
      vi.unstubAllEnvs();
    }
  });
});
