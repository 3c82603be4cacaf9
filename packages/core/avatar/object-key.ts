import { pattern as idPattern } from "../base/id.ts";

export type Parts = { userId: string; unixTimestampMs: number };

const shape = /^avatars\/([A-Za-z0-9_-]{1,64})\/(0|[1-9]\d{0,15})\.webp$/;

/** `avatars/{userId}/{unixTimestampMs}.webp`. Throws when the parts are not what an id and a time look like. */
export function build({ userId, unixTimestampMs }: Parts): string {
  if (!idPattern.test(userId))
    throw new Error("An object key needs a user id of 1 to 64 letters, digits, _ and -.");
  if (!Number.isSafeInteger(unixTimestampMs) || unixTimestampMs < 0)
    throw new Error("An object key needs a time in whole, non-negative milliseconds.");
  return `avatars/${userId}/${unixTimestampMs}.webp`;
}

/** The parts of an object key, or undefined when it is none of ours: no `../`, no foreign prefix, no leading zeros. */
export function parse(key: string): Parts | undefined {
  const [, userId, milliseconds] = shape.exec(key) ?? [];
  const unixTimestampMs = Number(milliseconds);
  return userId && Number.isSafeInteger(unixTimestampMs) ? { userId, unixTimestampMs } : undefined;
}

/** Whether `build` could have made this key. */
export function isValid(key: string): boolean {
  return parse(key) !== undefined;
}
