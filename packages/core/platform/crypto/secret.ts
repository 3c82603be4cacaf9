import { createHash, randomBytes } from "node:crypto";

/** 256 random bits for a link or a device, as base64url: 43 characters. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** How such a secret is stored: a plain SHA-256 is enough for 256 random bits, and a dump of it opens nothing. */
export function hashed(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}
