import { idPattern } from "../base/id.ts";

export type Parts = { userId: string; unixTimestampMs: number };

/** The prefix of the objects of 400 x 400 pixels. */
export const largePrefix = "avatars/";

/** The prefix of the objects of 96 x 96 pixels. */
export const smallPrefix = "avatars-small/";

const startsLarge = new RegExp(`^${largePrefix}`);
const startsSmall = new RegExp(`^${smallPrefix}`);

const shape = /^avatars\/([A-Za-z0-9_-]{1,64})\/(0|[1-9]\d{0,15})\.webp$/;

/** Builds the object key `avatars/{userId}/{unixTimestampMs}.webp`. Throws if a part is malformed. */
export function build({ userId, unixTimestampMs }: Parts): string {
  if (!idPattern.test(userId))
    throw new Error("The user id of an object key must have 1 to 64 letters, digits, _ and -.");
  if (!Number.isSafeInteger(unixTimestampMs) || unixTimestampMs < 0)
    throw new Error("The time of an object key must be a non-negative integer in milliseconds.");
  return `avatars/${userId}/${unixTimestampMs}.webp`;
}

/** Returns the key of the small object beside an object, `avatars-small/{userId}/{unixTimestampMs}.webp`. */
export function small(key: string): string {
  return key.replace(startsLarge, smallPrefix);
}

/** Returns the key of the object that a small object is beside, and other keys unchanged. */
export function large(key: string): string {
  return key.replace(startsSmall, largePrefix);
}

/** Parses the key of a large object. Returns undefined unless `build` could have produced it: no `../`, other prefix or leading zeros. */
export function parse(key: string): Parts | undefined {
  const [, userId, milliseconds] = shape.exec(key) ?? [];
  const unixTimestampMs = Number(milliseconds);
  return userId && Number.isSafeInteger(unixTimestampMs) ? { userId, unixTimestampMs } : undefined;
}

/** Returns whether `build` could have produced this key. */
export function isValid(key: string): boolean {
  return parse(key) !== undefined;
}
