import * as ObjectKey from "./object-key.ts";

/**
 * Returns the value of `users.avatar_placeholder`: a ThumbHash in base64 after the timestamp of the object key. The timestamp
 * tells a placeholder of the current avatar from one that a change of `avatar` alone has left behind, as made by the previous
 * release during a deployment.
 */
export function toStored(key: string, thumbHash: Uint8Array): string {
  return `${ObjectKey.parse(key)?.unixTimestampMs}:${Buffer.from(thumbHash).toString("base64")}`;
}

/** Returns the placeholder in base64 if it belongs to the object, otherwise an empty string: then it has no small object. */
export function ofObject(stored: string | null, key: string): string {
  if (stored === null) return "";
  const [timestamp, placeholder = ""] = stored.split(":");
  return key.endsWith(`/${timestamp}.webp`) ? placeholder : "";
}
