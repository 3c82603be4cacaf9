import { beforeEach, describe, expect, it } from "vitest";
import * as Placeholder from "./placeholder.ts";
import { none, resolveAll } from "./resolve.ts";

beforeEach(() => {
  Object.assign(process.env, {
    STORAGE_ACCESS_KEY_ID: "AKIATEST",
    STORAGE_SECRET_ACCESS_KEY: "secret",
    STORAGE_REGION: "eu-central-2",
    STORAGE_ENDPOINT: "https://store.test",
    STORAGE_BUCKET: "svc-files",
    STORAGE_BUCKET_AVATARS: "svc-avatars",
  });
});

const avatar = (time: number) => `objstore:avatars/usr_1/${time}.webp`;
const pathOf = (url: string) => new URL(url).pathname;

describe("resolveAll", () => {
  it("returns both URLs and the placeholder of each picture, in the order of the stored avatars", () => {
    const resolved = resolveAll([
      {
        avatar: avatar(1),
        avatarPlaceholder: Placeholder.toStored("avatars/usr_1/1.webp", Buffer.from("a")),
      },
      { avatar: "https://avatars.example/a.png", avatarPlaceholder: "1:YQ==" },
      { avatar: avatar(2), avatarPlaceholder: null },
      { avatar: "", avatarPlaceholder: null },
      { avatar: avatar(3), avatarPlaceholder: "3:Yg==" },
    ]);
    expect(
      resolved.map((it) => [it.avatar && pathOf(it.avatar), it.avatarSmall && pathOf(it.avatarSmall)]),
    ).toEqual([
      ["/svc-avatars/avatars/usr_1/1.webp", "/svc-avatars/avatars-small/usr_1/1.webp"],
      ["", ""],
      ["/svc-avatars/avatars/usr_1/2.webp", "/svc-avatars/avatars/usr_1/2.webp"],
      ["", ""],
      ["/svc-avatars/avatars/usr_1/3.webp", "/svc-avatars/avatars-small/usr_1/3.webp"],
    ]);
    expect(resolved.map(({ avatarPlaceholder }) => avatarPlaceholder)).toEqual(["YQ==", "", "", "", "Yg=="]);
  });

  it("ignores the placeholder of an earlier picture, which the previous release leaves behind", () => {
    const [resolved] = resolveAll([{ avatar: avatar(12), avatarPlaceholder: "2:YQ==" }]);
    expect(resolved?.avatarSmall).toBe(resolved?.avatar);
    expect(resolved?.avatarPlaceholder).toBe("");
  });

  it("returns empty strings without a configuration if no user has a picture", () => {
    delete process.env.STORAGE_ENDPOINT;
    expect(resolveAll([{ avatar: "", avatarPlaceholder: null }])).toEqual([none]);
  });
});
