import * as z from "zod/mini";
import * as Clock from "../base/clock.ts";
import * as Config from "../platform/config/config.ts";
import { memoizeByConfig } from "../platform/config/memoize.ts";
import { signer, signGet } from "../platform/storage/signer.ts";
import * as ObjectKey from "./object-key.ts";
import * as Placeholder from "./placeholder.ts";
import * as StoredValue from "./stored-value.ts";

/** The columns of `users` that an avatar is resolved from. */
export const columns = ["users.avatar", "users.avatar_placeholder as avatarPlaceholder"] as const;

/** The values of `columns`. */
export type StoredAvatar = { avatar: string; avatarPlaceholder: string | null };

/** The avatar of a user in a response. All three are empty without a picture. */
export const fields = {
  /** Pre-signed URL of the picture of 400 x 400 pixels, valid for seven days. */
  avatar: z.string(),
  /**
   * Pre-signed URL of the picture of 96 x 96 pixels, valid for seven days. The URL of the large picture if the small one has
   * not been made yet.
   */
  avatarSmall: z.string(),
  /** ThumbHash of the picture in base64, to show until it has loaded. Empty if the small picture has not been made yet. */
  avatarPlaceholder: z.string(),
};

const Resolved = z.object(fields);
export type Resolved = z.infer<typeof Resolved>;

export const none: Readonly<Resolved> = { avatar: "", avatarSmall: "", avatarPlaceholder: "" };

/** The signing key and bucket name, prepared once per configuration. */
const prepared = memoizeByConfig(Config.storage, (storage) => ({
  bucket: storage.bucketAvatars,
  signer: signer(storage),
}));

/**
 * Resolves stored avatars, in the same order. Signs URLs for objects in the bucket on every call, without network access;
 * everything else has no avatar. Never throws.
 */
export function resolveAll(stored: readonly StoredAvatar[], now: Date = Clock.now()): Resolved[] {
  const pictures = stored.map(pictureOf);
  const keys = pictures.flatMap((picture) => picture?.keys ?? []);
  if (keys.length === 0) return stored.map(() => none);
  const { bucket, signer } = prepared();
  const urls = signGet(signer, bucket, keys, now)[Symbol.iterator]();
  const next = () => urls.next().value ?? "";
  return pictures.map((picture) => {
    if (!picture) return none;
    const avatar = next();
    const avatarSmall = picture.keys.length > 1 ? next() : avatar;
    return { avatar, avatarSmall, avatarPlaceholder: picture.placeholder };
  });
}

/** Resolves one stored avatar. */
export function resolve(stored: StoredAvatar, now: Date = Clock.now()): Resolved {
  return resolveAll([stored], now)[0] ?? none;
}

/** Returns the keys of a picture's objects, the large one first, and its placeholder. */
function pictureOf({ avatar, avatarPlaceholder }: StoredAvatar) {
  const key = StoredValue.key(avatar);
  if (key === undefined) return undefined;
  const placeholder = Placeholder.ofObject(avatarPlaceholder, key);
  return { keys: placeholder === "" ? [key] : [key, ObjectKey.small(key)], placeholder };
}
