import { createHash, randomBytes } from "node:crypto";

/** Returns 256 random bits for a link or a device as base64url: 43 characters. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Hashes a secret of `newSecret` for storage. SHA-256 suffices, because 256 random bits cannot be guessed. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}
