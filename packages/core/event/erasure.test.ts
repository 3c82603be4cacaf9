import { describe, expect, it } from "vitest";
import { parse } from "./erasure.ts";

describe("parse", () => {
  it.each([
    ["erasures/era_01/accounts/usr_1", { account: "usr_1" }],
    ["erasures/era_01/avatars/usr_1/1700000000000.webp", { avatarKey: "avatars/usr_1/1700000000000.webp" }],
    ["erasures/era_01/legacy-avatars/usr_1", { legacyAvatarOf: "usr_1" }],
  ])("reads %s", (key, erased) => {
    expect(parse(key)).toEqual(erased);
  });

  it.each([
    "reports/erasures/era_01/accounts/usr_1",
    "erasures/accounts/usr_1",
    "erasures/era_01/accounts/",
    "erasures/era_01/accounts/usr_1/usr_2",
    "erasures/era_01/accounts/../usr_1",
    "erasures/era_01/accounts/usr_1\n",
    "erasures/era_01/legacy-avatars/usr 1",
    "erasures/era_01/workspaces/wsp_1",
  ])("ignores %j", (key) => {
    expect(parse(key)).toBeUndefined();
  });
});
